"""Unlur's rules, sentence by sentence, and a slow judge beside them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from rules import RULES
from rules.contract import BadOption, Illegal, Position, replay
from rules.joining import Joining
from rules.search.joining import playout
from tests.amount import amount
from tests.rules.joining_judge import Cell, beside, cell, cells_of, groups, random_game

UNLUR = RULES["unlur"]
Y = "h11 g10 f9 f8 f7 g7 d6 e6 g6 c5 g5 h5 b4 h4 i4 a3"
LINE = "h11 g10 f9 f8 f7 e6 e5 f5 f4 f3 e2 d1"
BOTH = "d1 d2 d3 d4 c4 b4 a4 e5 f6 g7"


def start(size: int = 8) -> Position:
    return UNLUR.start({"size": str(size)})


def sides_of(board: set[Cell]) -> list[set[Cell]]:
    """The six sides with their corners, in the order in which they lie round the board."""
    letters, rows = [letter for letter, _ in board], [row for _, row in board]
    far = max(letter - row for letter, row in board)
    return [
        {one for one in board if one[1] == max(rows)},
        {one for one in board if one[0] == max(letters)},
        {one for one in board if one[0] - one[1] == far},
        {one for one in board if one[1] == 1},
        {one for one in board if one[0] == 1},
        {one for one in board if one[0] - one[1] == -far},
    ]


def figures(cells: set[Cell], board: set[Cell]) -> set[str]:
    found, sides = set[str](), sides_of(board)
    for group in groups(cells):
        touched = [bool(group & side) for side in sides]
        found |= {"Y"} if all(touched[::2]) or all(touched[1::2]) else set()
        found |= {"line"} if any(touched[n] and touched[n + 3] for n in range(3)) else set()
    return found


def colours(position: Position) -> tuple[set[str], set[str]]:
    """The figures of Black and of White."""
    cells = cells_of(position)
    return figures(cells["X"], cells["all"]), figures(cells["O"], cells["all"])


def with_last(stones: str, last: str, size: int, glyph: str) -> Position:
    """A board with one colour's stones, of which the last is just laid, and no stones of the other's."""
    begun = replay(start(size), ["adopt"] if glyph == "O" else ["adopt", "a1"])
    assert isinstance(begun, Joining)
    if glyph == "X":
        begun = replace(begun, cells="." * len(begun.cells), groups=((), ()), latest=type(begun.latest)(0, 0))
    for name in (*(name for name in stones.split() if name != last), last):
        begun = begun.lay((name,), glyph)
    return begun


def ending(stones: str, last: str, size: int, glyph: str) -> str:
    outcome = with_last(stones, last, size, glyph).outcome
    return outcome.reason if outcome else ""


@pytest.mark.parametrize("last", Y.split())
def test_black_wins_with_three_sides_that_do_not_meet(last: str):
    assert "Black wins: has a Y" == ending(Y, last, 6, "X")
    rest = " ".join(name for name in Y.split() if name != last)
    assert "" == ending(rest, rest.split()[-1], 6, "X")


def test_white_wins_with_two_opposite_sides():
    assert "White wins: has a line" == ending(LINE, "f7", 6, "O")


def test_the_figure_of_the_other_loses():
    assert "White wins: Black has a line without a Y" == ending(LINE, "f7", 6, "X")
    assert "Black wins: White has a Y without a line" == ending(Y, "g7", 6, "O")


@pytest.mark.parametrize(("glyph", "told"), [("X", "Black wins: has a Y"), ("O", "White wins: has a line")])
def test_whoever_makes_both_figures_at_once_wins(glyph: str, told: str):
    assert told == ending(BOTH, "d4", 4, glyph)


def test_whoever_adopts_is_black_and_white_moves_at_once():
    for plies, black in ((["adopt"], 0), (["h8", "adopt"], 1), (["h8", "i9", "adopt"], 0)):
        position = replay(start(), plies)
        assert "Black" == position.side(black)
        assert (1 - black, "White") == (position.to_play, position.side(position.to_play))
        after = position.play(position.read("c3"))
        assert "O" == after.cells[after.board.index["c3"]]
        assert black == after.to_play


def test_nobody_has_a_side_and_all_stones_are_black_before():
    position = replay(start(), ["h8", "i9"])
    assert (None, None) == (position.side(0), position.side(1))
    assert [("Black (X)", ["i9", "h8"])] == position.stones()


def test_the_edge_is_shut_until_somebody_adopts():
    position = start(4)
    assert 19 == len(position.playable())
    with pytest.raises(Illegal, match="a1 is at the edge"):
        position.play(position.read("a1"))
    assert 37 == len(position.play(position.read("adopt")).playable())


def test_adopt_is_all_that_is_left_if_the_middle_is_full():
    position = start(4)
    for name in position.playable():
        position = position.play(position.read(name))
    assert position.outcome is None
    assert (["adopt"], []) == (position.examples(), position.playable())
    assert ["adopt"] == list(map(str, position.moves()))
    assert "adopt" == str(position.sample(Random(1)))
    with pytest.raises(Illegal, match=r"d4 is taken \(a black stone, move \d+\)\."):
        position.play(position.read("d4"))
    assert position.draft("").choices


def test_other_sizes_are_refused():
    for size in ("3", "11"):
        with pytest.raises(BadOption, match="size is 4 to 10"):
            UNLUR.start({"size": size})


def test_corners_belong_to_two_sides():
    position = replay(start(4), ["adopt", "a1"])
    assert "sides 4 and 5" == position.touched("a1")
    assert 3 == len(beside(cell("a1")) & cells_of(position)["all"])


@pytest.mark.parametrize("size", [4, 5, 6])
def test_a_slow_judge_agrees_after_each_stone(size: int):
    for seed in range(amount(10, 300)):
        for position in random_game(UNLUR, {"size": str(size)}, seed):
            black, white = colours(position)
            if position.outcome is None:
                assert not black | white
            else:
                mover_is_black = position.last_colour == 0
                won = "Y" in black if mover_is_black else "line" not in white
                assert ("Black" if won else "White") == position.outcome.side


def test_a_full_board_always_has_a_winner():
    for seed in range(amount(100, 5000)):
        rng = Random(seed)
        cells = cells_of(start(4))["all"]
        black = {one for one in cells if rng.random() < 0.5}
        both = figures(black, cells), figures(cells - black, cells)
        assert both[0] | both[1]
        assert not ("Y" in both[0] and "line" in both[1])


def test_random_games_know_who_would_be_black():
    position = start(4)
    for name in "d4 e4 c4 e5 c3 d3 d5".split():
        position = position.play(position.read(name))
    mean = sum(playout(position, Random(seed)).value for seed in range(100)) / 100
    adopted = position.play(position.read("adopt"))
    after = sum(playout(adopted, Random(seed)).value for seed in range(100)) / 100
    assert 0.2 > abs(mean - after)
