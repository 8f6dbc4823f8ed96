"""Pages for a player who is signed in: their games that wait, their name, and the way to their move."""

from __future__ import annotations

import re

from flask.testing import FlaskClient

from pbem.app import App
from pbem.core.game.journal import PLY, SAY
from tests.web.library import add, begin
from tests.web.markup import read
from tests.web.signing_in import get, sign_in


def test_a_visitor_finds_a_link_to_sign_in(client: FlaskClient) -> None:
    assert '<a href="/settings">Sign in</a>' in get(client, "/").text


def test_the_home_page_of_a_player_lists_the_games_that_wait_for_them(app: App, client: FlaskClient) -> None:
    begin(app, "Bill", "Joao")
    begin(app, "Joao", "Bill")
    game = begin(app, "Bill", "Anna")
    add(app, game, SAY, 1, {"words": "Hello!"})
    sign_in(app, client, "Bill")
    page = get(client, "/")
    waiting, _, others = read(page.text).text.partition("The others think")
    assert "Your move, Bill" in waiting
    assert "Bipod against Anna" in waiting and "1 remark to read" in waiting
    assert (2, 1) == (waiting.count("Bipod against"), others.count("Bipod against"))
    assert '<a href="/settings">Bill</a>' in page.text
    assert "no-store" == page.headers["Cache-Control"]
    assert [] == read(page.text).all_problems()


def test_a_player_without_a_turn_is_told_so(app: App, client: FlaskClient) -> None:
    begin(app, "Joao", "Bill")
    sign_in(app, client, "Bill")
    assert "No game waits for you, Bill" in get(client, "/").text


def test_the_page_of_a_game_leads_the_player_to_move_and_nobody_else_to_the_composer(
    app: App, client: FlaskClient
) -> None:
    game = begin(app, "Bill", "Joao")
    visitor = get(client, f"/games/{game.id}")
    assert "/compose/" not in visitor.text
    sign_in(app, client, "Bill")
    seen = client.get(
        f"/games/{game.id}",
        base_url="https://pbem.example.org",
        headers={
            "If-None-Match": visitor.headers["ETag"],
            "If-Modified-Since": visitor.headers["Last-Modified"],
        },
    )
    found = re.search(rf"/games/{game.id}/compose/[a-z2-7]+", seen.text)
    assert (200, "no-store") == (seen.status_code, seen.headers["Cache-Control"])
    assert found is not None
    assert 200 == get(client, found[0]).status_code
    add(app, game, PLY, 0, {"ply": 1, "move": "f2 f4 g3"})
    assert "/compose/" not in get(client, f"/games/{game.id}").text


def test_the_other_player_has_no_link_to_make_the_move(app: App, client: FlaskClient) -> None:
    game = begin(app, "Bill", "Joao")
    sign_in(app, client, "Joao")
    assert "/compose/" not in get(client, f"/games/{game.id}").text


def test_the_first_game_of_the_front_page_is_bipod(client: FlaskClient) -> None:
    page = get(client, "/").text
    assert "play bipod" in page
    assert "A whole game of Bipod" in page
