"""Atom feeds (RFC 4287), players' calendars, `robots.txt` and the sitemap.

An entry's id is a tag (RFC 4151) with a date, so it stays the same if the server's address changes.
"""

import re
from datetime import datetime
from hashlib import sha256

from flask import Response, render_template, request

from pbem.core.events import ladder
from pbem.core.game.game import Game
from pbem.duties.leagues import event_dates
from pbem.duties.reminders import calendar_feed
from pbem.mail.outbound.calendar import ics_of_event
from pbem.store import game_lists, papers, players, puzzles
from pbem.store.engine import Connection
from pbem.store.game_lists import ListedGame
from pbem.store.game_search import GameQuery
from pbem.web.blueprints import MenuLink, Pages, all_pages
from pbem.web.filters import url_with_query
from pbem.web.pages.events import EVENT_PATH, event_or_404, file_name
from pbem.web.pages.games import GAME_PATH, game_response
from pbem.web.replay import outcome
from pbem.web.responses import application, public_response, raise_not_found, rules_of
from pbem.web.search_form import read_search

pages = Pages(
    "syndication",
    __name__,
    robots=["/calendar/"],
    nav=[
        MenuLink("/feeds/games.atom", "Feed of all games (Atom)", 10, "foot"),
        MenuLink("/feeds/results.atom", "Feed of results", 20, "foot"),
        MenuLink("/puzzles/feed", "Feed of puzzles", 25, "foot"),
        MenuLink("/paper/feed", "Feed of papers", 27, "foot"),
    ],
    rates=dict.fromkeys(
        (
            "all_games",
            "results",
            "of_rules",
            "of_player",
            "of_game",
            "of_event",
            "calendar_of_event",
            "of_puzzles",
            "of_papers",
        ),
        "feed",
    ),
)

FEED_ENTRIES = 30
SITEMAP_GAMES = 10_000
"""Game numbers in a part of the sitemap. The protocol allows 50,000 addresses."""
ATOM = "application/atom+xml; charset=utf-8"
XML = "application/xml; charset=utf-8"

INVALID_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@pages.get("/feeds/games.atom")
def all_games() -> Response:
    """The newest games, of a search if the query has one."""
    with application().store.read() as db:
        asked = read_search(db, application().games_by_key, request.args)
        if asked.problem:
            raise_not_found(asked.problem)
        found = _newest_games(db, asked.wanted)
    title = "Games found" if asked.here else "Games begun"
    path, page = (url_with_query(path, asked.here) for path in ("/feeds/games.atom", "/games"))
    return _games_feed(title, path, page, found)


@pages.get("/feeds/results.atom")
def results() -> Response:
    with application().store.read() as db:
        found = game_lists.newest_results(db, application().games_by_key, FEED_ENTRIES)
    return _games_feed("Results", "/feeds/results.atom", "/games?state=finished", found)


@pages.get("/feeds/rules/<key>.atom")
def of_rules(key: str) -> Response:
    rules = rules_of(key)
    with application().store.read() as db:
        found = _newest_games(db, GameQuery(rules=key, order="ended"))
    return _games_feed(f"Results of {rules.name}", f"/feeds/rules/{key}.atom", f"/rules/{key}", found)


@pages.get("/feeds/players/<name>.atom")
def of_player(name: str) -> Response:
    with application().store.read() as db:
        player = players.player_by_name(db, name) or raise_not_found(f"Nobody is called {name} here.")
        found = _newest_games(db, GameQuery(player=player.id))
    page = f"/players/{player.name}"
    return _games_feed(f"Games of {player.name}", f"/feeds{page}.atom", page, found)


@pages.get("/feeds/events/<int(max=999999999999):id>.atom")
def of_event(id: int) -> Response:
    with application().store.read() as db:
        event = event_or_404(db, id)
        found = game_lists.results_of_event(db, application().games_by_key, id, FEED_ENTRIES)
    title = f"Results of the {event.title}"
    return _games_feed(title, f"/feeds/events/{id}.atom", f"/events/{id}", found)


@pages.get(f"{EVENT_PATH}.ics")
def calendar_of_event(id: int) -> Response:
    """The dates of a season or a match for calendar programs."""
    config = application().config
    with application().store.read() as db:
        event = event_or_404(db, id)
        if event.kind == ladder.LADDER:
            raise_not_found(f"The {event.title} has no dates.")
        dates = event_dates(db, event)
    made = ics_of_event(event.title, dates, config.host, f"{config.site}/events/{id}")

    def make() -> Response:
        answer = Response(made, content_type="text/calendar; charset=utf-8")
        answer.headers["Content-Disposition"] = f'inline; filename="{file_name(event)}.ics"'
        return answer

    return public_response(make, changed_at=dates[0].changed_at)


def _newest_games(db: Connection, query: GameQuery) -> tuple[ListedGame, ...]:
    return game_lists.page_of_games(db, application().games_by_key, query, most=FEED_ENTRIES).games


def _games_feed(title: str, path: str, page: str, games: tuple[ListedGame, ...]) -> Response:
    changed = max((game.changed_at for game in games), default=None)
    return _xml_response(
        "feeds/games.xml", changed, title=title, path=path, page=page, games=games, updated=changed
    )


@pages.get(f"/feeds{GAME_PATH}.atom")
def of_game(id: int) -> Response:

    def write(game: Game, pin: str) -> Response:
        plies = game.state.plies[: -FEED_ENTRIES - 1 : -1]
        return _render_xml("feeds/plies.xml", ATOM, game=game, plies=plies, pin=pin, outcome=outcome(game))

    return game_response(id, "atom", write)


@pages.get("/puzzles/feed")
def of_puzzles() -> Response:
    """The newest puzzles of all games, without their answers."""
    known = application().games_by_key
    with application().store.read() as db:
        found = puzzles.list_puzzles(db, list(known), FEED_ENTRIES)[:FEED_ENTRIES]
    changed = max((each.puzzle.created_at for each in found if each.puzzle.created_at), default=None)
    return _xml_response("feeds/puzzles.xml", changed, puzzles=found, games=known, updated=changed)


@pages.get("/paper/feed")
def of_papers() -> Response:
    """The newest Saturday papers that say something."""
    with application().store.read() as db:
        found = papers.newest_issues(db, FEED_ENTRIES)
    changed = max((each.made_at for each in found), default=None)
    return _xml_response("feeds/papers.xml", changed, papers=found, updated=changed)


@pages.get("/calendar/<token>.ics")
def calendar(token: str) -> Response:
    """A player's deadlines for calendar programs. The token alone proves who asks."""
    found = calendar_feed(application(), token)
    if found is None:
        raise_not_found(
            "This calendar is not one of ours, or not any more. An answer with `set` brings its address."
        )
    answer = Response(found, content_type="text/calendar; charset=utf-8")
    answer.headers["Content-Disposition"] = 'inline; filename="turns.ics"'
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.headers["X-Robots-Tag"] = "noindex, nofollow"
    answer.set_etag(sha256(found).hexdigest()[:20])
    return answer.make_conditional(request)  # type: ignore[return-value]


@pages.get("/robots.txt")
def robots() -> Response:
    lines = ["User-agent: *", *(f"Disallow: {path}" for pages in all_pages() for path in pages.robots)]
    lines += ["", f"Sitemap: {application().config.site}/sitemap.xml", ""]
    return public_response(lambda: Response("\n".join(lines), content_type="text/plain; charset=utf-8"))


@pages.get("/sitemap.xml")
def sitemap() -> Response:
    """The sitemap's parts: fixed pages, and games by number."""
    with application().store.read() as db:
        newest = game_lists.newest_game_id(db)
    parts = ["pages", *(f"games-{n}" for n in range(newest // SITEMAP_GAMES + 1 if newest else 0))]
    return _xml_response("feeds/sitemaps.xml", None, type=XML, parts=parts)


@pages.get("/sitemap/pages.xml")
def sitemap_of_pages() -> Response:
    rows = [path for each in all_pages() for path in each.sitemap]
    paths = [path.replace("{game}", key) for path in rows for key in application().offered]
    addresses = [(path, None) for path in dict.fromkeys(paths)]
    return _xml_response("feeds/sitemap.xml", None, type=XML, addresses=addresses)


@pages.get("/sitemap/games-<int(max=99999999):part>.xml")
def sitemap_of_games(part: int) -> Response:
    with application().store.read() as db:
        found = game_lists.changed_by_number(
            db, application().games_by_key, part * SITEMAP_GAMES, (part + 1) * SITEMAP_GAMES
        )
    if not found:
        raise_not_found("There are no games of these numbers.")
    addresses = [(f"/games/{id}", changed) for id, changed in found]
    return _xml_response("feeds/sitemap.xml", max(at for _, at in found), type=XML, addresses=addresses)


def _render_xml(template: str, type: str, **facts: object) -> Response:
    """Render a template as XML. Signs that XML forbids (2.2) are left out; feeds would break."""
    return Response(INVALID_XML.sub("\ufffd", render_template(template, **facts)), content_type=type)


def _xml_response(template: str, changed: datetime | None, type: str = ATOM, **facts: object) -> Response:
    return public_response(lambda: _render_xml(template, type, **facts), changed_at=changed)
