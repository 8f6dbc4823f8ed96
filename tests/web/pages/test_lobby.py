"""What a player who is signed in orders with one button: to watch, to play again, seeks and challenges."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from pbem.app import App
from pbem.inbox.dispatch import run_commands
from pbem.store import watches
from pbem.store.erase import erase_player
from pbem.web import create_app
from tests.apps import player
from tests.web.library import ADDRESSES, add, begin
from tests.web.markup import read
from tests.web.pages.test_compose import letters_to
from tests.web.signing_in import SITE, get, send, sign_in


@pytest.fixture
def joao(app: App) -> FlaskClient:
    return create_app(app).test_client()


def press(client: FlaskClient, order: str, page: str) -> TestResponse:
    """Press a button of a page, and follow to the page that comes."""
    assert f'value="{order}"' in get(client, page).text
    answer = send(client, "/lobby", page=page, order=order)
    return get(client, answer.headers["Location"]) if answer.status_code == 303 else answer


def buttons(client: FlaskClient, page: str) -> list[str]:
    """The orders of a page's buttons, but those that begin a game against the computer."""
    return re.findall(r'name="order" value="(?!challenge bot)([^"]+)"', get(client, page).text)


def lobby(client: FlaskClient, page: str) -> list[str]:
    """The buttons but those in the game, such as `say`."""
    return [each for each in buttons(client, page) if each.endswith(" 1")]


def test_a_game_of_others_is_watched_by_one_click_and_no_more_by_another(
    app: App, client: FlaskClient
) -> None:
    begin(app)
    sign_in(app, client, "Anna")
    assert "Every move comes to you by mail." in press(client, "watch 1", "/games/1").text
    assert "Watched by 1 person" in read(get(client, "/games/1").text).text
    with app.store.read() as db:
        assert [1] == watches.watched_by_player(db, player(app, "Anna"))
    press(client, "unwatch 1", "/games/1")
    with app.store.read() as db:
        assert 0 == watches.count_watchers(db, 1)
    assert "Watched by" not in read(get(client, "/games/1").text).text


def test_all_games_of_a_player_are_watched_by_a_button_on_their_page(app: App, client: FlaskClient) -> None:
    begin(app)
    assert [] == buttons(client, "/players/Bill")
    sign_in(app, client, "Anna")
    page = press(client, "watch Bill", "/players/Bill").text
    assert "Every move of these games comes to you by mail." in page
    with app.store.read() as db:
        assert [1] == watches.watched_by_player(db, player(app, "Anna"))
    assert ["unwatch Bill", "block Bill"] == buttons(client, "/players/Bill")
    press(client, "unwatch Bill", "/players/Bill")
    assert ["watch Bill", "block Bill"] == buttons(client, "/players/Bill")
    assert [] == buttons(client, "/players/Anna")
    refused = send(client, "/lobby", page="/players/Bill", order="watch Nobody")
    assert (422, True) == (refused.status_code, "Nobody here is called Nobody." in refused.text)


def test_whoever_has_the_page_gets_it_again_when_the_number_of_watchers_changes(
    app: App, client: FlaskClient
) -> None:
    begin(app)
    visitor = create_app(app).test_client()
    had = {"If-None-Match": get(visitor, "/games/1").headers["ETag"]}
    assert 304 == visitor.get("/games/1", base_url=SITE, headers=had).status_code
    sign_in(app, client, "Anna")
    press(client, "watch 1", "/games/1")
    answer = visitor.get("/games/1", base_url=SITE, headers=had)
    assert 200 == answer.status_code
    assert "Watched by 1 person" in read(answer.text).text
    assert [] == buttons(visitor, "/games/1")


def test_players_and_visitors_are_not_offered_to_watch_nor_anybody_a_game_that_is_over(
    app: App, client: FlaskClient
) -> None:
    game = begin(app)
    sign_in(app, client)
    assert "watch 1" not in buttons(client, "/games/1")
    assert 422 == send(client, "/lobby", page="/games/1", order="watch 1").status_code
    add(app, game, "resign", 0, {})
    anna = create_app(app).test_client()
    sign_in(app, anna, "Anna")
    assert [] == buttons(anna, "/games/1")


def test_play_again_asks_and_the_other_accepts_by_the_same_button(
    app: App, client: FlaskClient, joao: FlaskClient
) -> None:
    add(app, begin(app), "resign", 0, {})
    sign_in(app, client)
    press(client, "rematch 1", "/games/1")
    assert "challenge" in letters_to(app, ADDRESSES["Joao"])
    assert "You asked Joao for Bipod" in read(get(client, "/").text).text
    sign_in(app, joao, "Joao")
    assert ["accept 1", "decline 1"] == buttons(joao, "/")
    assert "Bill asks you for Bipod" in read(get(joao, "/games/1").text).text
    assert ["withdraw 1"] == lobby(client, "/games/1")
    page = send(joao, "/lobby", page="/games/1", order="rematch 1")
    page = get(joao, page.headers["Location"])
    assert "Bipod #2" in read(page.text).text
    assert ["start", "start"] == [letters_to(app, ADDRESSES[who])[0] for who in ("Bill", "Joao")]


def test_a_rematch_asked_for_twice_is_refused_with_the_reason(app: App, client: FlaskClient) -> None:
    add(app, begin(app), "resign", 0, {})
    sign_in(app, client)
    press(client, "rematch 1", "/games/1")
    answer = send(client, "/lobby", page="/", order="rematch 1")
    assert (422, True) == (answer.status_code, "waits already" in read(answer.text).text)


@pytest.mark.parametrize(("order", "kind"), [("accept 1", "start"), ("decline 1", "declined")])
def test_a_challenge_is_answered_on_the_front_page(
    app: App, client: FlaskClient, joao: FlaskClient, order: str, kind: str
) -> None:
    add(app, begin(app), "resign", 0, {})
    sign_in(app, client)
    press(client, "rematch 1", "/games/1")
    sign_in(app, joao, "Joao")
    assert "Bill asks you for Bipod" in read(get(joao, "/").text).text
    press(joao, order, "/")
    assert kind == letters_to(app, ADDRESSES["Bill"])[0]
    assert [] == buttons(joao, "/")
    assert 422 == send(joao, "/lobby", page="/settings", order=order).status_code


def test_a_challenge_is_taken_back_on_the_front_page_and_nobody_elses(
    app: App, client: FlaskClient, joao: FlaskClient
) -> None:
    add(app, begin(app), "resign", 0, {})
    sign_in(app, client)
    press(client, "rematch 1", "/games/1")
    anna = create_app(app).test_client()
    sign_in(app, anna, "Anna")
    for order in ("withdraw 1", "accept 1", "decline 1"):
        assert 422 == send(anna, "/lobby", page="/settings", order=order).status_code
    press(client, "withdraw 1", "/")
    assert [] == buttons(client, "/")


def test_a_seek_is_taken_on_the_page_of_seeks(app: App, client: FlaskClient, joao: FlaskClient) -> None:
    seek(app, "Bill")
    sign_in(app, client)
    assert ["withdraw 1"] == buttons(client, "/seeks")
    sign_in(app, joao, "Joao")
    assert "mail the two words under it" not in get(joao, "/seeks").text  # a button stands there
    page = press(joao, "take 1", "/seeks")
    assert "Bipod #1" in read(page.text).text
    assert ["start", "start"] == [letters_to(app, ADDRESSES[who])[0] for who in ("Bill", "Joao")]
    again = send(joao, "/lobby", page="/settings", order="take 1")
    assert 422 == again.status_code


def seek(app: App, who: str) -> None:
    run_commands(app, player(app, who), [("seek", "bipod 3d/move")])


@pytest.mark.parametrize(
    "order", ["", "resign 1", "take", "take x", "forget me", "take 1\nresign 1", "watch 9999999999"]
)
def test_anything_else_is_not_carried_out(app: App, client: FlaskClient, order: str) -> None:
    sign_in(app, client)
    assert 404 == send(client, "/lobby", order=order).status_code


def test_who_is_not_signed_in_or_has_a_form_from_elsewhere_is_refused(app: App, client: FlaskClient) -> None:
    begin(app)
    assert 410 == client.post("/lobby", base_url=SITE, data={"order": "watch 1"}).status_code
    sign_in(app, client, "Anna")
    assert 400 == client.post("/lobby", base_url=SITE, data={"order": "watch 1", "mark": "0"}).status_code
    with app.store.read() as db:
        assert 0 == watches.count_watchers(db, 1)


def test_nobody_is_asked_again_who_is_forgotten(app: App, client: FlaskClient) -> None:
    add(app, begin(app), "resign", 0, {})
    sign_in(app, client)
    assert "rematch 1" in buttons(client, "/games/1")
    with app.store.write() as db:
        erase_player(db, player(app, "Joao"), None)
    assert "rematch 1" not in buttons(client, "/games/1")
    assert [] == buttons(client, "/players/forgotten-2")
