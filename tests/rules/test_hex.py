"""Hex's rules, sentence by sentence, and a slow judge beside them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from rules import RULES, find
from rules.contract import BadOption, Position, replay
from rules.picture import text
from rules.search.joining import bit_board, value
from tests.amount import amount
from tests.rules.joining_judge import cells_of, drawn, groups, random_game

HEX = RULES["hex"]
WHOLE = (
    "d4 d5 e5 f7 f6 g7 e6 e7 b5 c7 a6 a7 b7 c4 b3 b2 d2 d3 c3 c2 f4 e3 f3 e2 f2 f1 e1 b4 d6 d7 c6 b6 a5 f5 e4"
).split()


def start(size: int = 11) -> Position:
    return HEX.start({"size": str(size)})


def winners(position: Position, size: int) -> set[str]:
    """The sides with a chain, by letters and rows."""
    cells = cells_of(position)
    black = any({1, size} <= {row for _, row in group} for group in groups(cells["X"]))
    white = any({1, size} <= {letter for letter, _ in group} for group in groups(cells["O"]))
    return {side for side, has in (("Black", black), ("White", white)) if has}


def test_the_usual_board_has_eleven_rows_of_eleven_each_half_a_cell_further_right():
    assert text(start().picture()) == (
        "        [         X         ]\n"
        "11      . . . . . . . . . . . [O]\n"
        " 10  [O] . . . . . . . . . . . [O]\n"
        "   9  [O] . . . . . . . . . . . [O]\n"
        "    8  [O] . . . . . . . . . . . [O]\n"
        "     7  [O] . . . . . . . . . . . [O]\n"
        "      6  [O] . . . . . . . . . . . [O]\n"
        "       5  [O] . . . . . . . . . . . [O]\n"
        "        4  [O] . . . . . . . . . . . [O]\n"
        "         3  [O] . . . . . . . . . . . [O]\n"
        "          2  [O] . . . . . . . . . . . [O]\n"
        "           1  [O] . . . . . . . . . . .\n"
        "                  [         X         ]\n"
        "                    \\ \\ \\ \\ \\ \\ \\ \\ \\ \\ \\\n"
        "                     a b c d e f g h i j k"
    )
    assert ["a11", "k11", "a1", "k1"] == [start().picture().spots[n].name for n in (0, 10, -11, -1)]


@pytest.mark.parametrize("size", range(3, 20))
def test_a_side_has_3_to_19_cells_and_the_board_fits_a_letter(size: int):
    assert size * size == len(start(size).playable())
    assert 74 >= max(map(len, text(start(size).picture(), last=True).splitlines()))


def test_other_sizes_are_refused():
    for size in ("2", "20"):
        with pytest.raises(BadOption, match="size is 3 to 19"):
            HEX.start({"size": size})


def test_hex13_and_hex14_are_names_for_two_boards():
    assert find("hex13") is find("hex14") is HEX
    assert {"size": 14} == HEX.complete_for("hex14", {})


def test_black_begins_and_wins_with_a_group_from_top_to_bottom():
    board = """
      . . X .
       . X O .
        O X O .
         . . . .
    """
    position = drawn(start(4), board)
    assert (None, 0, "Black") == (position.outcome, position.to_play, position.side(0))
    ended = position.play(position.read("a1"))
    assert (0, "Black wins: has a chain from top to bottom") == (ended.outcome.winner, ended.outcome.reason)
    assert position.play(position.read("b1")).outcome.winner == 0
    assert position.play(position.read("c1")).outcome is None


def test_white_wins_with_a_group_from_left_to_right():
    ended = replay(start(3), ["a1", "a2", "c3", "b2", "b1", "c2"])
    assert (1, "White wins: has a chain from left to right") == (ended.outcome.winner, ended.outcome.reason)


def test_the_other_two_sides_are_worth_nothing():
    assert replay(start(3), ["a2", "a1", "b2", "a3", "c2", "b1"]).outcome is None


def test_a_cell_in_a_corner_belongs_to_both_its_sides():
    ended = replay(start(3), ["a1", "c1", "a2", "c2", "a3"])
    assert "Black" == ended.outcome.side
    ended = replay(start(3), ["b2", "a1", "c3", "b1", "a3", "c1"])
    assert "White" == ended.outcome.side


def test_a_game_of_the_hex_wiki_is_won_with_its_last_stone_and_not_before():
    position = start(7)
    for name in WHOLE:
        assert position.outcome is None
        position = position.play(position.read(name))
    assert (35, "Black") == (position.ply, position.outcome.side)


def test_a_swap_exchanges_the_players_and_leaves_the_board():
    position = replay(start(), ["f6", "swap"])
    assert [("Black (X)", ["f6"])] == position.stones()
    assert (0, "White", "Black") == (position.to_play, position.side(0), position.side(1))
    ended = replay(start(3), ["b2", "swap", "a1", "b1", "a2", "b3"])
    assert (1, "Black") == (ended.outcome.winner, ended.outcome.side)


def test_what_a_group_touches_is_told_of_its_own_sides():
    position = replay(start(5), ["c5", "a5", "c4", "a3", "e5"])
    assert ["top", "top", "left", "", "top"] == [
        position.touched(name) for name in ("c5", "c4", "a5", "b1", "e5")
    ]


def test_the_end_is_drawn_with_the_winning_group_and_the_sides_that_it_joins():
    picture = replay(start(4), "c4 c3 b3 d4 b2 b4 d1 d2 a1".split()).picture()
    assert {"c4", "b3", "b2", "a1"} == {spot.name for spot in picture.spots if "win" in spot.marks}
    assert ["joined", "light-side", "joined", "light-side"] == [line.look for line in picture.lines[:4]]
    assert "x" == picture.names["d1"].glyph
    assert ["dark-side", "light-side"] * 2 == [line.look for line in start().picture().lines]


@pytest.mark.parametrize("size", range(3, 8))
def test_a_slow_judge_agrees_after_each_stone(size: int):
    for seed in range(amount(6, 200)):
        for position in random_game(HEX, {"size": str(size)}, seed):
            side = position.outcome and position.outcome.side
            assert ({side} if side else set()) == winners(position, size)


@pytest.mark.parametrize("size", [3, 4, 6, 9])
def test_on_a_full_board_one_player_has_won_and_the_search_knows_who(size: int):
    for seed in range(amount(25, 1000)):
        cells = "XO" * (size * size // 2) + "X" * (size % 2)
        full = replace(start(size), cells="".join(Random(seed).sample(cells, len(cells))))
        bits = bit_board(full.board).bit
        black = sum(bit for bit, held in zip(bits, full.cells, strict=True) if held == "X")
        assert winners(full, size) == {"Black" if value(full.goals, black, 0) == 1 else "White"}
