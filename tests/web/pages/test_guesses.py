"""Guesses on the web: sealed by who is signed in, seen by nobody else."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from pbem.app import App
from pbem.core.clock.time_control import read_pace
from pbem.core.game.fold import fold
from pbem.core.lobby.challenges import opening_entry
from pbem.core.players import Player, bot_address
from pbem.store import games, guesses, players
from pbem.web import create_app
from rules import RULES
from tests.apps import add_game, load, player
from tests.web.library import play
from tests.web.markup import read
from tests.web.signing_in import get, send, sign_in

PAGE = "/games/1/guess"


@pytest.fixture
def joao(app: App) -> FlaskClient:
    client = create_app(app).test_client()
    sign_in(app, client, "Joao")
    return client


def begin(app: App, first: str = "Bill", second: str = "Anna") -> None:
    """Game 1 of Bipod; Joao has no seat."""
    rules, seats = RULES["bipod"], (player(app, first), player(app, second))
    with app.store.write() as db:
        options = rules.complete({})
        game = add_game(db, rules, options, 0, seats, True, app.now(), read_pace("none"), False)
        game = game.with_entries([opening_entry(game)])
        games.append_entries(db, game, fold(game), [opening_entry(game)])


def sealed(app: App, who: str = "Joao") -> list[tuple[int, str, bool | None]]:
    with app.store.read() as db:
        return [(each.ply, each.move, each.right) for each in guesses.guesses_of(db, player(app, who), 1)]


def guess(client: FlaskClient, move: str, ply: int = 1, do: str = "send") -> int:
    return send(client, PAGE, page=PAGE, move=move, ply=str(ply), do=do).status_code


def test_a_guess_is_sealed_changed_and_withdrawn(app: App, joao: FlaskClient) -> None:
    begin(app)
    assert f'href="{PAGE}">Guess the next move' in get(joao, "/games/1").text
    page = get(joao, f"{PAGE}?move=f2")
    assert [] == read(page.text).all_problems() and "no-store" in page.headers["Cache-Control"]
    assert "What will Bill play?" in page.text and "Seal my guess" in page.text
    assert 303 == guess(joao, "f2")
    assert "Your guess at move 1 is <code>f2</code>. It is sealed." in get(joao, PAGE).text
    assert 303 == guess(joao, "g3 h4")
    assert [(1, "g3 h4", None)] == sealed(app)
    assert 200 == guess(joao, "f6", do="show") and [(1, "g3 h4", None)] == sealed(app)
    assert 303 == guess(joao, "", do="none")
    assert 422 == guess(joao, "", do="none") and [] == sealed(app)
    assert () == load(app).state.plies


def test_what_cannot_be_guessed_is_explained(app: App, joao: FlaskClient) -> None:
    begin(app)
    play(app, load(app), ["f2"])
    assert 422 == guess(joao, "f2", ply=2)
    late = send(joao, PAGE, page=PAGE, move="g3", ply="1", do="send")
    assert 422 == late.status_code and "has been made already: f2" in late.text
    assert [] == sealed(app)
    assert 303 == guess(joao, "g3", ply=2)


def test_the_page_says_afterwards_what_was_right(app: App, joao: FlaskClient) -> None:
    begin(app)
    guess(joao, "f2")
    play(app, load(app), ["f2"])
    page = get(joao, PAGE).text
    assert "<code>f2</code>, right" in page and "It is sealed" not in page


def test_only_who_is_signed_in_and_has_no_seat_may_guess(app: App, joao: FlaskClient) -> None:
    begin(app, second="Joao")
    assert "Guess the next move" not in get(joao, "/games/1").text
    assert "You play in game 1 yourself" in get(joao, PAGE).text
    mark = "/settings"
    assert 404 == send(joao, PAGE, page=mark, move="f2", ply="1", do="send").status_code
    stranger = create_app(app).test_client()
    assert 404 == get(stranger, PAGE).status_code
    assert 404 == get(joao, "/games/77/guess").status_code
    assert [] == sealed(app)


def test_a_form_from_elsewhere_seals_nothing(app: App, joao: FlaskClient) -> None:
    begin(app)
    assert 400 == joao.post(PAGE, data={"move": "f2", "ply": "1", "do": "send"}).status_code
    assert 410 == create_app(app).test_client().post(PAGE, data={"move": "f2", "ply": "1"}).status_code
    assert [] == sealed(app)


def a_bot(app: App) -> Player:
    with app.store.write() as db:
        return players.add_player(db, "bot1", bot_address("bot1"), app.now())


def test_nobody_guesses_at_a_bots_move(app: App, joao: FlaskClient) -> None:
    a_bot(app)
    begin(app, first="bot1")
    assert "Guess the next move" not in get(joao, "/games/1").text
    assert "It is the turn of bot1, a bot." in get(joao, PAGE).text


def test_no_page_of_others_changes_with_a_guess(app: App, joao: FlaskClient) -> None:
    """Neither its bytes nor its validators, for strangers and for the players."""
    begin(app)
    bill = create_app(app).test_client()
    sign_in(app, bill, "Bill")
    stranger = create_app(app).test_client()
    paths = ["/", "/games", "/games/1", "/games/1/0", "/players/Joao"]
    paths += ["/standings", "/games.atom", "/api/games/1", "/api/players/Joao", "/games/1.json", "/status"]

    def seen() -> list[object]:
        found: list[object] = []
        for client in (bill, stranger):
            for path in paths:
                page = client.get(path)
                head = {name: value for name, value in page.headers if name not in ("Date", "Set-Cookie")}
                head.pop("Content-Length", None)
                told = read(page.text).text if page.mimetype == "text/html" else page.text
                found.append((path, page.status_code, told, head))
        return found

    before = seen()
    for move in ("C3", "f2", "g3"):
        assert 303 == guess(joao, move)
        assert before == seen()
    assert 303 == guess(joao, "", do="none")
    assert before == seen()
