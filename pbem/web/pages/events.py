"""Pages of events: all of them, a season with its cross tables, a ladder, and a match board by board."""

from flask import Response, request

from pbem.actions.ladders import load_ladder
from pbem.actions.leagues import load_division
from pbem.core.events import ladder, league, match
from pbem.store import events
from pbem.store.engine import Connection
from pbem.store.events import Event
from pbem.store.matches import load_match
from pbem.web.blueprints import Link, Pages
from pbem.web.responses import application, parse_number, public_page, raise_not_found

pages = Pages("events", __name__, nav=[Link("/events", "Leagues", 5, "foot")], sitemap=["/events"])

SHOWN = 4
"""Divisions on one page."""


@pages.get("/events")
def all_events() -> Response:
    with application().store.read() as db:
        found = [each for each in events.list_events(db) if each.rules in application().games_by_key]
        running = [each for each in events.list_ladders(db) if each.rules in application().games_by_key]
        sizes = [(each, len(events.players_in(db, each.id, league.PLAYING))) for each in running]
        matches = [each for each in events.list_matches(db) if each.rules in application().games_by_key]
    return public_page("events.html", found=found, live=events.LIVE, ladders=sizes, matches=matches)


@pages.get("/events/<int(max=999999999999):id>")
def event(id: int) -> Response:
    first = max(1, request.args.get("division", default=1, type=parse_number))
    with application().store.read() as db:
        found = event_or_404(db, id)
        if found.kind == ladder.LADDER:
            return _ladder_page(db, found)
        if found.kind == match.MATCH:
            acts = events.journal_of(db, id, "director")
            return public_page("match.html", event=found, match=load_match(db, found), acts=acts)
        numbers = range(first, min(found.divisions, first + SHOWN - 1) + 1)
        shown = [load_division(db, found, number) for number in numbers]
        entered = len(events.players_in(db, id, *league.SIGNED_UP))
        acts = events.journal_of(db, id, "director")
    following = first + SHOWN if found.divisions >= first + SHOWN else 0
    return public_page(
        "event.html",
        event=found,
        divisions=shown,
        entered=entered,
        acts=acts,
        previous=max(1, first - SHOWN) if first > 1 else 0,
        following=following,
    )


def _ladder_page(db: Connection, event: Event) -> Response:
    shown = load_ladder(db, event, application().now())
    acts = events.journal_of(db, event.id, "director")
    return public_page("ladder.html", event=event, ladder=shown, acts=acts)


def event_or_404(db: Connection, id: int) -> Event:
    """The event with this number, if it may be seen."""
    found = events.find_event(db, id)
    if found is None or found.state in (league.NEW, league.VOID):
        raise_not_found(f"There is no event {id}.")
    if found.rules not in application().games_by_key:
        raise_not_found(f"The game of event {id} is not installed here.")
    return found
