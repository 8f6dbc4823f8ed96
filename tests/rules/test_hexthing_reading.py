"""Hexagonal Thing reads money, and says so where there is none."""

from __future__ import annotations

import pytest

from rules.contract import Unreadable
from tests.rules.drawn_hexthing import after, played, refusal, selling, start

START = start()


def test_a_change_without_a_sign_is_refused_with_both_spellings():
    with pytest.raises(Unreadable) as error:
        START.read("play 1s change 20")
    assert (
        "change 20: pounds or dollars? Write play 1S change £20 to turn pounds into dollars, or"
        " play 1S change $20 to turn dollars into pounds." == str(error.value)
    )


def test_without_dollars_a_buy_is_opened_with_nothing():
    assert (
        "play 3S: g4 is a Buy, and the opening bid is owed; write play 3S bid 0, for you have no dollars."
        == refusal(start(money=0), "play 3S")
    )


def test_a_move_of_another_game_is_refused_with_a_sentence():
    assert "None is no move of Hexagonal Thing." == START.problem(None)


@pytest.mark.parametrize("text", ["e5", "E5", " e5 "])
def test_a_hex_alone_is_the_one_that_is_due(text):
    assert "take e5" == str(played("play 3S bid 50").read(text))
    sold = after(selling(), "play 1U offer 40", "pass")
    assert ("put", "put e5") == (sold.due, str(sold.read(text)))
    with pytest.raises(Unreadable, match="no hex is due now"):
        START.read(text)
