"""Players' words on a game's page and on further pages, in bounds."""

from __future__ import annotations

import gzip
import re
from datetime import timedelta

import pytest
from flask.testing import FlaskClient

from pbem.app import App
from pbem.core.game.game import Game
from pbem.core.game.journal import SAY, TAKEBACK, TAKEBACK_OFFER, Entry
from pbem.store import games
from pbem.web.replay import MAX_ON_A_GAME_PAGE, MAX_ON_A_PAGE, Remark, entries_on_page, page_of_remarks
from tests.people import NOON
from tests.web.library import add, begin, play, the_seeds_game
from tests.web.markup import read

LONG = "The rain fell in torrents, except at occasional intervals. " * 66
DAY_2, HOUR = NOON + timedelta(days=1), timedelta(hours=1)


def remark(entry: int, after: int, length: int = 0) -> Remark:
    return Remark(entry, after, "Bill", "x" * length, NOON, n=entry)


def a_talk(app: App, much: int) -> Game:
    """A game of four plies with many words after ply 2, Bill's."""
    game = play(app, begin(app), ["f2", "g3"], {1: "Hello, Joao!", 2: "Hello, Bill!"})
    entries = [
        Entry(
            len(game.journal) + n, NOON + timedelta(days=1, hours=n), SAY, 0, {"words": f"Page {n}. {LONG}"}
        )
        for n in range(1, much + 1)
    ]
    after = game.with_entries(entries)
    with app.store.write() as db:
        games.append_entries(db, game, after.state, entries)
    return play(app, after, ["k3", "l2"], {3: "Where were we?", 4: "Move four, I think."})


def text(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert 200 == answer.status_code
    return read(answer.text).text


def test_all_that_was_said_stands_on_the_page_of_a_usual_game(app: App, client: FlaskClient) -> None:
    the_seeds_game(app, {1: "Good luck!", 4: "Quick & bold!"}, said="Are you sure?")
    page = client.get("/games/1").text
    for words in ("Good luck!", "Quick &amp; bold!", "Are you sure?", "Well played."):
        assert words in page
    assert "/words" not in page


def test_the_page_of_a_game_has_the_newest_words_and_leads_to_the_others(
    app: App, client: FlaskClient
) -> None:
    a_talk(app, 60)
    answer = client.get("/games/1")
    shown = re.findall(r"Page (\d+)\.", answer.text)
    assert ["57", "58", "59", "60"] == shown
    assert len(answer.data) < 3 * MAX_ON_A_GAME_PAGE
    page = read(answer.text)
    assert "Where were we?" in page.text
    assert "Hello, Joao!" not in page.text
    assert [link for link in page.links if "/words" in link] == [
        "/games/1/words?from=1",
        "/games/1/words?from=2",
    ]


def test_the_words_at_a_ply_stand_on_its_page_before_newer_ones(app: App, client: FlaskClient) -> None:
    a_talk(app, 60)
    assert "Hello, Joao!" in text(client, "/games/1/1")
    assert "Hello, Bill!" not in text(client, "/games/1/2")  # later words fill the page
    assert "Page 60." in text(client, "/games/1/2")


def test_the_page_of_a_game_is_small_over_the_wire_however_much_was_said(
    app: App, client: FlaskClient
) -> None:
    a_talk(app, 100)
    packed = client.get("/games/1", headers={"Accept-Encoding": "gzip"}).data
    assert b"Page 100." in gzip.decompress(packed)
    assert len(packed) < 60_000


def test_pages_of_words_have_every_word_once_and_lead_to_each_other(app: App, client: FlaskClient) -> None:
    a_talk(app, 60)
    path, seen, pages = "/games/1/words", [], []
    while path:
        answer = client.get(path)
        assert len(answer.data) < 2 * MAX_ON_A_PAGE
        seen += re.findall(r"Page (\d+)\.", answer.text)
        pages.append(path)
        found = re.search(r'rel="next" href="([^"]+)"', answer.text)
        path = found[1] if found else ""
    assert [str(n) for n in range(1, 61)] == seen
    assert len(pages) == 7
    back = re.search(r'rel="prev" href="([^"]+)"', client.get(pages[-1]).text)
    assert back is not None
    assert pages[-2] == back[1]


def test_a_page_of_words_says_who_said_them_and_when(app: App, client: FlaskClient) -> None:
    the_seeds_game(app, {1: "Good luck!"}, said="Are you sure?")
    words = text(client, "/games/1/words")
    assert "Bill, with move 1, f2 f4 g3, " in words
    assert "Good luck!" in words
    assert "Bill, after move 8, " in words
    assert "Joao, after move 19, " in words


def test_words_with_a_ply_that_was_taken_back_are_there_too(app: App, client: FlaskClient) -> None:
    game = play(app, begin(app), ["f2"], {1: "Oh no!"})
    game = add(app, game, TAKEBACK_OFFER, 0, {"to": 2})
    add(app, game, TAKEBACK, 1, {"to": 2})
    assert "with move 1, f2, which was taken back" in text(client, "/games/1/words")
    assert "Oh no!" in text(client, "/games/1")


def test_where_nothing_was_said_a_page_says_so(app: App, client: FlaskClient) -> None:
    begin(app)
    assert "Nothing was said." in text(client, "/games/1/words")
    assert 404 == client.get("/games/2/words").status_code


@pytest.mark.parametrize("first", ["", "x", "-1", "999", "1e9", "%00"])
def test_a_page_of_words_that_is_not_there_is_no_error(app: App, client: FlaskClient, first: str) -> None:
    the_seeds_game(app, {1: "Good luck!"})
    assert 200 == client.get(f"/games/1/words?from={first}").status_code


def test_markup_and_mail_addresses_in_words_are_neither_shown_as_such(app: App, client: FlaskClient) -> None:
    play(app, begin(app), ["f2"], {1: "<script>alert(1)</script> bill@example.org"})
    page = client.get("/games/1/words").text
    assert "&lt;script&gt;" in page
    assert "bill@example.org" not in page


def test_records_feeds_and_data_have_every_word(app: App, client: FlaskClient) -> None:
    a_talk(app, 60)
    data = client.get("/games/1.json").json
    assert data is not None
    assert 60 == len(data["said"])
    assert "Hello, Joao!" in client.get("/games/1.game").text
    assert "Hello, Joao!" in client.get("/feeds/games/1.atom").text
    assert 60 == len(client.get("/api/games/1").get_json()["said"])


def test_a_thousand_short_remarks_are_bounded_as_long_ones_are() -> None:
    many = [remark(n, 0, 1) for n in range(1, 1001)]
    assert 198 == len(entries_on_page(many, 5))
    assert 396 == len(page_of_remarks(many, 0).remarks)


def test_one_remark_longer_than_a_page_is_a_page() -> None:
    remarks = [remark(1, 0, 10), remark(2, 0, MAX_ON_A_PAGE), remark(3, 0, 10)]
    found = page_of_remarks(remarks, 2)
    assert ([2], 1, 3) == ([each.entry for each in found.remarks], found.older, found.newer)
    assert 2 == page_of_remarks(remarks, 3).older
