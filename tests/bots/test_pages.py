"""Bots on the web, in records, and for the operator."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest
from flask.testing import FlaskClient

from pbem.app import App
from pbem.bots import playing
from pbem.bots.playing import play_one
from pbem.core.records.record import tags_of
from pbem.store import bots
from pbem.web import create_app
from tests.apps import BILL, SERVER, Clock, load, moves, player, register, reply, writes
from tests.bots.test_lobby import play_and_resign
from tests.bots.test_playing import answer
from tests.web.library import PUBLIC
from tests.web.signing_in import SITE, send, sign_in


@pytest.fixture
def client(app: App) -> Iterator[FlaskClient]:
    with create_app(app).test_client() as client:
        yield client


@pytest.fixture
def app_config(app_config: Mapping[str, str]) -> Mapping[str, str]:
    return {**app_config, **PUBLIC, "PBEM_HOST": "localhost", "PBEM_AUTHSERV": SERVER}


def text_of(client: FlaskClient, path: str) -> str:
    answered = client.get(path, base_url=SITE)
    assert 200 == answered.status_code
    return " ".join(answered.text.split())


def test_a_game_against_a_bot_begins_by_one_click(app: App, client: FlaskClient) -> None:
    register(app, BILL, "Bill")
    sign_in(app, client)
    for path in ("/", "/seeks", "/rules/bipod"):
        assert 'value="challenge bot3 bipod"' in text_of(client, path)
    sent = send(client, "/lobby", "/", order="challenge bot3 bipod")
    assert (303, "/games/1") == (sent.status_code, sent.headers["Location"])
    assert {"Bill", "bot3"} == {seat.name for seat in load(app).seats}


@pytest.mark.parametrize("order", ["challenge bot9 bipod", "challenge Joao bipod", "challenge bot1 cheese"])
def test_any_other_order_of_this_kind_begins_nothing(app: App, client: FlaskClient, order: str) -> None:
    register(app, BILL, "Bill")
    sign_in(app, client)
    assert 400 <= send(client, "/lobby", "/", order=order).status_code < 500


def test_pages_say_that_a_bot_is_a_computer(app: App, client: FlaskClient) -> None:
    play_and_resign(app, "bot1 bounders size=5 rated")
    assert "bot1, computer" in text_of(client, "/players/bot1")
    assert "level 1 of 5" in text_of(client, "/players/bot1")
    assert "bot1, computer" in text_of(client, "/games/1")
    assert "bot1, computer" in text_of(client, "/games")
    standings = text_of(client, "/standings/bounders")
    assert "Computer players" in standings
    assert "No two people have finished a game yet" in standings
    assert "No bot plays in a rated game of people" in text_of(client, "/rules")
    assert client.get("/api/players/bot1").json["computer"] is True
    assert client.get("/api/players/Bill").json["computer"] is False


def test_a_record_says_which_seat_was_a_computer(app: App) -> None:
    reply(app, BILL, register(app, BILL, "Bill"), "challenge bot1 bipod first")
    assert "second" == tags_of(load(app), "localhost", None)["Computer"]


def fail(app: App, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bill's game against a bot that cannot read the position."""

    def fails(*_: object, **__: object) -> object:
        raise ZeroDivisionError

    reply(app, BILL, register(app, BILL, "Bill"), "challenge bot1 bipod first")
    writes(app, BILL, "f2")
    with monkeypatch.context() as patch:
        patch.setattr(playing, "find_move", fails)
        for _ in range(bots.MAX_TRIES + 1):
            play_one(app)
            clock.pass_by(minutes=1)


def test_a_game_put_aside_is_told_to_the_operator_who_has_it_tried_again(
    app: App, clock: Clock, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail(app, clock, monkeypatch)
    assert {"games_put_aside": 1, "jobs_failed": 0} == client.get("/status").json["bots"]
    assert 'pbem_bots_put_aside{what="games"} 1' in client.get("/metrics").text
    answer(app)
    assert 1 == len(moves(app))
    with app.store.write() as db:
        assert [1] == bots.games_put_aside(db, app.clock())
        bots.retry_games(db, [1], app.now())
    answer(app)
    assert 2 == len(moves(app))
    assert 0 == client.get("/status").json["bots"]["games_put_aside"]
    assert player(app, "bot1").bot


def test_no_words_are_asked_for_that_a_bot_would_get(app: App, client: FlaskClient) -> None:
    register(app, BILL, "Bill")
    writes(app, BILL, "challenge bot1 bipod first")
    sign_in(app, client)
    page = text_of(client, "/games/1")
    assert "Offer a draw, undo, plan, resign" in page
    assert 'name="words"' not in page
    writes(app, BILL, "resign yes")
    assert "Play again" in text_of(client, "/games/1")
    assert "Write to bot1" not in text_of(client, "/games/1")


def test_a_move_against_a_bot_is_followed_by_a_look_at_its_answer(app: App, client: FlaskClient) -> None:
    register(app, BILL, "Bill")
    writes(app, BILL, "challenge bot1 bipod first")
    sign_in(app, client)
    page = client.get("/games/1", base_url=SITE).text
    found = re.search(r'action="(/games/1/compose/[^"]+)"', page)
    assert found
    number = re.search(r'name="number" value="([0-9a-f]+)"', page[found.end() :])
    assert number
    sent = send(client, found[1], "/games/1", do="send", move="f2 f4", number=number[1])
    made = text_of(client, sent.headers["Location"])
    assert "Has bot1 moved? Look again" in made
    assert "You sent" not in made
    answer(app)
    assert "bot1 has answered already" in text_of(client, sent.headers["Location"])
    assert "Look again" not in text_of(client, sent.headers["Location"])
    assert "It is your turn</strong>: move 3" in text_of(client, "/games/1")
