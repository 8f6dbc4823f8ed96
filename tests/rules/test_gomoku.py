"""Gomoku's rules and its opening, each with its position, beside a slow judge."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from rules import RULES
from rules.contract import replay
from rules.games.gomoku import GomokuPosition, kernel, playing_on
from rules.record import read
from rules.record import replay as replayed
from rules.search import think
from rules.search.arrays import seats
from tests.amount import amount

GOMOKU = RULES["gomoku"]
GOLDEN = Path(__file__).parent / "golden"
THREE = "h8 i9 g7"


def board(black: str, white: str, **options: str) -> GomokuPosition:
    """A position of the free opening with stones on these cells, Black to move."""
    start = GOMOKU.start({"opening": "free", **options})
    assert isinstance(start, GomokuPosition)
    held = {**dict.fromkeys(black.split(), "X"), **dict.fromkeys(white.split(), "O")}
    far = [f"{column}{row}" for row in (15, 13, 11) for column in "acegikmo" if f"{column}{row}" not in held]
    held |= dict.fromkeys(far[: max(0, len(black.split()) - len(white.split()))], "O")
    cells = "".join(held.get(name, ".") for name in start.board.names)
    laid = tuple(2 if held != "." else 0 for held in cells)
    return GomokuPosition(start.rules, start.options, 2 * (len(held) // 2), cells, laid)


# -------------------------------------------------------------------------------------- the opening


def test_nobody_has_a_side_before_somebody_chooses() -> None:
    for plies in ([], [THREE], [THREE, "a1 a2"]):
        position = replay(GOMOKU.start(), plies)
        assert (None, None) == (position.side(0), position.side(1))


@pytest.mark.parametrize(
    ("plies", "sides", "to_play"),
    [
        ([THREE, "black"], ("White", "Black"), 0),
        ([THREE, "a1"], ("Black", "White"), 0),
        ([THREE, "a1 a2", "black"], ("Black", "White"), 1),
        ([THREE, "a1 a2", "a3"], ("White", "Black"), 1),
    ],
)
def test_each_choice_settles_the_sides(plies: list[str], sides: tuple[str, str], to_play: int) -> None:
    position = replay(GOMOKU.start(), plies)
    assert isinstance(position, GomokuPosition)
    assert sides == (position.side(0), position.side(1))
    assert to_play == position.to_play
    assert sides[to_play] == position.players[position.colour][0]
    assert f"{('first', 'second')[sides.index('Black')]} is Black" in position.notes()[0]


def test_stones_of_an_opening_are_black_and_white_in_the_order_written() -> None:
    position = replay(GOMOKU.start(), [THREE, "a1 a2"])
    stones = dict(position.stones())
    assert {"h8", "g7", "a2"} == set(stones["Black (X)"])
    assert {"i9", "a1"} == set(stones["White (O)"])


def test_with_the_free_opening_black_begins() -> None:
    position = replay(GOMOKU.start({"opening": "free"}), ["h8", "i9"])
    assert ("Black", "White") == (position.side(0), position.side(1))


def test_a_position_says_what_may_be_written() -> None:
    assert ["h8", "g9 i9", "black"] != replay(GOMOKU.start(), [THREE]).examples()
    for plies in ([], [THREE], [THREE, "a1 a2"]):
        position = replay(GOMOKU.start(), plies)
        assert all(position.problem(position.read(text)) is None for text in position.examples())


# ------------------------------------------------------------------------------------------ the end


@pytest.mark.parametrize(
    ("black", "move", "won"),
    [
        ("f8 g8 h8 i8", "j8", True),
        ("e8 f8 g8 i8 j8", "h8", False),
        ("e8 f8 g8 i8 j8 h4 h5 h6 h7", "h8", True),
        ("a1 b2 c3 d4", "e5", True),
        ("o1 n2 m3 l4", "k5", True),
        ("a1 a2 a3 b4", "a4", False),
    ],
)
def test_exactly_five_in_a_row_win(black: str, move: str, won: bool) -> None:
    position = board(black, "")
    assert won == (position.play(position.read(move)).outcome is not None)


def test_with_overline_wins_six_win_as_well() -> None:
    position = board("e8 f8 g8 i8 j8", "", overline="wins")
    outcome = position.play(position.read("h8")).outcome
    assert outcome
    assert "Black wins: five or more in a row" == outcome.reason


def test_a_full_board_is_a_draw() -> None:
    position = GOMOKU.start({"size": "7", "opening": "free"})
    rows = ["XXOOXXO", "OOXXOOX", "XXOOXXO", "OOXXOOX", "XXOOXXO", "OOXXOOX", "XXOOXXO"]
    assert isinstance(position, GomokuPosition)
    full = GomokuPosition(position.rules, position.options, 49, "".join(rows), tuple(range(1, 50)))
    assert full.outcome
    assert full.outcome.winner is None


def test_a_whole_game_is_replayed() -> None:
    assert replayed(read((GOLDEN / "gomoku.game").read_text())).position.outcome


# ----------------------------------------------------------------------------------- the slow judge


def slow_five(stones: set[str], exact: bool) -> bool:
    """True if five of these cells stand in one row, by names alone."""
    for name in stones:
        for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            before = f"{chr(ord(name[0]) - across)}{int(name[1:]) - up}"
            if before in stones:
                continue
            length = 1
            while f"{chr(ord(name[0]) + across * length)}{int(name[1:]) + up * length}" in stones:
                length += 1
            if length == 5 or (length > 5 and not exact):
                return True
    return False


@pytest.mark.parametrize(
    "options", [{"size": "7"}, {"size": "7", "overline": "wins"}, {"size": "9"}], ids=str
)
def test_the_slow_judge_agrees(options: dict[str, str]) -> None:
    for seed in range(amount(10, 200)):
        rng, position = Random(seed), GOMOKU.start(options)
        while position.outcome is None:
            position = position.play(position.sample(rng))
            exact, stones = options.get("overline") != "wins", dict(position.stones())
            fives = [side for side, names in stones.items() if slow_five(set(names), exact)]
            assert ([position.outcome.side] if position.outcome and position.outcome.side else []) == [
                label.split()[0] for label in fives
            ]


# ------------------------------------------------------------------------------------- the computer


def test_the_compiled_judgement_is_the_plain_one() -> None:
    for seed in range(amount(20, 300)):
        rng, position = Random(seed), GOMOKU.start({"size": "9", "opening": "free"})
        for _ in range(rng.randrange(1, 30)):
            after = position.play(position.sample(rng))
            if after.outcome:
                break
            position = after
        assert isinstance(position, GomokuPosition)
        plain = playing_on.playout(position, rng).value
        compiled = kernel.play_on(position, rng, 4).value / 4
        assert np.isclose(plain, compiled)
        assert len(seats(position)) == len(position.board)


@pytest.mark.parametrize(
    ("black", "white", "move"),
    [("f8 g8 h8 i8", "a1 a3 c1 c3", {"e8", "j8"}), ("a1 a3 c1 c4", "e8 f8 g8 h8 a7", {"d8", "i8"})],
)
def test_a_computer_makes_five_and_stops_four(black: str, white: str, move: set[str]) -> None:
    position = board(black, white)
    if position.colour:
        position = board(black + " o1", white)
    assert think(position, 2, seed=1, playouts=60).move in move
