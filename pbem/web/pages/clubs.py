"""Pages of players' clubs. Who is signed in makes, joins, leaves and organises them there, as by mail."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask import Response, request

from pbem.commands.invitations import join_page
from pbem.core.clock.time_control import PRESETS, WEEKENDS
from pbem.core.events import league
from pbem.core.events.event import Event
from pbem.core.events.season import Division
from pbem.core.lobby import clubs as lobby_clubs
from pbem.core.lobby.clubs import Club
from pbem.core.players import Player
from pbem.core.redact import without_secrets
from pbem.duties.leagues import load_divisions
from pbem.store import clubs, game_lists, invitations, restores
from pbem.store.engine import Connection
from pbem.web.blueprints import MenuLink, Pages
from pbem.web.pages.preferences import run_orders
from pbem.web.responses import application, lead_to, private_response, public_page, raise_not_found
from pbem.web.viewer import require_viewer, viewer

pages = Pages("clubs", __name__, nav=[MenuLink("/clubs", "Clubs", 44)], sitemap=["/clubs"])

SHOWN = 100
TABLES_SHOWN, DIVISIONS_SHOWN, RESULTS_SHOWN = 4, 2, 10
"""Leagues whose tables a club's page has, divisions of each, and finished games."""
MAX_WORDS = 4000
CLUB_PATH = "/clubs/<key>"
Form = Mapping[str, str]


@pages.get("/clubs")
def all_clubs(status: int = 200, problem: str = "") -> Response:
    after, player = request.args.get("after", "")[:40], viewer()
    with application().store.read() as db:
        found = clubs.list_clubs(db, SHOWN + 1, after)
        mine = clubs.clubs_of_player(db, player.id) if player else []
    facts: dict[str, Any] = {"found": found[:SHOWN], "mine": mine, "after": after, "problem": problem}
    facts |= {"more": found[SHOWN - 1][0].key if len(found) > SHOWN else "", "typed": request.form}
    facts |= {"enabled": application().config.clubs}
    if problem:
        return private_response("clubs.html", status, **facts)
    return public_page("clubs.html", **facts)


@pages.post("/clubs")
def make() -> Response:
    """Make a club by the form of the list."""
    player, form = require_viewer(), request.form
    name, town = (_line(form, each) for each in ("name", "town"))
    status, problem = run_orders(player, "change", [("club", f"new {name}{f', {town}' if town else ''}")])
    return all_clubs(status, problem) if problem else lead_to(f"/clubs/{lobby_clubs.club_key(name)}")


@pages.get(CLUB_PATH)
def club(key: str, status: int = 200, problem: str = "", link: str = "") -> Response:
    player, keys = viewer(), application().games_by_key
    with application().store.read() as db:
        found = club_or_404(db, key)
        members = clubs.members_of(db, found.id)
        events = clubs.events_of_club(db, found.id, keys)
        running = clubs.running_games(db, club=found.id)
        tables = _tables(db, events)
        results = game_lists.results_between(db, keys, [each.player for each in members], RESULTS_SHOWN)
    own = next((each for each in members if player and each.player == player.id), None)
    facts: dict[str, Any] = {
        "club": found,
        "members": members,
        "others": [each for each in events if each not in [shown for shown, _ in tables]],
        "running": running,
        "tables": tables,
        "results": results,
        "own": own,
    }
    facts |= {"shelf": keys, "paces": PRESETS, "entries": lobby_clubs.ENTRIES, "typed": request.form}
    facts |= {"done": request.args.get("done", ""), "problem": problem}
    facts |= {"link": link}
    if problem or link:
        return private_response("club.html", status, **facts)
    return public_page("club.html", **facts)


def _tables(db: Connection, events: Sequence[Event]) -> list[tuple[Event, list[Division]]]:
    """Load the tables of the leagues that run, else of the last one that is over."""
    begun = [each for each in events if each.kind == league.LEAGUE and each.divisions]
    shown = [each for each in begun if each.state != league.OVER][:TABLES_SHOWN] or begun[:1]
    return [(each, load_divisions(db, each, 1, min(each.divisions, DIVISIONS_SHOWN))) for each in shown]


@pages.post(CLUB_PATH)
def order(key: str) -> Response:
    """Carry out one form of a club's page."""
    player, wanted, form = require_viewer(), request.form.get("order", ""), request.form
    with application().store.read() as db:
        found = club_or_404(db, key)
    if wanted in ASKED_ONCE and "sure" not in form:
        return private_response("club_sure.html", club=found, wanted=wanted, name=_line(form, "player"))
    if wanted == "leave":
        return _leave(player, found)
    if wanted not in ORDERS:
        raise_not_found("There is nothing of this name to order.")
    verb, rest = ORDERS[wanted](form, found.name)
    words = without_secrets(form.get("words", "")[:MAX_WORDS].replace("\r\n", "\n").strip())
    status, problem = run_orders(player, "change", [(verb, rest)], words if wanted == "say" else "")
    if problem or wanted == "link":
        return club(key, status, problem, link="" if problem else _newest_link(player))
    return lead_to(f"{found.path}?done={wanted}")


def _newest_link(player: Player) -> str:
    """Return the page of the invitation that the player has just made."""
    with application().store.read() as db:
        number = invitations.newest_code(db, player)
        return join_page(application(), number, restores.restore_epoch(db)) if number else ""


def _leave(player: Player, found: Club) -> Response:
    status, problem = run_orders(player, "change", [("leave", f"club {found.name} yes")])
    return club(found.key, status, problem) if problem else lead_to("/clubs")


def _league(form: Form, name: str) -> tuple[str, str]:
    players = _line(form, "players").replace(",", " ")
    words = [
        "new",
        _line(form, "game"),
        _line(form, "time"),
        WEEKENDS if form.get("weekends") else "",
        "double" if form.get("double") else "",
        f"for {players}" if players else "",
        f"in {name}",
    ]
    return "league", " ".join(" ".join(words).split())


def _line(form: Form, name: str) -> str:
    """A field of a form as one line."""
    return " ".join(form.get(name, "").split())[:200]


ASKED_ONCE = ("leave", "remove")
"""Forms that take something away, so that a page asks before."""
ORDERS: Mapping[str, Callable[[Form, str], tuple[str, str]]] = {
    "join": lambda form, name: ("club", f"join {name}"),
    "set": lambda form, name: ("club", f"set {_line(form, 'entry')} in {name}"),
    "town": lambda form, name: ("club", f"set town {_line(form, 'town')} in {name}"),
    "invite": lambda form, name: ("club", f"invite {_line(form, 'player')} in {name}"),
    "link": lambda _form, name: ("club", f"invite in {name}"),
    "organiser": lambda form, name: ("club", f"organiser {_line(form, 'player')} in {name}"),
    "remove": lambda form, name: ("club", f"remove {_line(form, 'player')} in {name} yes"),
    "say": lambda form, name: ("club", f"say in {name}"),
    "simul": lambda form, name: (
        "simul",
        f"{_line(form, 'boards')} {_line(form, 'game')} {_line(form, 'time')} in {name}",
    ),
    "league": _league,
    "ladder": lambda form, name: (
        "ladder",
        " ".join(f"new {_line(form, 'game')} {_line(form, 'time')} in {name}".split()),
    ),
    "match": lambda form, name: (
        "match",
        f"new {_line(form, 'game')} against {_line(form, 'other')} in {name}",
    ),
    "start": lambda form, name: ("league", f"start {_line(form, 'game')} in {name}"),
}
"""The command of each form, and the words behind it."""


def club_or_404(db: Connection, key: str) -> Club:
    return clubs.club_by_key(db, key[:40]) or raise_not_found("There is no club of this name.")
