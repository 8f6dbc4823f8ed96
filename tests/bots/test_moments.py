"""Finished games are evaluated once, and each player gets three moments of their own as puzzles."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from pbem.app import App
from pbem.bots import analysis, jobs
from pbem.core.exercises.analysis import ANALYSIS, CANDIDATES, analysis_key, moments_of
from pbem.core.game.game import Game
from pbem.core.game.view import view
from pbem.store import bot_jobs
from pbem.store.moments import moments_of_game
from tests.apps import (
    BILL,
    JOAO,
    Clock,
    a_game,
    advance,
    flat,
    last_letter,
    last_words,
    letters,
    load,
    moves,
    player,
    reply,
    writes,
)
from tests.snapshots import once


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "GAME_SECONDS", 0.05)
    monkeypatch.setattr(analysis, "MOMENT_SECONDS", 0.005)
    monkeypatch.setattr(analysis, "PART_SECONDS", 0.02)


@pytest.fixture
def over(app: App) -> App:
    """Game 1, of ten plies, which Bill has just resigned."""
    once(app, "over", lambda: _over(app))
    return app


def _over(app: App) -> None:
    a_game(app)
    advance(app, plies=10)
    assert "done" == writes(app, BILL, "resign yes")


def _ask(app: App, clock: Clock) -> None:
    """Have the game played, evaluated and judged, all before the clock's time."""
    now, clock.now = clock.now, clock.now - timedelta(days=1)
    _over(app)
    evaluate(app)
    clock.now = now
    do_jobs(app)


def do_jobs(app: App) -> int:
    done = 0
    while jobs.do_one(app):
        done += 1
    return done


def evaluate(app: App) -> None:
    analysis.queue_analyses(app, app.now() - analysis.NEWS)
    do_jobs(app)


def next_morning(app: App, clock: Clock) -> None:
    clock.pass_by(days=1)
    do_jobs(app)


def result(app: App, game: Game) -> Any:
    with app.store.read() as db:
        return bot_jobs.find_result(db, ANALYSIS, analysis_key(game))


def moments_to(app: App, who: str) -> list[Any]:
    return [letter for letter in letters(app, who) if "what would you have played?" in letter.text]


def possible(app: App, who: str) -> list[str]:
    """A possible move for each of a player's moments."""
    game, owner = load(app), player(app, who)
    with app.store.read() as db:
        stored = moments_of_game(db, owner, game.id)
    assert stored is not None
    shown = moments_of(view(game, game.seat_of(owner) or 0, "localhost"), stored.positions, {})
    return [moment.position.examples()[0] for moment in shown]


class TestEvaluation:
    def test_it_is_computed_in_parts_once_and_kept(self, over: App) -> None:
        assert 1 == analysis.queue_analyses(over, over.now() - analysis.NEWS)
        assert 0 == analysis.queue_analyses(over, over.now() - analysis.NEWS)
        assert do_jobs(over) > 1
        values = result(over, load(over))["values"]
        assert 11 == len(values)
        assert all(0 <= value <= 1 for value in values)
        assert 0 == analysis.queue_analyses(over, over.now() - analysis.NEWS)

    def test_a_short_game_has_none(self, app: App) -> None:
        a_game(app)
        advance(app, plies=6)
        writes(app, BILL, "resign yes")
        assert 0 == analysis.queue_analyses(app, app.now() - analysis.NEWS)

    def test_nor_has_one_that_ended_long_ago(self, over: App, clock: Clock) -> None:
        clock.pass_by(days=4)
        assert 0 == analysis.queue_analyses(over, over.now() - analysis.NEWS)

    def test_words_after_the_end_change_nothing(self, over: App) -> None:
        evaluate(over)
        writes(over, BILL, "say Well fought.")
        assert result(over, load(over))
        assert 0 == analysis.queue_analyses(over, over.now() - analysis.NEWS)

    @pytest.mark.parametrize("step", ["claim job", "compute job"])
    def test_a_killed_process_loses_one_part(self, over: App, clock: Clock, step: str) -> None:
        def dies(now: str) -> None:
            if now == step:
                raise KeyboardInterrupt

        analysis.queue_analyses(over, over.now() - analysis.NEWS)
        assert jobs.do_one(over)
        with pytest.raises(KeyboardInterrupt):
            jobs.do_one(replace(over, step=dies))
        clock.pass_by(minutes=11)
        do_jobs(over)
        assert 11 == len(result(over, load(over))["values"])


class TestLetter:
    def test_each_gets_one_on_the_next_morning(self, over: App, clock: Clock) -> None:
        evaluate(over)
        assert [] == moments_to(over, BILL)
        next_morning(over, clock)
        next_morning(over, clock)
        assert [1, 1] == [len(moments_to(over, who)) for who in (BILL, JOAO)]
        assert 3 == moments_to(over, BILL)[0].text.count("it is your turn, move")

    def test_it_comes_at_eight_in_the_player_s_zone(self, over: App, clock: Clock) -> None:
        writes(over, BILL, "set zone Tokyo")
        evaluate(over)
        clock.now = clock.now.replace(hour=22, minute=59)  # 7:59 in Tokyo
        do_jobs(over)
        assert [] == moments_to(over, BILL)
        clock.pass_by(minutes=2)
        do_jobs(over)
        assert 1 == len(moments_to(over, BILL))

    def test_one_that_is_late_waits_for_another_morning(self, over: App, clock: Clock) -> None:
        evaluate(over)
        clock.now += timedelta(days=1)
        clock.now = clock.now.replace(hour=22)
        do_jobs(over)
        assert [] == moments_to(over, BILL)
        clock.pass_by(hours=11)
        do_jobs(over)
        assert 1 == len(moments_to(over, BILL))

    def test_two_games_of_one_day_bring_one(self, over: App, clock: Clock) -> None:
        writes(over, BILL, "rematch 1")
        writes(over, JOAO, "accept")
        advance(over, 2, plies=10)
        writes(over, JOAO, "game 2\nresign yes")
        assert load(over, 2).state.ending
        evaluate(over)
        next_morning(over, clock)
        assert 1 == len(moments_to(over, BILL))

    def test_whoever_has_set_them_off_gets_none(self, over: App, clock: Clock) -> None:
        writes(over, BILL, "set moments off")
        evaluate(over)
        writes(over, JOAO, "stop moments")
        next_morning(over, clock)
        assert [0, 0] == [len(moments_to(over, who)) for who in (BILL, JOAO)]

    @pytest.mark.parametrize("step", ["claim job", "compute job"])
    def test_it_is_sent_once_whatever_is_killed(self, over: App, clock: Clock, step: str) -> None:
        def dies(now: str) -> None:
            if now == step:
                raise KeyboardInterrupt

        evaluate(over)
        clock.pass_by(days=1)
        for _ in range(2 * CANDIDATES):
            with pytest.raises(KeyboardInterrupt):
                jobs.do_one(replace(over, step=dies))
            clock.pass_by(minutes=11)
            assert jobs.do_one(over)
        assert not jobs.do_one(over)
        assert [1, 1] == [len(moments_to(over, who)) for who in (BILL, JOAO)]


class TestAnswers:
    @pytest.fixture
    def asked(self, app: App, clock: Clock) -> App:
        clock.pass_by(days=1)
        once(app, "asked", lambda: _ask(app, clock))
        return app

    def test_a_number_and_a_move_or_a_move_for_the_first(self, asked: App) -> None:
        letter = moments_to(asked, BILL)[0]
        game = load(asked)
        first, second, _ = possible(asked, "Bill")
        assert "done" == reply(asked, BILL, letter, f"2 {second}")
        told = last_words(asked, BILL)
        assert f"you answered {second}" in told
        assert "In the game you played" in told or "You played it in the game" in told
        assert "Still open: moments 1 and 3" in told
        assert "done" == reply(asked, BILL, last_letter(asked, BILL), first)
        assert "Moment 1, move" in last_words(asked, BILL)
        assert game.journal == load(asked).journal

    def test_three_at_once(self, asked: App) -> None:
        letter = moments_to(asked, BILL)[0]
        first, second, third = possible(asked, "Bill")
        reply(asked, BILL, letter, f"1: {first}\n2. {second}\n3) {third}\n\nGood morning!")
        assert "These were all" in last_words(asked, BILL)
        assert "refused" == reply(asked, BILL, letter, f"1 {first}")
        assert "You have answered number 1 before." in last_words(asked, BILL)

    def test_an_impossible_move_is_refused_with_the_reason(self, asked: App) -> None:
        assert "refused" == reply(asked, BILL, moments_to(asked, BILL)[0], "1 zz99")
        assert "Number 1:" in last_words(asked, BILL)
        assert "Still open: moments 1 and 2 and 3" in last_words(asked, BILL)

    def test_a_move_in_an_answer_is_for_no_running_game(self, asked: App) -> None:
        writes(asked, BILL, "rematch 1")
        writes(asked, JOAO, "accept")
        letter = moments_to(asked, JOAO)[0]
        reply(asked, JOAO, letter, "k3\nf2\nf6\ne4")
        assert [] == moves(asked, 2)

    def test_commands_count_and_words_are_refused_with_what_is_possible(self, asked: App) -> None:
        letter = moments_to(asked, BILL)[0]
        assert "done" == reply(asked, BILL, letter, "set moments off")
        assert "refused" == reply(asked, BILL, letter, "I really do not know.")
        assert "I found no move in your answer" in last_words(asked, BILL)

    def test_a_command_below_all_answers_is_carried_out(self, asked: App) -> None:
        (letter,) = moments_to(asked, BILL)
        answers = [f"{n}) {move}" for n, move in enumerate(possible(asked, "Bill"), 1)]
        for state in ("done", "refused"):  # answered before, the second time
            asked_before = len(letters(asked, BILL))
            order = "set moments off" if state == "done" else "set receipts off"
            assert state == reply(asked, BILL, letter, "\n".join([*answers, order]))
            told = " ".join(" ".join(each.text.split()) for each in letters(asked, BILL)[asked_before:])
            assert f"{order.split()[1]} is now off" in told
        assert "refused" == reply(asked, BILL, letter, "I have no idea")
        assert "You have answered all of these moments." in last_words(asked, BILL)

    def test_a_number_may_have_its_word(self, asked: App) -> None:
        (letter,) = moments_to(asked, BILL)
        assert "done" == reply(asked, BILL, letter, f"Moment 2: {possible(asked, 'Bill')[1]}")
        assert "Moment 2, move" in last_words(asked, BILL)

    def test_there_is_no_hint(self, asked: App) -> None:
        (letter,) = moments_to(asked, BILL)
        assert "refused" == reply(asked, BILL, letter, "hint")
        assert "There is no hint for a moment." in last_words(asked, BILL)

    def test_a_command_beside_an_answer_is_carried_out(self, asked: App) -> None:
        letter, (first, *_) = moments_to(asked, BILL)[0], possible(asked, "Bill")
        assert "done" == reply(asked, BILL, letter, f"set moments off\n1 {first}")
        assert any(f"you answered {first}" in flat(each.text) for each in letters(asked, BILL)[-2:])
        assert "moments" in player(asked, "Bill").stopped

    def test_too_late(self, asked: App, clock: Clock) -> None:
        clock.now += timedelta(days=61)
        assert "refused" == reply(asked, BILL, moments_to(asked, BILL)[0], "1 f2")
        assert "too old to be answered by mail" in last_words(asked, BILL)
