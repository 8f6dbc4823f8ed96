"""Atoll's rules, sentence by sentence, with the figures of the sheet, and a slow judge beside them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from rules import RULES
from rules.contract import BadOption, Position, replay
from rules.joining import Joining
from rules.picture import cell_table, text
from rules.search import joining_kernel as kernel
from rules.search.arrays import seats
from rules.search.joining import bit_board, value
from tests.amount import amount
from tests.rules.joining_judge import Cell, beside, cells_of, groups, laid, random_game

ATOLL = RULES["atoll"]

ISLANDS = {
    1: "f11 g11 h11 i11 j11",
    2: "j11 k11 l11 m11 n11",
    3: "n11 n10 m9 m8 l7 l6",
    4: "l6 k5 k4 j3 j2 i1",
    5: "i1 h1 g1 f1 e1",
    6: "e1 d1 c1 b1 a1",
    7: "a1 a2 b3 b4 c5 c6",
    8: "c6 d7 d8 e9 e10 f11",
}
FIGURE_2 = (
    "c2 g4 h4 j4 k4 g5 i5 j5 g6 h6 h7 e8 f8 g8 h8 e9 g9",
    "f1 g1 d2 e2 f2 c3 d3 e3 b4 c4 j8 l9 m9 n10 i11 j11",
)
FIGURE_3 = (
    "d1 h1 i1 e2 f2 h2 f3 g3 h3 d6 l6 f7 k7 l7 k8 l9 l10 m10 m11",
    "e1 c3 d3 b4 c5 d5 e6 g6 h6 i6 e7 g7 f8 g8 g9 h9 h10 h11",
)


def start(size: int = 11, pie: str = "yes") -> Position:
    return ATOLL.start({"size": str(size), "pie": pie})


def figure(stones: tuple[str, str], last: str) -> tuple[Position, Position]:
    """The board of a figure before and after its `last` stone."""
    black = " ".join(name for name in stones[0].split() if name != last)
    position = laid(start(), black, stones[1])
    return position, position.play(position.read(last))


def islands_of(board: set[Cell]) -> dict[int, set[Cell]]:
    """The eight islands' cells: walked round the edge from the top left, halved at the middles."""
    top, bottom = (pick(row for _, row in board) for pick in (max, min))
    middle = (top + bottom) // 2
    rows = {row: sorted(letter for letter, there in board if there == row) for row in range(bottom, top + 1)}
    half = len(rows[top]) // 2
    up, down = range(middle, top + 1), range(bottom, middle + 1)
    return {
        1: {(letter, top) for letter in rows[top][: half + 1]},
        2: {(letter, top) for letter in rows[top][half:]},
        3: {(rows[row][-1], row) for row in up},
        4: {(rows[row][-1], row) for row in down},
        5: {(letter, bottom) for letter in rows[bottom][half:]},
        6: {(letter, bottom) for letter in rows[bottom][: half + 1]},
        7: {(rows[row][0], row) for row in down},
        8: {(rows[row][0], row) for row in up},
    }


def winners(position: Position) -> set[str]:
    """The sides that have joined two opposite islands, by letters and rows, island after island."""
    cells, won = cells_of(position), set()
    islands = islands_of(cells["all"])
    for side, glyph, own in (("Black", "X", (2, 4, 6, 8)), ("White", "O", (1, 3, 5, 7))):
        for first in own:
            reached, grown = {first}, True
            while grown:
                met = [g for g in groups(cells[glyph]) if any(g & islands[n] for n in reached)]
                more = {n for n in own if any(g & islands[n] for g in met)} | reached
                grown, reached = more != reached, more
            if (first + 3) % 8 + 1 in reached:
                won.add(side)
    return won


def test_the_usual_board_has_104_cells_in_rows_of_nine_and_ten():
    position = start()
    assert text(position.picture()) == (
        "         [   1   |   2   ]\n"
        " 11  [8] . . . . . . . . . [3]\n"
        "10  [8] . . . . . . . . . . [3]\n"
        "  9  [8] . . . . . . . . . [3] \\ n\n"
        " 8  [8] . . . . . . . . . . [3]\n"
        "  7  [8] . . . . . . . . . [3] \\ m\n"
        " 6      . . . . . . . . . .\n"
        "  5  [7] . . . . . . . . . [4] \\ l\n"
        " 4  [7] . . . . . . . . . . [4]\n"
        "  3  [7] . . . . . . . . . [4] \\ k\n"
        " 2  [7] . . . . . . . . . . [4]\n"
        "  1  [7] . . . . . . . . . [4] \\ j\n"
        "         [   6   |   5   ]\n"
        "           \\ \\ \\ \\ \\ \\ \\ \\ \\\n"
        "            a b c d e f g h i"
    )
    assert 104 == len(position.playable())
    ends = {"a1", "i1", "a2", "j2", "b3", "j3", "b4", "k4", "c5", "k5", "c6", "l6", "d7", "l7", "d8", "m8"}
    assert ends | {"e9", "m9", "e10", "n10", "f11", "n11"} <= {*position.playable()}


@pytest.mark.parametrize("island", ISLANDS)
def test_each_island_is_touched_by_the_cells_of_the_sheet(island: int):
    position = start()
    assert isinstance(position, Joining)
    goals = position.goals
    touched = {
        name for name, shore in zip(goals.board.names, goals.shore, strict=True) if shore >> island - 1 & 1
    }
    assert {*ISLANDS[island].split()} == touched


@pytest.mark.parametrize(("size", "cells"), [(7, 38), (11, 104), (15, 202), (19, 332)])
def test_every_size_has_its_cells_and_eight_shared_ones(size: int, cells: int):
    position = start(size)
    assert isinstance(position, Joining)
    assert cells == len(position.playable())
    assert 8 == sum(shore.bit_count() == 2 for shore in position.goals.shore)
    edge = {n for n, near in enumerate(position.board.near) if len(near) < 6}
    assert edge == {n for n, shore in enumerate(position.goals.shore) if shore}
    assert 74 >= max(map(len, text(position.picture(), last=True).splitlines()))


def test_on_the_small_board_the_shared_cells_are_these():
    goals = start(7).goals  # type: ignore[attr-defined]
    shared = [
        name for name, shore in zip(goals.board.names, goals.shore, strict=True) if shore.bit_count() == 2
    ]
    assert {"f7", "h7", "g4", "e1", "c1", "a1", "b4", "d7"} == {*shared}


def test_other_sizes_are_refused():
    for size in ("3", "9", "12", "23"):
        with pytest.raises(BadOption, match="size is 7, 11, 15 or 19"):
            ATOLL.start({"size": size})


def test_black_begins_and_the_swap_may_be_left_out():
    position = replay(start(), ["g6", "swap"])
    assert (0, "White") == (position.to_play, position.side(0))
    position = start(pie="no").play(start().read("g6"))
    assert "swap: this game is played without the pie rule." == position.problem(position.read("swap"))
    assert "swap" not in [str(move) for move in position.moves()]


def test_in_figure_2_black_joins_islands_4_and_8():
    before, ended = figure(FIGURE_2, "h7")
    assert before.outcome is None
    assert "Black wins: has a chain from island 4 to island 8" == ended.outcome.reason


def test_in_figure_3_black_joins_2_and_6_by_way_of_island_4():
    before, ended = figure(FIGURE_3, "l6")
    assert before.outcome is None
    assert "Black wins: has a chain from island 2 to island 6" == ended.outcome.reason
    assert "islands 2, 4 and 6" == ended.touched("d1")
    looks = [line.look for line in ended.picture().lines[:8]]
    assert ["light-side", "joined"] * 3 + ["light-side", "dark-side"] == looks


def test_islands_of_the_other_colour_join_nothing():
    position = laid(start(7), "d7 f7", "a1 b4")
    assert (2, 1) == tuple(map(len, position.groups))  # type: ignore[attr-defined]
    position = laid(start(7), "g7 h7", "d7 e7")
    assert (1, 1) == tuple(map(len, position.groups))  # type: ignore[attr-defined]
    assert "island 2" == position.touched("g7")
    position = laid(start(7), "b4 d7", "d4 a1 b3")
    assert (1, 2) == tuple(map(len, position.groups))  # type: ignore[attr-defined]


def test_two_islands_that_are_not_opposite_are_not_enough():
    assert laid(start(7), "g7 g6 g5 g4", "c5 d5 c4").outcome is None


def test_the_table_has_the_letters_of_the_right_side_behind_the_islands():
    rows = [
        "".join((cell.spot.glyph if cell.spot else cell.text).ljust(cell.span) for cell in row.cells).rstrip()
        for row in cell_table(start(7).picture()).rows
    ]
    assert " 8 . . . . . 3 h" == rows[3]
    assert "   a b c d e" == rows[-1]


@pytest.mark.parametrize("size", [7, 11])
def test_a_slow_judge_agrees_after_each_stone(size: int):
    for seed in range(amount(4, 100)):
        for position in random_game(ATOLL, {"size": str(size)}, seed):
            side = position.outcome and position.outcome.side
            assert ({side} if side else set()) == winners(position)


@pytest.mark.parametrize("size", [7, 11, 15])
def test_on_a_full_board_one_player_has_won_and_the_search_knows_who(size: int):
    known = kernel.facts(start(size).goals)  # type: ignore[attr-defined]
    for seed in range(amount(20, 1000)):
        position = start(size)
        assert isinstance(position, Joining)
        half = len(position.cells) // 2
        cells = "".join(Random(seed).sample("X" * half + "O" * half, 2 * half))
        full = replace(position, cells=cells)
        (side,) = winners(full)
        bits = bit_board(full.board).bit
        for colour, glyph in enumerate("XO"):
            own = sum(bit for bit, held in zip(bits, cells, strict=True) if held == glyph)
            won = side == ("Black", "White")[colour]
            assert won == (value(full.goals, own, colour) == 1)
            facts = known.around, known.shore, known.figures, known.values[colour], known.links[colour]
            assert won == kernel.wins(seats(full), colour, *facts)


def test_beside_is_the_grid_of_hexes():
    position = start(7)
    names = {spot.name: (spot.x, spot.y) for spot in position.picture().spots}
    assert isinstance(position, Joining)
    for name, near in zip(position.board.names, position.board.near, strict=True):
        one = ord(name[0]) - 96, int(name[1:])
        others = {f"{chr(96 + letter)}{row}" for letter, row in beside(one)} & {*names}
        assert others == {position.board.names[other] for other in near}
