"""Guesses while a move waits to be written down: still sealed, still free to change, and in the dark."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.app import App
from pbem.duties.game_clock import check_due_games
from pbem.store import guesses
from tests.apps import ANNA, BILL, Clock, last_letter, last_words, letters, load, moves, reply, writes
from tests.commands.test_guesses import ask, begin, news, results

AFTER = timedelta(minutes=7)


@pytest.fixture
def app_config() -> dict[str, str]:
    return {"PBEM_HOST": "localhost", "PBEM_RELAY": "smtp://127.0.0.1:1", "PBEM_SECRET": "s" * 32}


def start_of(app: App, who: str) -> str:
    letter = next(each for each in letters(app, who) if "#1" in each.header("Subject"))
    return reply(app, who, letter, "f2")


def test_a_guess_stays_sealed_and_may_change_until_the_move_is_written_down(app: App, clock: Clock) -> None:
    begin(app)
    watching = last_letter(app, ANNA)
    first = ask(app, "g3", watching)
    assert "done" == start_of(app, BILL)
    assert load(app).pending is not None
    assert "It takes the place of your guess g3" in ask(app, "f2", watching)
    assert first == ask(app, "g3", watching).replace("It takes the place of your guess f2. ", "")
    assert [] == news(app) and [(1, "g3", None)] == results(app)
    with app.store.read() as db:
        assert (0, 0) == guesses.count_guesses(db, 1)
    clock.now += AFTER
    check_due_games(app)
    assert ["f2"] == moves(app) and [(1, "g3", False)] == results(app)
    assert "has been made already: f2." in ask(app, "f2", watching)


def test_a_move_withdrawn_in_the_window_is_compared_with_nothing(app: App, clock: Clock) -> None:
    begin(app)
    ask(app, "f2")
    start_of(app, BILL)
    writes(app, BILL, "undo")
    assert "is taken back" in last_words(app, BILL) or "took" in last_words(app, BILL)
    clock.now += AFTER
    check_due_games(app)
    assert [] == moves(app) and [(1, "f2", None)] == results(app)
    writes(app, BILL, "g3")
    clock.now += AFTER
    check_due_games(app)
    assert ["g3"] == moves(app) and [(1, "f2", False)] == results(app)
