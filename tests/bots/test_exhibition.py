"""A game of two bots for visitors, where people's games are few."""

from __future__ import annotations

import pytest

from pbem.app import App
from pbem.bots.exhibition import PAUSE, begin_exhibition
from pbem.bots.playing import play_one
from pbem.inbox.process import work_through
from pbem.store import games, rating_queries
from pbem.store.month import count_month
from pbem.web import create_app
from tests.apps import BILL, DAY, Clock, begin, letters, load, moves, sound, writes

pytestmark = pytest.mark.each_database


def look(app: App) -> int:
    """Look if a game of bots is wanted, as each minute; return the number of all games."""
    begin_exhibition(app, app.now())
    with app.store.read() as db:
        return len(games.list_game_ids(db))


def play_on(app: App) -> None:
    """Let the bots do all that waits for them now."""
    while play_one(app):
        work_through(app)


def names(app: App, number: int) -> set[str]:
    return {each.name for each in load(app, number).seats}


def end(app: App, clock: Clock, number: int) -> None:
    """Have the bots play to the end of a game."""
    while load(app, number).state.ending is None:
        play_on(app)
        clock.now += PAUSE


def test_two_bots_play_for_visitors_with_minutes_between_their_moves_and_nobody_gets_a_letter(
    app: App, clock: Clock
) -> None:
    assert 1 == look(app)
    assert 1 == look(app)
    assert {"bot1", "bot2"} == names(app, 1)
    for played in (1, 2, 3):
        play_on(app)
        assert played == len(moves(app))
        clock.now += PAUSE
    assert not sound(app).rated
    assert [] == letters(app, "bot1@bots.invalid")
    assert "bot1" in create_app(app).test_client().get("/").text.partition('class="cards"')[2]


def test_two_games_of_people_are_enough_until_nobody_has_moved_for_a_day(app: App, clock: Clock) -> None:
    begin(app, "none")
    writes(app, BILL, "challenge bot1 bounders size=3 second")
    assert 2 == look(app)
    clock.now += DAY
    clock.pass_by(seconds=1)
    assert 3 == look(app)
    assert {"bot1", "bot2"} == names(app, 3)


def test_where_one_game_of_people_runs_bots_play_too(app: App) -> None:
    begin(app, "none")
    assert 2 == look(app)
    assert {"bot1", "bot2"} == names(app, 2)


@pytest.mark.parametrize("setting", [{"PBEM_EXHIBITION": "off"}, {"PBEM_BOTS": "off"}, {"PBEM_BOTS": "3"}])
class TestOff:
    @pytest.fixture
    def app_config(self, app_config: dict[str, str], setting: dict[str, str]) -> dict[str, str]:
        return {**app_config, **setting}

    def test_no_game_begins(self, app: App) -> None:
        assert 0 == look(app)


class TestNext:
    @pytest.fixture
    def app_config(self, app_config: dict[str, str]) -> dict[str, str]:
        return {**app_config, "PBEM_GAMES": "begird,bounders"}

    def test_the_next_game_has_other_rules_and_results_are_those_of_people(
        self, app: App, clock: Clock
    ) -> None:
        look(app)
        key = load(app).rules.key
        end(app, clock, 1)
        assert 2 == look(app)
        assert {"begird", "bounders"} == {key, load(app, 2).rules.key}
        with app.store.read() as db:
            assert 0 == rating_queries.game_statistics(db, key).games
            counted = count_month(db, app.now() - 30 * DAY, app.now() + DAY)
        assert (0, 0, 0) == tuple(counted[name] for name in ("games_begun", "games_ended", "moves"))
        assert "Newest results" not in create_app(app).test_client().get("/").text
