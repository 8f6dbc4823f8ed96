"""Polls: is a page still current?"""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask.testing import FlaskClient

from pbem.app import App
from pbem.core.game.journal import SAY
from pbem.inbox.dispatch import run_commands
from tests.apps import Clock, player
from tests.inbox.seasons import a_league, current
from tests.quickness import quick
from tests.web.library import add, begin, play
from tests.web.signing_in import get


def news_of(client: FlaskClient, path: str) -> str:
    """The address at which a page asks for news, "" for none."""
    return get(client, path).text.partition('data-news="')[2].partition('"')[0]


def status(client: FlaskClient, path: str) -> int:
    return client.get(path).status_code


def test_a_game_has_news_after_a_move_or_a_word(app: App, client: FlaskClient) -> None:
    game = begin(app)
    poll = news_of(client, "/games/1")
    assert 204 == status(client, poll)
    game = play(app, game, ["f2 f4 g3"])
    assert 200 == status(client, poll)
    poll = news_of(client, "/games/1")
    assert 204 == status(client, poll)
    add(app, game, SAY, 0, {"words": "Hello!"})
    assert 200 == status(client, poll)


def test_an_earlier_board_asks_for_news_only_when_the_game_is_over_and_may_be_commented(
    app: App, client: FlaskClient
) -> None:
    game = begin(app)
    game = play(app, game, ["f2 f4 g3", "k3"])
    assert "" == news_of(client, "/games/1/1")
    add(app, game, "resign", 0, {})
    assert 204 == status(client, news_of(client, "/games/1"))
    assert 204 == status(client, news_of(client, "/games/1/1"))


@pytest.mark.parametrize("path", ["/games/9/since/1", "/events/9/since/1"])
def test_there_is_no_news_of_what_is_not_there(app: App, client: FlaskClient, path: str) -> None:
    assert 404 == status(client, path)


def test_a_page_waits_for_a_bot_without_scripts_too(app: App, client: FlaskClient) -> None:
    run_commands(app, player(app, "Bill"), [("challenge", "bot1 bipod first")])
    run_commands(app, player(app, "Bill"), [("challenge", "bot1 bipod second")])
    found = [path for path in ("/games/1", "/games/2") if 'http-equiv="refresh"' in get(client, path).text]
    assert ["/games/2"] == found


def test_a_league_has_news_when_somebody_joins(app: App, client: FlaskClient, clock: Clock) -> None:
    a_league(app, clock, 4)
    poll = news_of(client, f"/events/{current(app).id}")
    assert 204 == status(client, poll)
    run_commands(app, player(app, "Bill"), [("join", "bipod league")])
    assert 200 == status(client, poll)


def test_a_poll_is_quick_and_is_kept_nowhere(app: App, client: FlaskClient) -> None:
    begin(app)
    poll = news_of(client, "/games/1")
    answer = client.get(poll)
    assert ("no-store", b"") == (answer.headers["Cache-Control"], answer.data)
    quick(timedelta(milliseconds=2).total_seconds(), lambda: client.get(poll))
