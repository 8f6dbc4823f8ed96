"""Hadron's rules, sentence by sentence, and a slow judge that shares no code with them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from rules import RULES
from rules.contract import BadOption, Position, replay
from rules.games.hadron import HadronPosition
from rules.picture import text
from rules.record import read, write
from rules.record import replay as replayed
from tests.amount import amount

HADRON = RULES["hadron"]
FOLDER = Path(__file__).parents[2] / "templates" / "rules"
GOLDEN = Path(__file__).parent / "golden"
SHEET = """
5 . X - . .
4 O . X - -
3 - O - X X
2 O - - O O
1 X X - - -
  a b c d e
"""
"""The second figure of the designer's rule sheet, with Blue to move."""


def drawn(board: str) -> HadronPosition:
    """The position drawn on the usual board; the stones were laid in as many plies."""
    start = HADRON.start()
    held = "".join(sign for line in board.splitlines()[1:6] for sign in line[1:].split()).replace("-", ".")
    laid = tuple(int(sign != ".") for sign in held)
    return HadronPosition(start.rules, start.options, sum(laid), held, laid)


def perft(position: Position, depth: int) -> int:
    """The number of ways to go on by so many plies; a finished game has none."""
    if depth == 0:
        return 1
    return sum(perft(position.follow(move), depth - 1) for move in position.moves())


def test_red_begins_on_an_empty_board_of_5_by_5():
    position = HADRON.start()
    assert text(position.picture()) == "\n".join(
        [*(f"{n} . . . . ." for n in range(5, 0, -1)), "  a b c d e"]
    )
    assert (0, "Red", "Blue") == (position.to_play, position.side(0), position.side(1))


@pytest.mark.parametrize("size", [5, 7, 9, 11])
def test_sizes_are_odd(size):
    assert size * size == len(HADRON.start({"size": str(size)}).playable())
    with pytest.raises(BadOption, match=r"^size=6 cannot be: size is 5 or 7 or 9 or 11\.$"):
        HADRON.start({"size": "6"})


def test_the_figure_of_the_rule_sheet_has_its_four_cells_and_its_end():
    position = drawn(SHEET)
    assert (11, "Blue") == (position.ply, position.side(position.to_play or 0))
    assert {"a5", "b4", "d5", "e5"} == set(position.playable())
    assert SHEET.strip("\n") == text(position.picture())
    assert SHEET.strip("\n").splitlines() == [
        line[2:] for line in (FOLDER / "hadron.txt").read_text().splitlines() if line in _indented(SHEET)
    ]
    position = replay(position, ["a5", "b4", "d5"])
    assert "Blue wins: Red has no cell to lay a stone on" == position.outcome.reason
    assert (1, []) == (position.outcome.winner, position.playable())


def _indented(board: str) -> list[str]:
    return [f"  {line}" for line in board.strip("\n").splitlines()]


def test_stones_aslant_do_not_count_and_a_refusal_says_why():
    position = drawn(SHEET)
    assert position.problem(position.read("c3")) == (
        "c3 touches 2 red and 1 blue stones; it needs as many of each;"
        " the nearest cell that may be played is b4."
    )
    assert "b5 is taken (a red stone, move 1)." == position.problem(position.read("b5"))


def test_the_number_of_ways_to_go_on_is_the_known_one():
    assert [25, 520, 9032] == [perft(HADRON.start(), depth) for depth in (1, 2, 3)]


@pytest.mark.whole
def test_the_number_of_ways_to_go_on_by_four_plies_is_the_known_one():
    assert 129896 == perft(HADRON.start(), 4)


def test_there_is_no_swap():
    position = replay(HADRON.start(), ["c3"])
    assert "swap" not in map(str, position.moves())
    assert "swap: this game is played without the pie rule." == position.problem(position.read("swap"))
    assert ["Blue lays a stone on a cell that touches as many red as blue stones."] == position.notes()


def test_a_whole_game_is_told_as_its_record_says():
    game = (GOLDEN / "hadron.game").read_text()
    assert game == write(read(game))
    assert replayed(read(game)).outcome


# --------------------------------------------------------------------------------- the slow judge


def legal(size: int, stones: dict[tuple[int, int], str]) -> set[tuple[int, int]]:
    found = set()
    for x in range(size):
        for y in range(size):
            beside = [stones.get(place) for place in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))]
            if (x, y) not in stones and beside.count("X") == beside.count("O"):
                found.add((x, y))
    return found


def ways(size: int, stones: dict[tuple[int, int], str], depth: int) -> int:
    """The judge's own count of the ways to go on."""
    if depth == 0:
        return 1
    own = "XO"[len(stones) % 2]
    return sum(ways(size, {**stones, place: own}, depth - 1) for place in legal(size, stones))


def test_the_slow_judge_counts_what_is_known_of_3_by_3():
    assert [9, 48, 176, 440, 912] == [ways(3, {}, depth) for depth in range(1, 6)]


@pytest.mark.parametrize("size", [5, 7, 11])
def test_random_games_go_and_end_as_the_slow_judge_says(size):
    for seed in range(amount(10, 300)):
        rng, position = Random(seed), HADRON.start({"size": str(size)})
        stones: dict[tuple[int, int], str] = {}
        while position.outcome is None:
            names = {f"{chr(97 + x)}{y + 1}" for x, y in legal(size, stones)}
            assert names == set(position.playable())
            move = position.sample(rng)
            stones[ord(str(move)[0]) - 97, int(str(move)[1:]) - 1] = "XO"[len(stones) % 2]
            position = position.play(move)
        assert not legal(size, stones)
        assert (len(stones) - 1) % 2 == position.outcome.winner
