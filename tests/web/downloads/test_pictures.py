"""A game as an animation, a postcard and text, and their links."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from hashlib import sha256
from threading import Event
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

from pbem.app import App
from pbem.core.game.journal import SAY
from pbem.web.cache import Busy, Cache
from rules.picture import text
from rules.svg import svg
from tests.amount import some
from tests.web.gallery import stored
from tests.web.library import a_short_game, add, begin, play, the_seeds_game
from tests.web.markup import read

GAMES = ("bagel", "begird", "bipod", "bounders", "hexthing")
WIRE = 60_000


@pytest.fixture
def five(app: App) -> Iterator[App]:
    for key in GAMES:
        stored(app, key)
    yield app


def words(client: FlaskClient, path: str) -> list[str | None]:
    root = ElementTree.fromstring(client.get(path).text)
    return [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]


def passed_on(client: FlaskClient, path: str) -> dict[str, str]:
    """A page's metadata for link previews."""
    page = client.get(path).text
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)">', page))


# ---------------------------------------------------------------------------------------------- film


def test_a_film_shows_every_ply_and_how_the_game_ended(app: App, client: FlaskClient) -> None:
    game = the_seeds_game(app, said="Not for the film.")
    told = words(client, "/games/1.svg")
    plies = [f"{ply.n} · {game.seats[ply.seat].name}: {ply.move}" for ply in game.state.plies]
    assert ["Bipod #1: Bill – Joao", "Before the first move", *plies[:-1], "Bill won: Joao resigned"] == told


def test_a_film_of_a_running_game_ends_with_its_last_ply(app: App, client: FlaskClient) -> None:
    play(app, begin(app), ["f2 f4 g3", "e5 g1"])
    assert ["1 · Bill: f2 f4 g3", "2 · Joao: e5 g1"] == words(client, "/games/1.svg")[-2:]


def test_a_film_leaves_out_what_was_taken_back(app: App, client: FlaskClient) -> None:
    game = play(app, begin(app), ["f2 f4 g3", "e5 g1"])
    add(app, game, "undo", 1, {"to": 3})
    assert ["1 · Bill: f2 f4 g3"] == words(client, "/games/1.svg")[-1:]


@pytest.mark.parametrize("number", some(range(1, 6), 2))
def test_pages_films_and_postcards_of_whole_games_are_light(
    five: App, client: FlaskClient, number: int
) -> None:
    packed = {"Accept-Encoding": "gzip"}
    for path in (f"/games/{number}", f"/games/{number}.svg", f"/games/{number}/postcard.svg"):
        answer = client.get(path, headers=packed)
        assert (200, "gzip") == (answer.status_code, answer.headers["Content-Encoding"])
        assert len(answer.data) < WIRE / 4, path


def test_a_film_is_another_once_somebody_has_played(app: App, client: FlaskClient) -> None:
    game = play(app, begin(app), ["f2 f4 g3"])
    first = client.get("/games/1.svg")
    assert 304 == client.get("/games/1.svg", headers={"If-None-Match": first.headers["ETag"]}).status_code
    play(app, game, ["e5 g1"])
    second = client.get("/games/1.svg", headers={"If-None-Match": first.headers["ETag"]})
    assert 200 == second.status_code
    assert "2 · Joao: e5 g1" in second.text


@pytest.mark.parametrize(
    "path", ["/games/7.svg", "/games/7/postcard.svg", "/games/7/postcard.png", "/games/7/0.txt"]
)
def test_a_game_that_is_not_there_has_no_pictures(client: FlaskClient, path: str) -> None:
    assert 404 == client.get(path).status_code


# ------------------------------------------------------------------------------------------ postcard


def test_a_postcard_has_the_board_the_names_a_stamp_and_a_postmark(app: App, client: FlaskClient) -> None:
    game = a_short_game(app)
    card = client.get("/games/1/postcard.svg").text
    told = words(client, "/games/1/postcard.svg")
    for each in ("Bill", "Anna", "Bipod #1", "BIPOD", "1 MAR", "2026", "pbem.example.org"):
        assert each in told, each
    assert "Anna won as Blocker: " in " ".join(filter(None, told))
    assert "var(" not in card
    drawn = svg(game.state.picture, coordinates=False)
    assert re.findall(r'data-cell="(\w+)"', drawn) == re.findall(r'data-cell="(\w+)"', card)


def test_a_running_game_has_a_stamp_that_no_postmark_has_spoilt(app: App, client: FlaskClient) -> None:
    begin(app)
    card = client.get("/games/1/postcard.svg").text
    assert 'class="stamp"' in card
    assert 'postmark" viewBox' not in card
    assert "Bill is to play move 1" in words(client, "/games/1/postcard.svg")


def test_a_page_says_what_it_shows_where_its_link_is_passed_on(app: App, client: FlaskClient) -> None:
    the_seeds_game(app)
    told = passed_on(client, "/games/1/7")
    assert "Bipod #1: Bill – Joao" == told["og:title"]
    assert "Bill won: Joao resigned." == told["og:description"]
    assert "https://pbem.example.org/games/1/7" == told["og:url"]


# ------------------------------------------------------------------------------------ policy and make


@pytest.mark.parametrize(
    "path", ["/games/1.svg", "/games/1/3.svg", "/games/1/3-small.svg", "/games/1/postcard.svg"]
)
def test_in_a_drawing_by_itself_no_style_works_but_its_own(app: App, client: FlaskClient, path: str) -> None:
    the_seeds_game(app)
    answer = client.get(path)
    (style,) = re.findall(r"<style>(.*?)</style>", answer.text, re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    expected = f"default-src 'none'; style-src 'sha256-{digest}'; frame-ancestors 'none'; sandbox"
    assert expected == answer.headers["Content-Security-Policy"]
    assert "nosniff" == answer.headers["X-Content-Type-Options"]
    known = client.get(path, headers={"If-None-Match": answer.headers["ETag"]})
    assert (304, None) == (known.status_code, known.headers.get("Content-Security-Policy"))


@pytest.mark.parametrize("n", [0, 6, 24])
def test_the_pages_of_all_five_games_are_well_made(five: App, client: FlaskClient, n: int) -> None:
    for number in range(1, 6):
        if client.get(f"/games/{number}/{n}").status_code == 200:
            assert [] == read(client.get(f"/games/{number}/{n}").text).all_problems()
    assert 200 == client.get(f"/games/5/{n}").status_code


# ---------------------------------------------------------------------------------- text and the page


def test_every_board_is_there_in_text(app: App, client: FlaskClient) -> None:
    game = the_seeds_game(app)
    answer = client.get("/games/1/19.txt")
    assert "text/plain; charset=utf-8" == answer.content_type
    assert text(game.state.picture, last=True) + "\n" == answer.text
    assert 404 == client.get("/games/1/20.txt").status_code


def test_a_game_tells_its_turns_as_a_story_and_keeps_every_ply(five: App, client: FlaskClient) -> None:
    page = client.get("/games/5").text
    seen = read(page).text
    assert (
        "Turn 13 White plays 1S to f1, a Sell, and offers a Thing for $41. Black $39, White $37, Black $32,"
        " White $31, Black $27, White $25, Black passes. White sells a Thing for $25. White puts it on f5."
    ) in seen
    assert 80 == len(re.findall(r"data-ply=", page))
    assert "Black's cards 1N 2N 3N 2U 3U 3E 2D 1S 3S" in seen
    assert "Things 0 4" in seen


def test_only_a_game_with_a_story_has_turns(five: App, client: FlaskClient) -> None:
    assert [0, 0, 0, 0, 19] == [client.get(f"/games/{n}").text.count('class="told"') for n in range(1, 6)]


def test_words_after_the_end_are_not_a_reason_for_another_picture_of_before(
    app: App, client: FlaskClient
) -> None:
    game = a_short_game(app)
    before = client.get("/games/1.svg").text
    add(app, game, SAY, 0, {"words": "A fine game."})
    assert before == client.get("/games/1.svg").text


# ------------------------------------------------------------------------------------ kept at hand


def test_what_is_kept_is_made_once_until_there_is_no_room() -> None:
    kept, made = Cache(2), []

    def get(key: str) -> bytes:
        return kept.get(key, lambda: made.append(key) or key.encode())  # type: ignore[func-returns-value]

    assert [b"a", b"b", b"a"] == [get("a"), get("b"), get("a")]
    assert b"c" == get("c")
    assert b"a" == get("a")
    assert ["a", "b", "c"] == made
    get("b")
    assert ["a", "b", "c", "b"] == made


def test_what_fails_to_be_made_is_not_kept() -> None:
    kept = Cache(2)
    with pytest.raises(ZeroDivisionError):
        kept.get("a", lambda: bytes(1 // 0))
    assert b"whole" == kept.get("a", lambda: b"whole")


def test_many_who_ask_at_once_make_it_once() -> None:
    kept, go, made = Cache(2), Event(), []

    def make() -> bytes:
        made.append(1)
        go.wait(60)
        return b"one"

    with ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(kept.get, "a", make) for _ in range(4)]
        go.set()
        assert [b"one"] * 4 == [answer.result(60) for answer in answers]
    assert [1] == made


def test_who_asks_for_many_at_once_keeps_few_places_and_what_is_at_hand_is_given_meanwhile() -> None:
    kept, go, begun = Cache(9), Event(), Event()
    kept.get("at hand", lambda: b"one")

    def make() -> bytes:
        begun.set()
        return b"two" if go.wait(60) else b"late"

    with ThreadPoolExecutor(9) as pool:
        answers = [pool.submit(kept.get, number, make) for number in range(9)]
        try:
            assert begun.wait(60)
            next(each for each in as_completed(answers, 60) if isinstance(each.exception(), Busy))
            assert b"one" == pool.submit(kept.get, "at hand", make).result(60)
        finally:
            go.set()
        ends = [answer.exception(60) for answer in answers]
    assert not all(ends)


def test_a_picture_that_has_to_wait_too_long_is_asked_for_again(app: App, client: FlaskClient) -> None:
    the_seeds_game(app)
    go, drawings = Event(), client.application.extensions["cache"]
    with ThreadPoolExecutor(9) as pool:
        waiting = [pool.submit(drawings.get, number, lambda: bytes(go.wait(60))) for number in range(9)]
        try:
            next(each for each in as_completed(waiting, 60) if isinstance(each.exception(), Busy))
            answer = client.get("/games/1.svg")
        finally:
            go.set()
    assert (503, "10") == (answer.status_code, answer.headers["Retry-After"])
    assert "Many ask just now" in answer.text
    assert 200 == client.get("/games/1.svg").status_code
