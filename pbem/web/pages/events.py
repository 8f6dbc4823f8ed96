"""Pages of events: the list, seasons, ladders, and matches.

Who is signed in joins and leaves there, and challenges on a ladder.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask import Response, request
from werkzeug.exceptions import UnprocessableEntity

from pbem.core.events import ladder, league, match
from pbem.core.events.event import LIVE, Event
from pbem.core.players import NAME, Player
from pbem.duties.clubs import directs
from pbem.duties.ladders import load_ladder
from pbem.duties.leagues import load_divisions
from pbem.duties.new_games import GameTerms, terms_of_event
from pbem.store import clubs, events, news, players, tour, watched_leagues
from pbem.store.engine import Connection
from pbem.store.matches import load_match
from pbem.web.blueprints import MenuLink, Pages
from pbem.web.pages.lobby import run_order
from pbem.web.responses import (
    application,
    lead_to,
    parse_number,
    private_response,
    public_page,
    raise_not_found,
)
from pbem.web.viewer import require_viewer, viewer
from rules.contract import BadOption

pages = Pages("events", __name__, nav=[MenuLink("/events", "Leagues", 43)], sitemap=["/events"])

EVENT_PATH = "/events/<int(max=999999999999):id>"
ORDERS = ("join", "leave", "watch", "unwatch", "challenge", "yes", "no", "start")
OVER = "This season is over, so nothing was done. The page of leagues has the next one."

SHOWN = 4
"""Divisions on one page."""
ENTRANTS_SHOWN = 50
TOUR_SIZE = 50
FIRST_YEAR, LAST_YEAR = 2000, 9998


@pages.get("/events")
def all_events() -> Response:
    this_year, player = application().now().year, viewer()
    year = request.args.get("year", this_year, type=parse_number)
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise_not_found(f"There is no tour of {year}.")
    with application().store.read() as db:
        keys = application().games_by_key
        found = _live_first(events.live_events(db, league.LEAGUE, keys), events.list_events(db))
        matches = _live_first(events.live_events(db, match.MATCH, keys), events.list_matches(db))
        running = [each for each in events.list_ladders(db) if each.rules in keys]
        sizes = [(each, events.count_players(db, each.id, league.PLAYING)) for each in running]
        mine = _own_states(db)
        ended = events.ends_of(db, [each.id for each in found if each.state == league.OVER])
        rows, everybody = tour.tour_rows(db, year, TOUR_SIZE, player.id if player else None)
    begun = {each.starts.year for each in found if each.state != league.OPEN}
    planned = {each.id: each.ends_at for each in found if each.ends_at is not None}
    return public_page(
        "events.html",
        found=found,
        ends=planned | ended,
        live=LIVE,
        mine=mine,
        ladders=sizes,
        matches=matches,
        year=year,
        years=sorted({this_year, *begun} - {year}, reverse=True),
        tour=rows,
        tour_size=TOUR_SIZE,
        everybody=everybody,
    )


def _live_first(live: list[Event], newest: list[Event]) -> list[Event]:
    """List open and running events, then the newest ended ones. Only installed games count."""
    keys = application().games_by_key
    return [*live, *(each for each in newest if each.state == league.OVER and each.rules in keys)]


@pages.get(EVENT_PATH)
def event(id: int) -> Response:
    with application().store.read() as db:
        found = event_or_404(db, id)
        return KINDS[found.kind].page(db, found)


def _season_page(db: Connection, event: Event) -> Response:
    first = max(1, request.args.get("division", default=1, type=parse_number))
    runs = event.state in (league.STARTING, league.RUNNING)
    player = viewer()
    return public_page(
        "event.html",
        event=event,
        entries=news.entries_of_event(db, event.id) if event.state in LIVE else 0,
        divisions=load_divisions(db, event, first, min(event.divisions, first + SHOWN - 1)),
        entered=events.count_players(db, event.id, *league.SIGNED_UP),
        entrants=_entrants(db, event),
        terms=_terms(event),
        acts=_acts(db, event.id),
        ended=events.ends_of(db, [event.id]).get(event.id) if event.state == league.OVER else None,
        running=clubs.running_games(db, event=event.id) if runs else (),
        club=clubs.find_club(db, event.club_id) if event.club_id is not None else None,
        directs=event.club_id is not None and player is not None and directs(db, player, event),
        fills_until=league.fills_until(event.starts, event.ends) if runs else None,
        watching=_is_watched(db, event),
        live=event.state in LIVE,
        mine=_own_states(db).get(event.id, ""),
        previous=max(1, first - SHOWN) if first > 1 else 0,
        following=first + SHOWN if event.divisions >= first + SHOWN else 0,
    )


@dataclass(frozen=True)
class ShownAct:
    """An act of an event's director. `about` has the names of those whom it is about."""

    at: datetime
    what: str
    about: list[str]
    result: str
    reason: str


def _acts(db: Connection, id: int) -> list[ShownAct]:
    """List the acts of an event's director."""
    acts = events.journal_of(db, id, "director")
    about = {player for act in acts for player in act.data.get("players", ())}
    known = players.players_by_ids(db, about) if about else {}
    return [
        ShownAct(
            act.at,
            act.data["act"],
            [known[player].name for player in act.data.get("players", ())],
            act.data.get("result", ""),
            act.data["reason"],
        )
        for act in acts
    ]


def _is_watched(db: Connection, event: Event) -> bool:
    """True if the viewer watches the league of a season."""
    player = viewer()
    return player is not None and event.rules in watched_leagues.leagues_watched_by(db, player)


def _terms(event: Event) -> GameTerms | None:
    """Return the terms of an event's games, None if the rules no longer have its options."""
    try:
        return terms_of_event(application(), event)
    except BadOption:
        return None


def _entrants(db: Connection, event: Event) -> list[str]:
    """Return names of the first who joined a season not begun."""
    if event.state != league.OPEN:
        return []
    ids = events.players_in(db, event.id, *league.SIGNED_UP, most=ENTRANTS_SHOWN)
    known = players.players_by_ids(db, ids)
    return [known[id].name for id in ids if not known[id].gone]


def _ladder_page(db: Connection, event: Event) -> Response:
    shown = load_ladder(db, event, application().now())
    acts, player = _acts(db, event.id), viewer()
    here = player is not None and player.name in shown.order
    free = shown.free_above(player.name) if player is not None and here else []
    name = player.name if player is not None else ""
    asked = [each for each in shown.waiting if not each.game and each.upper == name]
    terms = _terms(event)
    facts: dict[str, Any] = {"event": event, "ladder": shown, "here": here, "free": free, "asked": asked}
    return public_page("ladder.html", **facts, **_club_of(db, event), terms=terms, acts=acts)


def _club_of(db: Connection, event: Event) -> dict[str, Any]:
    """The club of an event, and what the viewer may do in it."""
    player, number = viewer(), event.club_id
    if number is None:
        return {"club": None, "directs": False, "may_enter": True}
    may_enter = player is None or clubs.is_member(db, number, player.id)
    mine = player is not None and directs(db, player, event)
    return {"club": clubs.find_club(db, number), "directs": mine, "may_enter": may_enter}


def _match_page(db: Connection, event: Event) -> Response:
    shown, acts, player = load_match(db, event), _acts(db, event.id), viewer()
    name = player.name if player is not None else ""
    mine = next((club for club, there in zip(shown.clubs, shown.members, strict=True) if name in there), "")
    there = [clubs.find_club(db, each) for each in event.club_ids]
    able = [name for name, id in zip(shown.clubs, event.club_ids, strict=False) if _is_member(db, id, player)]
    facts: dict[str, Any] = {"event": event, "match": shown, "mine": mine, "terms": _terms(event)}
    facts |= {"of_clubs": [each for each in there if each], "able": able if there else shown.clubs}
    mine_to_direct = player is not None and bool(there) and directs(db, player, event)
    return public_page("match.html", **facts, acts=acts, directs=mine_to_direct)


def _is_member(db: Connection, club: int, player: Player | None) -> bool:
    return player is not None and clubs.is_member(db, club, player.id)


@pages.post(EVENT_PATH)
def order(id: int) -> Response:
    """Join or leave an event, as a mail does it."""
    player, wanted = require_viewer(), request.form.get("order", "")
    if wanted not in ORDERS:
        raise_not_found("There is nothing of this name to order.")
    with application().store.read() as db:
        found, state = event_or_404(db, id), _own_states(db).get(id, "")
    return KINDS[found.kind].order(player, found, wanted, state)


def _order_in_season(player: Player, event: Event, wanted: str, state: str) -> Response:
    """Watch, join or leave a season. Who plays in it is asked before they leave."""
    if wanted in ("watch", "unwatch"):
        run_order(player, wanted, f"{event.rules} league")
        return lead_to(f"/events/{event.id}")
    if wanted not in ("join", "leave"):
        raise_not_found("There is nothing of this name to order.")
    if event.state not in LIVE:
        raise UnprocessableEntity(OVER)
    leaves = wanted == "leave" and state == league.PLAYING
    if leaves and "sure" not in request.form:
        return private_response("event_sure.html", event=event, order=wanted, player="")
    run_order(player, wanted, f"{event.called}{' yes' if leaves else ''}")
    return lead_to(f"/events/{event.id}")


def _order_on_ladder(player: Player, event: Event, wanted: str, state: str) -> Response:
    """Enter or leave a ladder, challenge, or answer, as by mail."""
    name = request.form.get("player", "")
    if wanted in ("leave", "no") and "sure" not in request.form:
        return private_response("event_sure.html", event=event, order=wanted, player=name)
    if wanted in ("join", "leave"):
        run_order(player, wanted, event.called)
    elif NAME.fullmatch(name):
        answer = "" if wanted == "challenge" else f" {wanted}"
        run_order(player, "ladder", f"{event.word} {name}{answer}")
    else:
        raise_not_found("There is nobody of this name to challenge.")
    return lead_to(f"/events/{event.id}")


def _order_in_match(player: Player, event: Event, wanted: str, state: str) -> Response:
    """Enter a match's club, or leave it before the start."""
    club = request.form.get("club", "")
    if wanted == "join" and club in event.settings.clubs:
        run_order(player, "join", f"match {event.id} {club}")
    elif wanted == "leave":
        run_order(player, "leave", f"match {event.id}")
    elif wanted == "start":
        run_order(player, "match", f"start {event.id}")
    else:
        raise_not_found("There is nothing of this name to order.")
    return lead_to(f"/events/{event.id}")


@dataclass(frozen=True)
class EventPages:
    """The page and the forms of a kind of event.

    A form takes the player, the event, the order, and the player's state in the event.
    """

    page: Callable[[Connection, Event], Response]
    order: Callable[[Player, Event, str, str], Response]


KINDS: Mapping[str, EventPages] = {
    league.LEAGUE: EventPages(_season_page, _order_in_season),
    ladder.LADDER: EventPages(_ladder_page, _order_on_ladder),
    match.MATCH: EventPages(_match_page, _order_in_match),
}


def _own_states(db: Connection) -> dict[int, str]:
    """The viewer's state in each event that is open or runs."""
    player = viewer()
    mine = events.entrants_of_player(db, player.id) if player else []
    return {each.event: each.state for each in mine}


def event_or_404(db: Connection, id: int) -> Event:
    """The event with this number, if it may be seen."""
    found = events.find_event(db, id)
    if found is None or found.state in (league.NEW, league.VOID):
        raise_not_found(f"There is no event {id}.")
    if found.rules not in application().games_by_key:
        raise_not_found(f"The game of event {id} is not installed here.")
    return found


def season_or_404(db: Connection, id: int) -> Event:
    """Return a league's season by number, if it may be seen."""
    found = event_or_404(db, id)
    return found if found.kind == league.LEAGUE else raise_not_found(f"Event {id} is no season of a league.")


def file_name(event: Event) -> str:
    """The name of files about an event, without its ending: `bipod-league-season-2`."""
    return event.title.lower().replace(",", "").replace(" ", "-")
