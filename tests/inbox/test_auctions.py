"""Hexagonal Thing by mail: two hidden limits, and a resigning move."""

from __future__ import annotations

from pbem.app import Office
from tests.apps import BILL, JOAO, ending, last_letter, last_words, letters, moves, register, reply, writes


def begun(office: Office, options: str = "") -> None:
    """Game 1 of Hexagonal Thing, Bill first."""
    welcome = register(office, BILL, "Bill")
    register(office, JOAO, "Joao")
    reply(office, BILL, welcome, f"challenge Joao hexthing {options} none first")
    assert "done" == writes(office, JOAO, "accept")


def test_two_limits_of_much_money_are_told_in_short_letters(office: Office) -> None:
    begun(office, "money=999")
    writes(office, BILL, "play 3S bid 0 max 998 take e5")
    before = [len(letters(office, who)) for who in (BILL, JOAO)]
    assert "done" == writes(office, JOAO, "bid 1 max 999")
    assert ["play 3S bid 0", "bid 1", "bid 2", "bid 998", "pass take e5"] == moves(office)
    fresh_ones = [
        letter for who, n in zip((BILL, JOAO), before, strict=True) for letter in letters(office, who)[n:]
    ]
    assert fresh_ones
    assert all(len(letter.raw) < 40_000 for letter in fresh_ones)
    assert "bid 998 by Joao, automatically" in last_words(office, JOAO)


def test_to_stay_where_it_loses_is_asked_about_and_confirmed_by_one_word(office: Office) -> None:
    begun(office)
    assert "done" == writes(office, BILL, "stay\n\nEnough for me.")
    assert [] == moves(office)
    assert "Do you really want to give the game up, Bill?" in last_words(office, BILL)
    assert "Enough" not in last_words(office, JOAO)
    question = last_letter(office, BILL)
    assert "done" == reply(office, BILL, question, "confirm")
    assert ["stay"] == moves(office)
    over = ending(office)
    assert over is not None
    assert ("rules", 1) == (over.how, over.winner)
    assert "Enough for me." in last_words(office, JOAO)
    assert "refused" == reply(office, BILL, question, "confirm")
    assert ["stay"] == moves(office)


def test_whoever_plays_on_instead_has_given_nothing_up(office: Office) -> None:
    begun(office)
    writes(office, BILL, "stay")
    question = last_letter(office, BILL)
    assert "done" == reply(office, BILL, question, "play 1S")
    assert "refused" == reply(office, BILL, question, "confirm")
    assert ["play 1S"] == moves(office)
    assert ending(office) is None


def test_to_stay_with_yes_is_played_at_once(office: Office) -> None:
    begun(office)
    assert "done" == writes(office, BILL, "stay yes")
    assert ["stay"] == moves(office)
