"""Atom feeds (RFC 4287), `robots.txt` and the sitemap.

A feed has a limited length, newest first. An entry's id is a tag (RFC 4151) with the date on which the game
began, so it stays the same if the server's address changes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from flask import Blueprint, Response, render_template, request

from pbem.core.game.game import Game
from pbem.store import game_lists, players
from pbem.store.game_lists import ListedGame
from pbem.store.game_search import GameQuery
from pbem.web.frames import outcome
from pbem.web.pages.games import GAME, about
from pbem.web.responses import application, missing, public, rules_of
from pbem.web.search_form import question
from pbem.web.versions import version_query

pages = Blueprint("syndication", __name__)

LATEST = 30
"""Longest feed in entries."""
SHEET = 10_000
"""Game numbers in a part of the sitemap. The protocol allows 50,000 addresses."""
ATOM = "application/atom+xml; charset=utf-8"
XML = "application/xml; charset=utf-8"

NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

KEEP_OUT = (
    *("/settings", "/mailroom", "/calendar/", "/unsubscribe/", "/mail/", "/games/*/compose", "/study/"),
    "/api/",
)
"""Paths closed to robots."""
SITES = ("/", "/games", "/players", "/standings", "/seeks", "/rules", "/study", "/api")


@dataclass(frozen=True)
class Feed:
    """The head of a feed: its title, its path, and its page."""

    title: str
    path: str
    page: str


@pages.get("/feeds/games.atom")
def all_games() -> Response:
    """The newest games, of a search if the query has one."""
    with application().store.read() as db:
        asked = question(db, application().games_by_key.rules, request.args)
        if asked.problem:
            missing(asked.problem)
        page = game_lists.page_of_games(db, application().games_by_key, asked.wanted, most=LATEST)
    query = f"?{urlencode(asked.here)}" if asked.here else ""
    title = "Games found" if query else "Games begun"
    return _of_games(Feed(title, f"/feeds/games.atom{query}", f"/games{query}"), page.games)


@pages.get("/feeds/results.atom")
def results() -> Response:
    """The newest results."""
    with application().store.read() as db:
        found = game_lists.newest_results(db, application().games_by_key, LATEST)
    return _of_games(Feed("Results", "/feeds/results.atom", "/games?state=finished"), found)


@pages.get("/feeds/rules/<key>.atom")
def of_rules(key: str) -> Response:
    """The newest results of one kind of game."""
    rules = rules_of(key)
    with application().store.read() as db:
        page = game_lists.page_of_games(
            db, application().games_by_key, GameQuery(rules=key, order="ended"), most=LATEST
        )
    return _of_games(
        Feed(f"Results of {rules.name}", f"/feeds/rules/{key}.atom", f"/rules/{key}"), page.games
    )


@pages.get("/feeds/players/<name>.atom")
def of_player(name: str) -> Response:
    """A player's newest games."""
    with application().store.read() as db:
        player = players.player_by_name(db, name) or missing(f"Nobody is called {name} here.")
        leaf = game_lists.page_of_games(
            db, application().games_by_key, GameQuery(player=player.id), most=LATEST
        )
    page = f"/players/{player.name}"
    return _of_games(Feed(f"Games of {player.name}", f"/feeds{page}.atom", page), leaf.games)


def _of_games(feed: Feed, games: tuple[ListedGame, ...]) -> Response:
    changed = max((game.changed_at for game in games), default=None)
    return _written("feeds/games.xml", changed, feed=feed, games=games, updated=changed)


@pages.get(f"/feeds{GAME}.atom")
def of_game(id: int) -> Response:
    """The plies of a game, newest first."""

    def write(game: Game, version: str) -> Response:
        facts = {
            "plies": game.state.plies[: -LATEST - 1 : -1],
            "outcome": outcome(game),
            "pin": version_query(version),
        }
        xml = render_template("feeds/plies.xml", game=game, **facts)
        return Response(_clean(xml), content_type=ATOM)

    return about(id, "atom", write)


@pages.get("/robots.txt")
def robots() -> Response:
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in KEEP_OUT)]
    lines += ["", f"Sitemap: {application().config.site}/sitemap.xml", ""]
    return public(lambda: Response("\n".join(lines), content_type="text/plain; charset=utf-8"))


@pages.get("/sitemap.xml")
def sitemap() -> Response:
    """The sitemap's parts: fixed pages, and games by number."""
    with application().store.read() as db:
        newest = game_lists.newest_game_id(db)
    parts = ["pages", *(f"games-{n}" for n in range(newest // SHEET + 1 if newest else 0))]
    return _written("feeds/sitemaps.xml", None, type=XML, parts=parts)


@pages.get("/sitemap/pages.xml")
def sitemap_of_pages() -> Response:
    paths = [*SITES, *(f"/{kind}/{key}" for kind in ("rules", "standings") for key in application().offered)]
    return _written("feeds/sitemap.xml", None, type=XML, addresses=[(path, None) for path in paths])


@pages.get("/sitemap/games-<int(max=99999999):part>.xml")
def sitemap_of_games(part: int) -> Response:
    with application().store.read() as db:
        found = game_lists.changed_by_number(db, application().games_by_key, part * SHEET, (part + 1) * SHEET)
    if not found:
        missing("There are no games of these numbers.")
    addresses = [(f"/games/{id}", changed) for id, changed in found]
    return _written("feeds/sitemap.xml", max(at for _, at in found), type=XML, addresses=addresses)


def _clean(xml: str) -> str:
    """The text with characters replaced that XML forbids (XML 1.0, 2.2).

    One such character makes the whole feed unreadable.
    """
    return NO_XML.sub("\ufffd", xml)


def _written(template: str, changed: datetime | None, type: str = ATOM, **facts: object) -> Response:
    return public(
        lambda: Response(_clean(render_template(template, **facts)), content_type=type), changed_at=changed
    )
