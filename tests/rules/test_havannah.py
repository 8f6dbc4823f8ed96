"""Havannah's rules, sentence by sentence, and a slow judge beside them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from rules import RULES, find
from rules.contract import BadOption, Position, replay
from rules.joining import Joining
from rules.picture import text
from rules.search import joining_kernel as kernel
from rules.search.arrays import seats
from rules.search.joining import bit_board, playout, value
from tests.amount import amount
from tests.rules.joining_judge import Cell, beside, cells_of, drawn, groups, has_ring, laid, random_game

HAVANNAH = RULES["havannah"]


def start(size: int = 8) -> Position:
    return HAVANNAH.start({"size": str(size)})


def sides_of(board: set[Cell]) -> list[set[Cell]]:
    """The six sides without their corners: cells of the boundary on one straight line."""
    edge = {one for one in board if not beside(one) <= board}
    corners = {one for one in edge if len(beside(one) & board) == 3}
    lines: dict[tuple[str, int], set[Cell]] = {}
    for letter, row in edge - corners:
        for line in (("letter", letter), ("row", row), ("both", letter - row)):
            lines.setdefault(line, set()).add((letter, row))
    length = max(map(len, lines.values()))
    assert length >= 2
    found = [cells for cells in lines.values() if len(cells) == length]
    return [cells for cells in found if any(beside(one) & cells for one in cells)]


def figures(position: Position) -> dict[str, set[str]]:
    """What each glyph has, by letters and rows."""
    cells = cells_of(position)
    board = cells["all"]
    corners, sides = {one for one in board if len(beside(one) & board) == 3}, sides_of(board)
    assert (6, 6) == (len(corners), len(sides))
    found: dict[str, set[str]] = {"O": set(), "X": set()}
    for glyph, had in found.items():
        for group in groups(cells[glyph]):
            had |= {"a bridge"} if len(group & corners) > 1 else set()
            had |= {"a fork"} if sum(bool(group & side) for side in sides) > 2 else set()
            had |= {"a ring"} if has_ring(group, board) else set()
    return found


def white(stones: str) -> Position:
    """A board of size 4 with these white stones, the last one just laid, and black ones elsewhere."""
    position = start(4)
    own = stones.split()
    others = "g7 a1 e2 f6 c6 a4 f5 d2 b2 g5 e7 c2".split()
    others = [name for name in others if name not in own][: len(own) - 1]
    return laid(position, stones, " ".join(others))


def had(stones: str) -> str:
    outcome = white(stones).outcome
    return outcome.reason if outcome else ""


def test_the_usual_board_has_169_cells_and_side_8():
    position = start()
    assert 169 == len(position.playable())
    assert {"a1", "h1", "o8", "o15", "h15", "a8"} <= {*position.playable()}
    assert text(position.picture()).splitlines()[7] == "8   . . . . . . . . . . . . . . ."


@pytest.mark.parametrize("size", range(4, 11))
def test_a_side_has_4_to_10_cells_and_the_board_fits_a_letter(size: int):
    assert 3 * size * (size - 1) + 1 == len(start(size).playable())
    assert 74 >= max(map(len, text(start(size).picture(), last=True).splitlines()))


def test_other_sizes_are_refused_and_havannah10_is_a_name():
    for size in ("3", "11"):
        with pytest.raises(BadOption, match="size is 4 to 10"):
            HAVANNAH.start({"size": size})
    assert find("havannah10") is HAVANNAH


def test_white_begins_and_a_swap_exchanges_the_players():
    position = start()
    assert (0, "White", "Black") == (position.to_play, position.side(0), position.side(1))
    position = replay(position, ["h8", "swap"])
    assert [("White (O)", ["h8"])] == position.stones()
    assert (0, "Black") == (position.to_play, position.side(0))


def test_two_corners_in_one_group_are_a_bridge():
    assert "White wins: has a bridge" == had("a1 b1 d1 c1")
    assert "" == had("b1 d1 c1")


@pytest.mark.parametrize("last", ["b1", "b3", "c4", "f3"])
def test_three_sides_in_one_group_are_a_fork(last: str):
    stones = "b1 b2 b3 b4 b5 c4 d4 e4 f4 f3".split()
    rest = [name for name in stones if name != last]
    assert "White wins: has a fork" == had(" ".join([*rest, last]))
    assert "" == had(" ".join(rest))


def test_a_corner_belongs_to_no_side():
    assert "" == had("b1 b2 a2 a3 a4")


@pytest.mark.parametrize("last", ["c3", "c4", "d3", "d5", "e4", "e5"])
@pytest.mark.parametrize("inside", ["O", "X", "."])
def test_six_stones_round_a_cell_are_a_ring_whatever_is_on_it(last: str, inside: str):
    rest = [name for name in "c3 c4 d3 d5 e4 e5".split() if name != last]
    own = ["d4", *rest] if inside == "O" else rest
    others = ["d4"] if inside == "X" else []
    others += "g7 a1 e2 f6 c6 b2".split()[: len(own) - len(others)]
    position = laid(start(4), " ".join(own), " ".join(others))
    assert position.outcome is None
    ended = position.play(position.read(last))
    assert (0, "White wins: has a ring") == (ended.outcome.winner, ended.outcome.reason)
    assert {*rest, last} <= {spot.name for spot in ended.picture().spots if "win" in spot.marks}


def test_a_ring_of_own_stones_may_be_closed_from_within():
    assert "White wins: has a ring" == had("c3 c4 d3 d5 e4 d4 e5")


def test_a_large_ring_goes_round_several_cells():
    assert "White wins: has a ring" == had("c3 d3 e3 f4 f5 e5 d5 c4")


def test_three_stones_in_a_triangle_are_no_ring():
    assert "" == had("d4 d5 e5")


def test_a_ring_cannot_lean_on_the_edge():
    assert "" == had("b1 b2 c3 d3 d2")


def test_one_stone_may_make_several_figures_at_once():
    assert "White wins: has a bridge and a fork" == had("a1 a2 d1 c1 e2 b1")


DRAW = """
       O X O X
      X X O X O
     O O X O X X
    X O O O X O O
     X O O X O X
      X O X O X
       O X O X
"""


def test_a_full_board_on_which_nobody_has_anything_is_a_draw():
    position = drawn(start(4), DRAW, "OX")
    assert {"O": set(), "X": set()} == figures(position)
    assert (None, "The board is full: a draw") == (position.outcome.winner, position.outcome.reason)
    assert not [spot for spot in position.picture().spots if "win" in spot.marks]


def test_what_a_group_touches_is_told_in_words():
    position = replay(start(4), "b1 d7 a1 e7 a3 d4".split())
    assert "bottom side and corner a1" == position.touched("b1")
    assert "top side and corner d7" == position.touched("e7")
    assert ("lower left side", "") == (position.touched("a3"), position.touched("d4"))


@pytest.mark.parametrize("size", [4, 5, 6])
def test_a_slow_judge_agrees_after_each_stone(size: int):
    for seed in range(amount(5, 200)):
        for position in random_game(HAVANNAH, {"size": str(size)}, seed):
            found, outcome = figures(position), position.outcome
            if outcome and outcome.side:
                own, foe = ("O", "X") if outcome.side == "White" else ("X", "O")
                assert outcome.reason == f"{outcome.side} wins: has {' and '.join(sorted(found[own]))}"
                assert not found[foe]
            else:
                assert not found["O"] | found["X"]


@pytest.mark.parametrize("size", [4, 6])
def test_on_a_full_board_the_search_finds_what_the_slow_judge_finds(size: int):
    for seed in range(amount(30, 1000)):
        position = start(size)
        assert isinstance(position, Joining)
        cells = "".join(Random(seed).choices("OX", [2, 3 if seed % 2 else 2], k=len(position.cells)))
        full = replace(position, cells=cells)
        bits = bit_board(full.board).bit
        own = sum(bit for bit, held in zip(bits, cells, strict=True) if held == "O")
        assert bool(figures(full)["O"]) == (value(full.goals, own, 0) == 1)


@pytest.mark.parametrize("size", [4, 6])
def test_a_playout_of_the_kernel_ends_where_the_rules_do(size: int):
    for seed in range(amount(20, 1000)):
        *_, before, ended = random_game(HAVANNAH, {"size": str(size)}, seed)
        assert isinstance(before, Joining)
        assert isinstance(ended, Joining)
        plies = sorted((ply, cell) for cell, ply in enumerate(ended.laid) if ply)
        order = np.array([cell for _, cell in plies])
        cells = np.full(len(ended.cells), -1)
        known = kernel.facts(ended.goals)
        groups_ = kernel.start_groups(cells, known.around, known.shore)
        first = seats(replace(ended, swapped=False))[order[0]]
        end = kernel.first_figure(
            cells, order, first, known.around, *groups_, known.figures, known.values, known.rings
        )
        won = ended.side(0) == "White" if end == 1.0 else ended.side(0) == "Black"
        assert (ended.outcome.winner is None and end == 0.5) or won == (ended.outcome.winner == 0)


def test_a_playout_from_a_late_position_finds_the_only_winner():
    position = laid(start(4), "a1 b1 d1", "d5 e5 c5")
    results = {playout(position, Random(seed)).value for seed in range(60)}
    assert {0.0, 1.0} >= results
    assert 1.0 in results
