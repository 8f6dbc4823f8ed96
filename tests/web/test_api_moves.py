"""`POST /api/games/42/moves`: a program moves by the same door as a mail."""

from __future__ import annotations

import json
import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from werkzeug.test import TestResponse

from pbem.app import App
from pbem.core.game.game import Game
from pbem.mail.addresses import Token
from pbem.mail.person.mailbox import new_mail
from pbem.store import inbox, players
from pbem.web import create_app
from pbem.web.security import LIMITS
from tests.apps import BILL, JOAO, mail, moves, player
from tests.apps import letters as letters_to
from tests.web.library import BLOCKED, SMALL, add, begin, play


def token_of(app: App, game: Game, seat: int = 0, since: int | None = None) -> str:
    """The token of the newest letter's link."""
    entry = len(game.open_entries) if since is None else since
    return app.addressing.sign_token(Token("game", (game.id, seat, entry, game.seats[seat].epoch)))


def move(client: FlaskClient, token: str, text: str, game: int = 1, **fields: Any) -> TestResponse:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return client.post(f"/api/games/{game}/moves", json={"move": text, **fields}, headers=headers)


def refused(answer: TestResponse) -> tuple[int, str]:
    assert "application/problem+json" == answer.headers["Content-Type"]
    assert "Set-Cookie" not in answer.headers
    data = json.loads(answer.text)
    assert data["status"] == answer.status_code
    return answer.status_code, data["detail"]


def mails(app: App) -> list[inbox.StoredMail]:
    with app.store.read() as db:
        return inbox.mails_from_address(db, BILL)


def test_a_move_is_made_as_by_mail_and_told_as_described(app: App, client: FlaskClient) -> None:
    answer = move(client, token_of(app, begin(app)), "f2", after=0, number="first-1")
    made = answer.json or {}
    described = client.get("/api/openapi.json").json or {}
    schema = {"$ref": "#/components/schemas/MadeMove", "components": described["components"]}
    Draft202012Validator(schema).validate(made)
    assert (200, "f2", 1, "second", "*", None) == (
        answer.status_code,
        made["ply"]["move"],
        made["last"],
        made["to_play"],
        made["result"],
        made["reason"],
    )
    assert ("no-store", None) == (answer.headers["Cache-Control"], answer.headers.get("Set-Cookie"))
    assert ["f2"] == moves(app)
    assert ["done"] == [kept.state for kept in mails(app)]
    assert 1 == len(letters_to(app, JOAO))


def test_the_token_of_a_letters_own_link_plays_in_the_body_too(app: App, client: FlaskClient) -> None:
    game = begin(app)
    answer = client.post("/api/games/1/moves", json={"move": "f2", "token": token_of(app, game)})
    assert (200, ["f2"]) == (answer.status_code, moves(app))


def test_the_end_of_a_game_is_told(app: App, client: FlaskClient) -> None:
    game = play(app, begin(app, **SMALL), BLOCKED[:-1])
    made = move(client, token_of(app, game, (len(BLOCKED) - 1) % 2), BLOCKED[-1]).json or {}
    assert (None, len(BLOCKED)) == (made["to_play"], made["last"])
    assert made["result"] in ("first", "second") and made["reason"]


@pytest.mark.parametrize("number", ["", "n.1"])
def test_the_same_request_again_gives_the_same_answer_and_makes_nothing(
    app: App, client: FlaskClient, number: str
) -> None:
    token = token_of(app, begin(app))
    first, again = (move(client, token, "f2", after=0, number=number) for _ in range(2))
    assert (200, first.json) == (again.status_code, again.json)
    assert (["f2"], 1, 1) == (moves(app), len(mails(app)), len(letters_to(app, JOAO)))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("f7", "there is no row 7"),
        ("k1", "k1 is taken"),
        ("resign", "a move alone can be sent"),
        ("say hello", "a move alone can be sent"),
        ("f2; resign", "a move alone can be sent"),
        ("good luck", "That is no move of Bipod"),
    ],
)
def test_a_move_that_cannot_be_made_gets_its_sentence_and_writes_no_letter(
    app: App, client: FlaskClient, text: str, words: str
) -> None:
    status, detail = refused(move(client, token_of(app, begin(app)), text))
    assert 422 == status and words in detail
    assert ([], [], []) == (moves(app), mails(app), letters_to(app, BILL))


def test_a_move_for_another_board_or_out_of_turn_is_a_conflict(app: App, client: FlaskClient) -> None:
    old = begin(app)
    game = play(app, old, ["f2"])
    told = {
        "old": move(client, token_of(app, old), "f4"),
        "turn": move(client, token_of(app, game), "f4"),
        "after": move(client, token_of(app, game, 1), "f4", after=0),
    }
    assert {409} == {refused(answer)[0] for answer in told.values()}
    assert "after ply 1, and the move was for the board after ply 0" in refused(told["after"])[1]
    assert ["f2"] == moves(app)
    over = add(app, game, "resign", 1, {})
    assert (409, "The game is over: Joao resigned.") == refused(move(client, token_of(app, over, 1), "f4"))


def test_whose_token_is_not_known_or_not_for_the_game_plays_nothing(app: App, client: FlaskClient) -> None:
    game, other = begin(app), begin(app, "Joao", "Anna")
    token = token_of(app, game)
    told = {name: refused(move(client, text, "f2")) for name, text in (("none", ""), ("wrong", f"{token}a"))}
    assert [401, 401] == [status for status, _ in told.values()]
    assert "Bearer" in move(client, "", "f2").headers["WWW-Authenticate"]
    assert (403, "This token is not for game 1.") == refused(move(client, token_of(app, other), "f2"))
    assert (403, "This token is not for game 99.") == refused(move(client, token, "f2", game=99))
    with app.store.write() as db:
        players.revoke_addresses(db, player(app, "Bill"))
    status, detail = refused(move(client, token, "f2"))
    assert 403 == status and "no longer works" in detail
    assert [] == moves(app)


@pytest.mark.parametrize(
    ("body", "parameter"),
    [
        ({}, "move"),
        ({"move": 7}, "move"),
        ({"move": ""}, "move"),
        ({"move": "f2\nresign"}, "move"),
        ({"move": "\ud800"}, "move"),
        ({"move": "f2", "words": "hello"}, "words"),
        ({"move": "f2", "after": "0"}, "after"),
        ({"move": "f2", "after": True}, "after"),
        ({"move": "f2", "sure": 1}, "sure"),
        ({"move": "f2", "number": "x" * 65}, "number"),
        (["f2"], "body"),
    ],
)
def test_a_body_that_is_not_as_described_is_named(
    app: App, client: FlaskClient, body: Any, parameter: str
) -> None:
    headers = {"Authorization": f"Bearer {token_of(app, begin(app))}"}
    answer = client.post("/api/games/1/moves", json=body, headers=headers)
    assert 400 == refused(answer)[0]
    assert parameter == json.loads(answer.text)["parameter"]
    assert [] == moves(app)


def test_forms_and_addresses_bring_no_token(app: App, client: FlaskClient) -> None:
    token = token_of(app, begin(app))
    assert 415 == refused(client.post("/api/games/1/moves", data={"move": "f2", "token": token}))[0]
    in_address = client.post(f"/api/games/1/moves?token={token}", json={"move": "f2"})
    assert 400 == refused(in_address)[0] and token not in in_address.text
    asked = client.options("/api/games/1/moves", headers={"Origin": "https://blog.example"})
    assert "POST" not in asked.headers["Access-Control-Allow-Methods"]
    assert 405 == refused(client.get("/api/games/1/moves"))[0]
    assert [] == moves(app)


def test_no_token_is_logged_or_told_also_where_we_fail(app: App, caplog: pytest.LogCaptureFixture) -> None:
    def step(name: str) -> None:
        if name == "decide":
            raise RuntimeError("the moon")

    token = token_of(app, begin(app))
    caplog.set_level(logging.DEBUG)
    answer = move(create_app(replace(app, step=step)).test_client(), token, "f2")
    assert (202, None) == (answer.status_code, (answer.json or {})["ply"])
    assert token not in f"{answer.text}{answer.headers}{caplog.text}"
    again = move(create_app(app).test_client(), token, "f2")
    assert token not in f"{again.text}{again.headers}{caplog.text}"


def test_requests_of_one_client_are_few_within_an_hour(
    app: App, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LIMITS, "move", 3)
    token = token_of(app, begin(app))
    codes = [move(client, token, "k1").status_code for _ in range(4)]
    assert [422, 422, 422, 429] == codes


def test_of_a_mail_a_page_and_a_program_at_once_one_moves_and_the_others_are_told(
    app: App,
) -> None:
    game = begin(app)
    token, flask_app, start = token_of(app, game), create_app(app), Barrier(3)
    page = f"/games/1/compose/{token}"

    def by_program() -> str:
        start.wait()
        answer = move(flask_app.test_client(), token, "f2")
        return "made" if answer.status_code == 200 else str(refused(answer)[0])

    def by_page() -> str:
        start.wait()
        form = {"do": "send", "move": "f4", "number": "1"}
        told = flask_app.test_client().post(page, data=form, follow_redirects=True).text
        return "made" if "Move 1 is recorded" in told else "told"

    def by_mail() -> str:
        start.wait()
        address = app.addressing.reply_to(token)
        return mail(app, BILL, new_mail(BILL, address, "f6"), address)

    with ThreadPoolExecutor(3) as pool:
        told = [each.result() for each in [pool.submit(way) for way in (by_program, by_page, by_mail)]]
    (made,) = moves(app)
    assert ["made" if made == "f2" else "409", "made" if made == "f4" else "told"] == told[:2]
    assert 1 == len(letters_to(app, JOAO))


def test_thousands_of_brackets_are_refused_as_no_json(app: App, client: FlaskClient) -> None:
    begin(app)
    answer = client.post("/api/games/1/moves", data="[" * 30_000, content_type="application/json")
    assert 400 == answer.status_code
