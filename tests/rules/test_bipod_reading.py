"""Bipod reads what no other game has: groups of cells, and letters that are capitals or not."""

from __future__ import annotations

import pytest

from rules import RULES
from rules.contract import Unreadable, replay

START = RULES["bipod"].start()


def test_a_capital_on_a_taken_cell_points_to_the_free_one():
    position = replay(START, ["F2"])
    assert "F2 is taken (a block, move 1); f2 is free." == position.problem(position.read("F2"))


def test_with_one_stone_a_ply_the_sentence_says_so():
    position = RULES["bipod"].start({"stones": "1"})
    assert "f2 f4: that is 2 cells in one move; now a move is 1 block, or adopt." == position.problem(
        position.read("f2 f4")
    )


@pytest.mark.parametrize(
    ("line", "group", "readings"),
    [
        ("mo13", "mo13", "m1 m3 o1 o3 or m1 o3"),
        ("f2 mo13", "mo13", "f2 m1 m3 o1 o3 or f2 m1 o3"),
        ("moq13", "moq13", "m1 m3 o1 o3 q1 q3"),
        ("mn12", "mn12", "m1 n2"),
        ("mo13 eg13", "mo13", "every cell apart"),
    ],
)
def test_several_columns_with_several_rows_are_refused_with_both_readings(line, group, readings):
    with pytest.raises(Unreadable) as error:
        START.read(line)
    sentence = f"{group}: several columns with several rows are not clear; write {readings}."
    assert sentence == str(error.value)


def test_unclear_groups_without_a_reading_on_the_board_are_refused_too():
    with pytest.raises(Unreadable) as error:
        START.read("mo24")
    assert "mo24: several columns with several rows are not clear; write every cell apart." == str(
        error.value
    )


def test_a_line_of_many_unclear_groups_is_refused_at_once():
    with pytest.raises(Unreadable):
        START.read("mo13" * 50)
