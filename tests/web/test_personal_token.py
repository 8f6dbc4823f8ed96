"""The personal token of `set token`: a program of its owner's moves with it, and does nothing else."""

from __future__ import annotations

import json
import re

import pytest
from flask.testing import FlaskClient

from pbem.app import App
from pbem.commands.export import account_zip
from pbem.duties.tokens import player_of_token
from pbem.store import players
from pbem.web import create_app
from tests.apps import load, moves, player
from tests.web.library import add, begin, play
from tests.web.markup import read
from tests.web.signing_in import SITE, get, send, sign_in
from tests.web.test_api_moves import move, refused

TOKEN = re.compile(r"token_\d+_[a-z2-7]{32}")


def shown(html: str) -> str:
    """The one token in a page."""
    (found,) = set(TOKEN.findall(html))
    return found


def owner(app: App, token: str) -> str | None:
    with app.store.read() as db:
        found = player_of_token(db, token)
    return found.name if found else None


@pytest.fixture
def token(app: App, client: FlaskClient) -> str:
    """Bill's token, made on the page of settings."""
    sign_in(app, client)
    return shown(send(client, "/settings/token", page="/settings").text)


def test_a_page_shows_it_once_and_afterwards_that_there_is_one(app: App, client: FlaskClient) -> None:
    sign_in(app, client)
    assert "You have none." in read(get(client, "/settings").text).text
    made = send(client, "/settings/token", page="/settings")
    page = read(made.text)
    assert ("no-store", []) == (made.headers["Cache-Control"], page.all_problems())
    assert "Bill" == owner(app, shown(made.text))
    later = get(client, "/settings").text
    assert "You have one." in read(later).text and not TOKEN.search(later)
    send(client, "/settings/change/token", page="/settings")
    assert "You have none." in read(get(client, "/settings").text).text
    assert owner(app, shown(made.text)) is None


def test_nobody_else_makes_one_and_no_other_site_does(app: App, client: FlaskClient) -> None:
    assert 410 == send(client, "/settings/token", page="/settings").status_code
    sign_in(app, client)
    assert 400 == client.post("/settings/token", base_url="https://pbem.example.org").status_code
    assert not player(app, "Bill").preferences.more.get("token")


def test_it_moves_in_any_game_of_its_owner_and_in_no_other(app: App, client: FlaskClient, token: str) -> None:
    begin(app)
    play(app, begin(app, "Anna", "Bill"), ["f2"])
    begin(app, "Anna", "Joao")
    assert [200, 200] == [
        move(client, token, "f4", game=game, after=after).status_code for game, after in ((1, 0), (2, 1))
    ]
    assert (["f4"], ["f2", "f4"]) == (moves(app, 1), moves(app, 2))
    assert (403, "This token is not for game 3.") == refused(move(client, token, "f4", game=3, after=0))
    assert 403 == refused(move(client, token, "f4", game=99, after=0))[0]
    assert 401 == refused(move(client, f"{token[:-1]}{'a' if token[-1] != 'a' else 'b'}", "f4", after=0))[0]


def test_it_says_for_which_board_the_move_is(app: App, client: FlaskClient, token: str) -> None:
    begin(app)
    answer = move(client, token, "f2")
    assert (400, "after") == (answer.status_code, json.loads(answer.text)["parameter"])
    assert 409 == refused(move(client, token, "f2", after=1))[0]
    first, again = (move(client, token, "f2", after=0) for _ in range(2))
    assert (200, first.json) == (again.status_code, again.json)
    assert 409 == refused(move(client, token, "f4", after=0))[0]
    assert ["f2"] == moves(app)


def test_after_a_move_is_taken_back_it_moves_on_and_an_old_answer_counts_no_more(
    app: App, client: FlaskClient, token: str
) -> None:
    play(app, begin(app), ["f2", "f4"])
    assert 200 == move(client, token, "h2", after=2).status_code
    add(app, load(app), "undo", 1, {"to": 4})
    assert ["f2", "f4"] == moves(app)
    assert 200 == move(client, token, "h2", after=2).status_code
    assert ["f2", "f4", "h2"] == moves(app)


def test_it_carries_no_other_order(app: App, client: FlaskClient, token: str) -> None:
    begin(app)
    for order in ("resign", "draw", "say hello", "f2\nresign"):
        assert move(client, token, order, after=0).status_code in (400, 422)
    assert 400 == move(client, token, "f2", after=0, words="hello").status_code
    stranger = create_app(app).test_client()
    stranger.set_cookie("__Host-pbem_session", token.rpartition("_")[2], domain="pbem.example.org")
    answer = stranger.get("/settings", base_url=SITE, headers={"Authorization": f"Bearer {token}"})
    assert "Sign out" not in answer.text and [] == moves(app)


def test_it_is_kept_as_a_digest_is_not_exported_and_ends_with_new_addresses(
    app: App, client: FlaskClient, token: str
) -> None:
    kept = player(app, "Bill").preferences.more
    digest = kept["token_digest"]
    assert 64 == len(digest) and token.rpartition("_")[2] not in str(kept)
    assert digest.encode() not in account_zip(app, player(app, "Bill"))
    with app.store.write() as db:
        players.revoke_addresses(db, player(app, "Bill"))
    assert owner(app, token) is None
    assert not player(app, "Bill").preferences.more["token"]
