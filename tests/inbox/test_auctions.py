"""Hexagonal Thing by mail: two hidden limits, and a resigning move."""

from __future__ import annotations

from pbem.app import App
from tests.apps import BILL, JOAO, ending, last_letter, last_words, letters, moves, register, reply, writes


def begun(app: App, options: str = "") -> None:
    """Game 1 of Hexagonal Thing, Bill first."""
    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    reply(app, BILL, welcome, f"challenge Joao hexthing {options} none first")
    assert "done" == writes(app, JOAO, "accept")


def test_two_limits_of_much_money_are_told_in_short_letters(app: App) -> None:
    begun(app, "money=999")
    writes(app, BILL, "play 3S bid 0 max 998 take e5")
    before = [len(letters(app, who)) for who in (BILL, JOAO)]
    assert "done" == writes(app, JOAO, "bid 1 max 999")
    assert ["play 3S bid 0", "bid 1", "bid 2", "bid 998", "pass take e5"] == moves(app)
    fresh_ones = [
        letter for who, n in zip((BILL, JOAO), before, strict=True) for letter in letters(app, who)[n:]
    ]
    assert fresh_ones
    assert all(len(letter.raw) < 40_000 for letter in fresh_ones)
    assert "bid 998 by Joao, automatically" in last_words(app, JOAO)


def test_to_stay_where_it_loses_is_asked_about_and_confirmed_by_one_word(app: App) -> None:
    begun(app)
    assert "done" == writes(app, BILL, "stay\n\nEnough for me.")
    assert [] == moves(app)
    assert "Do you really want to give the game up, Bill?" in last_words(app, BILL)
    assert "Enough" not in last_words(app, JOAO)
    question = last_letter(app, BILL)
    assert "done" == reply(app, BILL, question, "confirm")
    assert ["stay"] == moves(app)
    over = ending(app)
    assert over is not None
    assert ("rules", 1) == (over.how, over.winner)
    assert "Enough for me." in last_words(app, JOAO)
    assert "refused" == reply(app, BILL, question, "confirm")
    assert ["stay"] == moves(app)


def test_whoever_plays_on_instead_has_given_nothing_up(app: App) -> None:
    begun(app)
    writes(app, BILL, "stay")
    question = last_letter(app, BILL)
    assert "done" == reply(app, BILL, question, "play 1S")
    assert "refused" == reply(app, BILL, question, "confirm")
    assert ["play 1S"] == moves(app)
    assert ending(app) is None


def test_a_second_stay_answers_the_question_about_the_first_and_resign_does_not(app: App) -> None:
    begun(app)
    writes(app, BILL, "stay")
    question = last_letter(app, BILL)
    reply(app, BILL, question, "resign")
    assert ending(app) is None
    assert "done" == reply(app, BILL, question, "Stay")
    assert ["stay"] == moves(app)


def test_to_stay_with_yes_is_played_at_once(app: App) -> None:
    begun(app)
    assert "done" == writes(app, BILL, "stay yes")
    assert ["stay"] == moves(app)
