"""Watching a league by mail: a letter a week, if there is something new."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.app import App
from pbem.core.game.journal import RESIGN
from pbem.duties.watch_leagues import send_league_weeks
from pbem.store import watched_leagues
from pbem.store.erase import erase_player
from tests.apps import ANNA, Clock, ask, letters, player, register
from tests.inbox.seasons import begun, current, divisions, finish, going

WEEK = timedelta(days=7)


@pytest.fixture
def season(app: App, clock: Clock) -> App:
    """A season of eight players in two divisions; Anna plays in none."""
    begun(app, clock, 8, size=4, at_once=3)
    register(app, ANNA, "Anna")
    return app


def told(app: App) -> list[str]:
    before = len(letters(app, ANNA))
    send_league_weeks(app)
    return [letter.text for letter in letters(app, ANNA)[before:]]


def end_a_game(app: App, division: int) -> int:
    """End a game of a division; returns its number."""
    game = going(app, current(app).id, division)[0].game or 0
    finish(app, game, 0, RESIGN)
    return game


def test_the_results_of_a_week_come_once(season: App, clock: Clock) -> None:
    before = end_a_game(season, 1)
    clock.now += timedelta(hours=1)
    answer = ask(season, ANNA, "watch bipod league")
    assert "each Saturday you get the week's results of the Bipod league" in " ".join(answer.split())
    game = end_a_game(season, 1)
    end_a_game(season, 2)
    assert [] == told(season)
    clock.now += WEEK
    (text,) = told(season)
    assert "the week's results of the Bipod league, season 1." in text
    assert f", game {game}\n" in text
    assert f", game {before}\n" not in text
    assert "1 game has ended in the other divisions." in text
    assert all(line.name in text for line in divisions(season, current(season).id)[0].lines)
    assert [] == told(season)
    clock.now += WEEK
    assert [] == told(season)
    end_a_game(season, 1)
    clock.now += WEEK
    assert 1 == len(told(season))


def test_a_letter_comes_on_saturday_morning(season: App, clock: Clock) -> None:
    ask(season, ANNA, "watch the Bipod league")
    end_a_game(season, 1)
    for _ in range(7 * 24):
        clock.now += timedelta(hours=1)
        if told(season):
            break
    assert 5 == clock.now.weekday()


def test_unwatch_ends_it(season: App, clock: Clock) -> None:
    ask(season, ANNA, "watch bipod league")
    assert "You watch the league of Bipod." in " ".join(ask(season, ANNA, "watch").split())
    assert "You watch the games of the Bipod league no more" in " ".join(
        ask(season, ANNA, "unwatch bipod league").split()
    )
    assert "You do not watch the Bipod league." in ask(season, ANNA, "unwatch bipod league")
    end_a_game(season, 1)
    clock.now += WEEK
    assert [] == told(season)


def test_stopped_letters_do_not_come_and_watching_starts_them_again(season: App, clock: Clock) -> None:
    ask(season, ANNA, "watch bipod league")
    ask(season, ANNA, "stop seasons")
    end_a_game(season, 1)
    clock.now += WEEK
    assert [] == told(season)
    ask(season, ANNA, "watch bipod league")
    end_a_game(season, 1)
    clock.now += WEEK
    assert 1 == len(told(season))


def test_there_must_have_been_a_league(app: App) -> None:
    register(app, ANNA, "Anna")
    assert "There has been no league of Begird yet." in ask(app, ANNA, "watch begird league")


def test_who_is_erased_watches_nothing(season: App) -> None:
    ask(season, ANNA, "watch bipod league")
    anna = player(season, "Anna")
    with season.store.write() as db:
        erase_player(db, anna, None)
        assert [] == watched_leagues.leagues_watched_by(db, anna)
