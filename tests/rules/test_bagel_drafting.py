"""A Bagel ply clicked together: one disc, a second one in line, swap, and every click undone."""

from __future__ import annotations

import pytest

from rules.contract import Illegal, NoMove
from tests.rules.drawn_bagel import drawn
from tests.rules.test_bagel import start


def cells(draft):
    """Cell -> text of a click on it."""
    return {choice.cell: choice.text for choice in draft.choices if choice.cell}


def labels(draft):
    return {choice.label for choice in draft.choices}


def test_every_empty_tile_can_be_the_first_disc():
    draft = start().draft("")
    assert not draft.complete
    assert draft.back is None
    assert {name: name for name in start().playable()} == cells(draft)
    assert "Place a disc on c4, a bagel" in labels(draft)
    assert "Choose a tile for your disc." == draft.hint


def test_the_first_ply_of_the_game_is_complete_with_one_disc():
    draft = start().draft("a1")
    assert draft.complete
    assert {"a1": ""} == cells(draft)
    assert "The first move of the game is one disc alone." == draft.hint


def test_swap_is_a_control_of_the_second_ply_alone():
    once = start().play(start().read("a1"))
    assert ["swap"] == [choice.text for choice in once.draft("").choices if not choice.cell]
    assert once.draft("swap").complete
    assert [] == [choice for choice in start().draft("").choices if not choice.cell]


LIKE = """
       7   . . . .
      6   . . . . .
     5   . . . . . .
    4   . . .   . . .
     3   . X . . . .
      2   . . . b .
       1   b . b b
"""
"""Bagels on a1, c1 and d1 share a row, d2 is in line with the last two; b3 is taken."""


def test_a_second_disc_goes_where_the_suit_is_the_same_and_in_line():
    offered = cells(drawn(LIKE).draft("a1"))
    assert {"a1", "c1", "d1"} <= offered.keys()
    assert "a1 d1" == offered["d1"]
    assert "d2" not in offered
    assert "d2" in cells(drawn(LIKE).draft("d1"))


def test_a_click_on_a_disc_takes_it_back_whichever_it_was():
    both = drawn(LIKE).draft("d1 a1")
    assert "d1 a1" == both.text
    assert "d1" == both.back
    assert {"a1": "d1", "d1": "a1"} == cells(both)
    assert {"a1": ""}.items() <= cells(drawn(LIKE).draft("a1")).items()
    assert {"Take the disc back from d1", "Take the disc back from a1"} == labels(both)


def test_the_order_of_clicks_does_not_matter_to_the_ply():
    position = drawn(LIKE)
    assert "a1 d1" == str(position.read(position.draft("d1 a1").text))


LAST = """
       7   O O O O
      6   O O O O O
     5   O O O O O O
    4   O O O   O X X
     3   X X X X X X
      2   X X X X X
       1   b b X X
"""
"""White has placed 19 discs of 20; two bagels in line are empty."""


def test_no_second_disc_is_offered_with_the_last_of_the_reserve():
    draft = drawn(LAST).draft("a1")
    assert {"a1": ""} == cells(draft)
    assert "This is your last disc." == draft.hint
    assert {"a1": "", "b1": "a1 b1"} == cells(drawn(LAST, ply=3).draft("a1"))


def test_after_the_end_there_is_nothing_to_click():
    over = drawn(LAST.replace("b", "O"))
    assert () == over.draft("").choices
    with pytest.raises(Illegal, match="The game is over"):
        over.draft("a1")


def test_what_no_ply_begins_with_is_refused_as_in_a_letter():
    with pytest.raises(NoMove, match="That is no move of Bagel"):
        start().draft("hello")
    with pytest.raises(Illegal, match="the first move of the game is one disc"):
        start().draft("a1 b1")
    with pytest.raises(Illegal, match="b3 is taken"):
        drawn(LIKE).draft("b3")
