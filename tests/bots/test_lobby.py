"""Bots in the lobby: which games they begin, what is rated, and what limits count."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import pytest

from pbem.app import App
from pbem.bots.playing import take_seeks
from pbem.core.ratings.results import rating_text
from pbem.duties.game_clock import check_due_games
from pbem.store import rating_queries, ratings
from tests.apps import BILL, JOAO, Clock, ask, last_words, letters, load, player, register, reply, writes
from tests.bots.test_playing import answer


def seats(app: App, number: int = 1) -> list[str]:
    return [seat.name for seat in load(app, number).seats]


def play_and_resign(app: App, terms: str) -> None:
    """Bill plays two moves against a bot on these terms, and resigns."""
    reply(app, BILL, register(app, BILL, "Bill"), f"challenge {terms} first")
    for _ in range(2):
        writes(app, BILL, next(iter(load(app).state.position.examples())))
        answer(app)
    writes(app, BILL, "resign")
    writes(app, BILL, "yes")
    assert load(app).state.ending is not None


@pytest.mark.parametrize("words", ["challenge bot2 bipod", "challenge bipod bot2", "Challenge BOT2 Bipod"])
def test_a_bot_is_challenged_in_either_order(app: App, words: str) -> None:
    reply(app, BILL, register(app, BILL, "Bill"), words)
    assert {"Bill", "bot2"} == set(seats(app))


def test_a_game_is_unrated_and_without_a_clock_unless_the_player_says_so(app: App) -> None:
    reply(app, BILL, register(app, BILL, "Bill"), "challenge bot1 bipod first")
    assert (False, "none") == (load(app).rated, str(load(app).time_control))
    assert "Rated: no" in last_words(app, BILL)
    writes(app, BILL, "challenge bot1 bipod rated first")
    assert (True, "7d+1d<=14d") == (load(app, 2).rated, str(load(app, 2).time_control))
    assert "own list, your rating stays" in last_words(app, BILL)
    writes(app, BILL, "challenge bot1 bipod rated first size=3")
    assert not load(app, 3).rated
    assert "Rated: no, rated are " in last_words(app, BILL)


def test_a_rated_game_moves_the_bots_rating_and_no_persons(app: App) -> None:
    play_and_resign(app, "bot1 bounders size=5 rated")
    bill, bot = player(app, "Bill"), player(app, "bot1")
    for again in (False, True):
        with app.store.write() as db:
            if again:
                assert (1, 1) == ratings.rebuild_ratings(db)
            found = rating_queries.standings_of(db, "bounders", (bill.id, bot.id))
            assert {bot.id} == set(found)
            assert found[bot.id].rating.value > 1500
            (career,) = rating_queries.bot_careers(db, "bounders")
            assert (1, 1, 0) == (career.rated, career.won, career.lost)
            assert [] == rating_queries.careers(db, [bill.id])[bill.id]
            assert 0 == rating_queries.game_statistics(db, "bounders").games
            assert [] == rating_queries.provisional_rated(db, "bounders", app.now(), 9)
            assert rating_text(career.standing, app.now()).endswith("?")


def test_an_unrated_game_moves_no_rating(app: App) -> None:
    play_and_resign(app, "bot1 bounders size=5")
    with app.store.read() as db:
        (career,) = rating_queries.bot_careers(db, "bounders")
    assert (0, 1) == (career.rated, career.won)


def test_a_rematch_with_a_bot_begins_at_once(app: App) -> None:
    play_and_resign(app, "bot1 bounders size=5")
    writes(app, BILL, "rematch")
    assert ["bot1", "Bill"] == seats(app, 2)
    assert dict(load(app).options) == dict(load(app, 2).options)


def test_what_a_player_may_run_counts_people_alone(app: App) -> None:
    welcome = register(app, BILL, "Bill")
    reply(app, BILL, welcome, "limit bipod 1")
    reply(app, BILL, welcome, "challenge bot1 bipod")
    register(app, JOAO, "Joao")
    writes(app, JOAO, "seek bipod")
    reply(app, BILL, welcome, "seeks")
    assert "done" == reply(app, BILL, welcome, "take 2")
    assert {"Bill", "Joao"} == set(seats(app, 2))


@pytest.mark.parametrize("words", ["seek bipod bots welcome", "play bipod bots welcome"])
def test_a_bot_takes_a_seek_after_a_day_if_it_is_welcome(app: App, clock: Clock, words: str) -> None:
    told = ask_first(app, words)
    assert "If nobody takes it within a day, the computer does, as bot3, unrated." in told
    take_seeks(app)
    assert 0 == count_games(app)
    clock.pass_by(days=1)
    take_seeks(app)
    take_seeks(app)
    assert (1, {"Bill", "bot3"}) == (count_games(app), set(seats(app)))
    assert not load(app).rated
    assert "bot3 has taken your seek 1: the game begins." in last_words(app, BILL)
    assert [] == letters(app, "bot3@bots.invalid")


def ask_first(app: App, words: str) -> str:
    reply(app, BILL, register(app, BILL, "Bill"), words)
    return last_words(app, BILL)


def count_games(app: App) -> int:
    with app.store.read() as db:
        return len(list(db.exec_driver_sql("select id from games")))


def test_a_level_can_be_welcome(app: App, clock: Clock) -> None:
    ask_first(app, "seek bipod bot5 welcome")
    clock.pass_by(days=2)
    take_seeks(app)
    assert {"Bill", "bot5"} == set(seats(app))


def test_no_bot_takes_a_seek_without_the_words_or_that_is_gone(app: App, clock: Clock) -> None:
    ask_first(app, "seek bipod")
    writes(app, BILL, "seek bagel bots welcome")
    writes(app, BILL, "withdraw 2")
    clock.pass_by(days=2)
    take_seeks(app)
    assert 0 == count_games(app)


def test_a_seek_waits_while_its_seeker_has_enough_games_and_others_are_taken(app: App, clock: Clock) -> None:
    ask_first(app, "seek bipod bots welcome")
    for _ in range(5):
        writes(app, BILL, "challenge bot1 bounders size=3")
    register(app, JOAO, "Joao")
    writes(app, JOAO, "seek bipod bots welcome")
    clock.pass_by(days=2)
    take_seeks(app)
    assert (6, {"Joao", "bot3"}) == (count_games(app), set(seats(app, 6)))


def test_a_seek_for_a_bot_that_is_not_here_is_refused(app: App) -> None:
    assert "There is no bot9 here." in ask_first(app, "seek bipod bot9 welcome")


def test_a_seek_with_bots_welcome_can_be_taken_by_people_before(app: App) -> None:
    ask_first(app, "seek bipod bots welcome")
    register(app, JOAO, "Joao")
    assert "bots welcome" in ask(app, JOAO, "seeks")
    writes(app, JOAO, "take 1")
    assert {"Bill", "Joao"} == set(seats(app))


def test_a_player_who_is_silent_for_sixty_days_has_the_game_closed(app: App, clock: Clock) -> None:
    reply(app, BILL, register(app, BILL, "Bill"), "challenge bot1 bipod first")
    writes(app, BILL, "f2")
    answer(app)
    for _ in range(9):
        clock.now += timedelta(days=7, hours=1)
        check_due_games(app)
    ending = load(app).state.ending
    assert ending is not None
    assert ending.winner is None


def test_soft_claim_and_give_are_harmless_against_a_bot(app: App) -> None:
    reply(app, BILL, register(app, BILL, "Bill"), "challenge bot1 bipod 3d/move soft first")
    writes(app, BILL, "f2")
    assert "refused" == writes(app, BILL, "claim win")
    answer(app)
    assert None is load(app).state.ending
    assert 2 == len(load(app).state.plies)


class TestFewLevels:
    @pytest.fixture
    def app_config(self, app_config: Mapping[str, str]) -> Mapping[str, str]:
        return {**app_config, "PBEM_BOTS": "1,2"}

    def test_bot_alone_is_one_that_is_here(self, app: App) -> None:
        reply(app, BILL, register(app, BILL, "Bill"), "challenge bot bipod")
        assert {"Bill", "bot2"} == set(seats(app))
