"""Comments on the moves of a finished game, and the time that each move took."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from pbem.app import App
from pbem.commands.moderation import Operator, bar_player, carry_out, hide_words, rename_player
from pbem.core.game.journal import ROLLBACK
from pbem.core.play.comments import MAX_COMMENT
from pbem.core.play.director import words_said
from pbem.store import limits
from pbem.store.erase import erase_player
from pbem.web import create_app
from tests.apps import load, player
from tests.web.library import ADDRESSES, a_short_game, add
from tests.web.markup import read
from tests.web.signing_in import get, letters, send, sign_in

WORDS = "The <b>turning</b> point.\n\nAsk me at joao@example.net"
SHOWN = re.compile(r'<blockquote class="said comment">.*?</blockquote>', re.DOTALL)
BY_OPERATOR = Operator("operator", "not here")


@pytest.fixture
def joao(app: App) -> FlaskClient:
    """Joao's browser; he does not play in game 1, which Anna has won against Bill."""
    a_short_game(app)
    return browser_of(app, "Joao")


def browser_of(app: App, name: str) -> FlaskClient:
    client = create_app(app).test_client()
    sign_in(app, client, name)
    return client


def comment(client: FlaskClient, words: str = WORDS, ply: int = 2) -> TestResponse:
    return send(client, f"/games/1/{ply}/comment", page="/games/1", words=words)


def comments(client: FlaskClient, path: str = "/games/1") -> list[str]:
    return [read(each).text for each in SHOWN.findall(get(client, path).text)]


def test_a_comment_of_a_watcher_stands_under_its_move_for_everybody_and_brings_no_letter(
    app: App, client: FlaskClient, joao: FlaskClient
) -> None:
    before = {name: len(letters(app, address)) for name, address in ADDRESSES.items()}
    answer = comment(joao)
    assert (303, "/games/1/2#move-2") == (answer.status_code, answer.headers["Location"])
    page = get(client, "/games/1/4").text
    move, after = page.index('data-ply="2"'), page.index('data-ply="3"')
    assert move < page.index("&lt;b&gt;turning&lt;/b&gt;") < after
    assert ["Joao, just now The <b>turning</b> point. Ask me at"] == [
        each.rpartition(" ")[0] for each in comments(client)
    ]
    assert "example.net" not in page
    assert "Joao, on move 2, " in read(get(client, "/games/1/words").text).text
    assert before == {name: len(letters(app, address)) for name, address in ADDRESSES.items()}


def test_an_open_page_notices_a_comment(client: FlaskClient, joao: FlaskClient) -> None:
    poll = get(client, "/games/1/1").text.partition('data-news="')[2].partition('"')[0]
    assert 204 == get(client, poll).status_code
    comment(joao)
    assert 200 == get(client, poll).status_code


def test_a_comment_sent_twice_is_written_once(joao: FlaskClient) -> None:
    comment(joao)
    comment(joao)
    assert 1 == len(comments(joao))


@pytest.mark.parametrize(
    "words, sentence",
    [(" \n", "Please write something first."), ("x" * (MAX_COMMENT + 1), "at most 500 characters")],
)
def test_a_comment_that_cannot_be_is_refused_and_what_was_typed_stays(
    joao: FlaskClient, words: str, sentence: str
) -> None:
    answer = comment(joao, words)
    assert 422 == answer.status_code
    assert sentence in answer.text
    assert words in answer.text
    assert [] == comments(joao)


def test_a_game_that_goes_on_takes_no_comment_and_one_opened_again_shows_none(
    app: App, client: FlaskClient, joao: FlaskClient
) -> None:
    comment(joao)
    game = load(app, 1)
    back = {"ply": 3, "entry": game.state.plies[2].entry, "reason": "A mail was lost."}
    add(app, game, ROLLBACK, None, back)
    for path in ("/games/1", "/games/1/words"):
        assert "turning" not in get(client, path).text
    assert [] == client.get("/games/1.json").json["comments"]  # type: ignore[index]
    answer = send(joao, "/games/1/2/comment", page="/settings", words="Play f4!")
    assert (422, True) == (answer.status_code, "Game 1 goes on" in answer.text)


def test_a_visitor_who_is_not_signed_in_has_no_form_and_cannot_comment(
    client: FlaskClient, joao: FlaskClient
) -> None:
    assert "/comment" not in get(client, "/games/1").text
    assert 410 == comment_of_visitor(client).status_code


def comment_of_visitor(client: FlaskClient) -> TestResponse:
    return send(client, "/games/1/2/comment", words="Hello")


def test_whoever_a_player_blocks_or_the_operator_bars_cannot_comment(app: App, joao: FlaskClient) -> None:
    with app.store.write() as db:
        limits.block_player(db, player(app, "Anna"), player(app, "Joao"), app.now())
    assert "No words of yours can go to the players" in comment(joao).text
    with app.store.write() as db:
        limits.unblock_player(db, player(app, "Anna"), player(app, "Joao"))
    carry_out(app, BY_OPERATOR, bar_player, "Joao")
    answer = comment(joao)
    assert (422, True) == (answer.status_code, "barred" in answer.text)
    assert [] == comments(joao)


def test_hidden_words_of_a_comment_are_read_nowhere_and_reported_ones_are_named(
    app: App, client: FlaskClient, joao: FlaskClient
) -> None:
    comment(joao)
    [(entry, name, _)] = words_said(load(app, 1))
    assert "Joao" == name
    told = carry_out(app, BY_OPERATOR, hide_words, 1, entry.n)
    assert f"What Joao said in entry {entry.n} of game 1 is hidden." == told
    for path in ("/games/1", "/games/1/words", "/games/1.json"):
        assert "turning" not in get(client, path).text
    assert ["Joao, just now [hidden by the operator]"] == comments(client)


def test_a_new_name_and_none_stand_beside_a_comment_and_the_page_is_another(
    app: App, client: FlaskClient, joao: FlaskClient
) -> None:
    comment(joao)
    tag = get(client, "/games/1").headers["ETag"]
    carry_out(app, BY_OPERATOR, rename_player, "Joao", "Jonas")
    assert "Jonas" in comments(client)[0]
    assert tag != (tag := get(client, "/games/1").headers["ETag"])
    with app.store.write() as db:
        erase_player(db, player(app, "Jonas"), None)
    assert "Jonas" not in get(client, "/games/1").text
    assert "turning" in comments(client)[0]
    assert tag != get(client, "/games/1").headers["ETag"]


def test_players_see_on_their_home_how_many_comments_they_have_not_answered(
    app: App, joao: FlaskClient
) -> None:
    comment(joao)
    comment(joao, "And this lost.", 4)
    bill = browser_of(app, "Bill")
    assert "Game 1, 2 comments to read" in read(get(bill, "/").text).text
    assert "comments to read" not in get(joao, "/").text
    comment(bill, "Thank you.")
    assert "to read" not in get(bill, "/").text
