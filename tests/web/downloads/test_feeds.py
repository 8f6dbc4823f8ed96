"""Feeds, robots.txt and the sitemap, read by parsers."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

from pbem.app import App
from pbem.core.paper import Week
from pbem.duties.paper import make_issue
from tests.web.library import a_short_game, add, begin, the_seeds_game
from tests.web.puzzle_boards import add_puzzle_game

ATOM = "{http://www.w3.org/2005/Atom}"
XHTML = "{http://www.w3.org/1999/xhtml}"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
FEEDS = (
    "/feeds/games.atom",
    "/feeds/games.atom?player=bill&state=finished",
    "/feeds/results.atom",
    "/feeds/rules/bipod.atom",
    "/feeds/players/joao.atom",
    "/feeds/games/1.atom",
    "/puzzles/feed",
    "/paper/feed",
)


def tree(client: FlaskClient, path: str) -> ElementTree.Element:
    answer = client.get(path)
    assert 200 == answer.status_code, path
    return ElementTree.fromstring(answer.get_data())


def texts(element: ElementTree.Element, path: str) -> list[str]:
    return [found.text or "" for found in element.iterfind(path)]


@pytest.mark.parametrize("path", FEEDS)
def test_a_feed_has_what_every_atom_feed_must_have(app: App, client: FlaskClient, path: str) -> None:
    """Required by RFC 4287, 4.1.1 and 4.1.2.

    One id, title and updated each; authors; a self link; all ids different.
    """
    the_seeds_game(app)
    add_puzzle_game(app)
    make_issue(app, Week(2026, 10))
    answer = client.get(path)
    assert "application/atom+xml; charset=utf-8" == answer.headers["Content-Type"]
    feed = tree(client, path)
    assert f"{ATOM}feed" == feed.tag
    entries = feed.findall(f"{ATOM}entry")
    assert entries
    for element in (feed, *entries):
        assert [1, 1, 1] == [len(element.findall(f"{ATOM}{name}")) for name in ("id", "title", "updated")]
    own = f"{ATOM}author/{ATOM}name"
    assert texts(feed, own) or all(texts(entry, own) for entry in entries)
    ids = texts(feed, f"{ATOM}entry/{ATOM}id")
    assert len(set(ids)) == len(ids)
    (self,) = (link.get("href") for link in feed.findall(f"{ATOM}link") if link.get("rel") == "self")
    assert f"https://pbem.example.org{path}" == self.replace("Bill", "bill").replace("Joao", "joao")


@pytest.mark.parametrize("path", FEEDS)
def test_who_has_a_feed_already_gets_a_few_bytes(app: App, client: FlaskClient, path: str) -> None:
    the_seeds_game(app)
    add_puzzle_game(app)
    first = client.get(path)
    again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (304, b"") == (again.status_code, again.get_data())
    assert first.headers["Last-Modified"]


def test_a_game_s_feed_has_its_plies_and_its_end_newest_first(app: App, client: FlaskClient) -> None:
    game = the_seeds_game(app)
    feed = tree(client, "/feeds/games/1.atom")
    last = game.state.plies[-1]
    titles = texts(feed, f"{ATOM}entry/{ATOM}title")
    assert game.state.ending is not None
    assert [game.state.ending.reason, f"{last.n}. {last.move}"] == titles[:2]
    assert f"https://pbem.example.org/games/1/{last.n}" in [
        link.get("href") for link in feed.iterfind(f"{ATOM}entry/{ATOM}link")
    ]


@pytest.mark.parametrize("path", ["/feeds/results.atom", "/feeds/games.atom", "/feeds/games/1.atom"])
def test_a_feed_names_the_winner_once(app: App, client: FlaskClient, path: str) -> None:
    a_short_game(app)
    told = texts(tree(client, path), f".//{XHTML}p")
    assert [words for words in told if words.startswith("Anna won as Blocker: ")]


def test_what_a_player_says_stays_text_and_addresses_in_it_are_left_out(
    app: App, client: FlaskClient
) -> None:
    game = begin(app)
    words = "<script>alert(1)</script> write to bill@example.org"
    add(app, game, "ply", 0, {"move": "f2", "comment": words})
    raw = client.get("/feeds/games/1.atom").get_data(as_text=True)
    assert "<script>" not in raw
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in raw
    assert "bill@example.org" not in raw


def test_words_with_signs_that_no_xml_holds_spoil_no_feed(app: App, client: FlaskClient) -> None:
    add(app, begin(app), "ply", 0, {"move": "f2", "comment": "a\x0bb\x00c\ufffed\uffffe\ud800f"})
    assert "a�b�c�d�e�f" in texts(tree(client, "/feeds/games/1.atom"), f".//{XHTML}p")


def test_a_feed_does_not_count_what_is_hidden(app: App, client: FlaskClient) -> None:
    game = add(app, begin(app), "ply", 0, {"move": "f2"})
    before = client.get("/feeds/games/1.atom").get_data()
    add(app, game, "plan", 0, {"plan": [{"if": "e5", "then": ["g3"], "next": []}]})
    assert before == client.get("/feeds/games/1.atom").get_data()


@pytest.mark.parametrize(
    "path",
    [
        "/feeds/games/7.atom",
        "/feeds/players/nobody.atom",
        "/feeds/rules/chess.atom",
        "/feeds/games.atom?game=go",
    ],
)
def test_a_feed_of_nothing_is_not_found(client: FlaskClient, path: str) -> None:
    assert 404 == client.get(f"/feeds/{path}").status_code


def test_an_empty_archive_has_feeds_too(client: FlaskClient) -> None:
    assert [] == tree(client, "/feeds/results.atom").findall(f"{ATOM}entry")


def test_pages_say_where_their_feeds_are(app: App, client: FlaskClient) -> None:
    the_seeds_game(app)
    for page, feed in (("/", "results"), ("/games", "games"), ("/games/1", "games/1")):
        link = '<link rel="alternate" type="application/atom+xml"'
        assert link in client.get(page).text
        assert f'href="/feeds/{feed}.atom"' in client.get(page).text


def test_robots_are_kept_from_what_is_private_and_shown_the_sitemap(client: FlaskClient) -> None:
    lines = client.get("/robots.txt").text.splitlines()
    assert "User-agent: *" == lines[0]
    for path in ("/settings", "/calendar/", "/unsubscribe/", "/mailroom", "/games/*/compose", "/api/"):
        assert f"Disallow: {path}" in lines
    assert "Sitemap: https://pbem.example.org/sitemap.xml" == lines[-1]


def test_the_sitemap_leads_to_every_page_that_is_there(app: App, client: FlaskClient) -> None:
    the_seeds_game(app)
    begin(app)
    site = "https://pbem.example.org"
    parts = texts(tree(client, "/sitemap.xml"), f"{MAP}sitemap/{MAP}loc")
    assert [f"{site}/sitemap/pages.xml", f"{site}/sitemap/games-0.xml"] == parts
    found = [
        address
        for part in parts
        for address in texts(tree(client, part.removeprefix(site)), f"{MAP}url/{MAP}loc")
    ]
    assert {f"{site}/", f"{site}/rules/bipod", f"{site}/games/1", f"{site}/games/2"} <= set(found)
    for address in found:
        assert 200 == client.get(address.removeprefix(site)).status_code, address
    assert 404 == client.get("/sitemap/games-1.xml").status_code
