"""Breakthrough's rules, each with its position, beside a slow judge that walks over names of cells."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from rules import RULES
from rules.contract import Illegal, Position, replay
from rules.moving import Moving
from rules.picture import text
from rules.record import read
from rules.record import replay as replayed
from tests.amount import amount

BREAKTHROUGH = RULES["breakthrough"]
GOLDEN = Path(__file__).parent / "golden"


def board(to_play: int, white: str, black: str, size: int = 8) -> Moving:
    """A position with men on these cells."""
    start = BREAKTHROUGH.start({"size": str(size)})
    assert isinstance(start, Moving)
    held = {**dict.fromkeys(white.split(), "O"), **dict.fromkeys(black.split(), "X")}
    cells = "".join(held.get(name, ".") for name in start.board.names)
    return type(start)(start.rules, start.options, to_play, cells, start.laid)


def legal(position: Position) -> set[str]:
    return set(map(str, position.moves()))


def perft(position: Position, plies: int) -> int:
    if plies == 0:
        return 1
    return sum(perft(position.follow(move), plies - 1) for move in position.moves())


@pytest.mark.parametrize(
    ("size", "counts"),
    [
        (8, amount((22, 484), (22, 484, 11132, 256036))),
        (7, amount((19, 361), (19, 361, 7220, 144251))),
        (6, (16, 256, 4308)),
        (5, (13, 156, 1924, 23084)),
    ],
)
def test_as_many_plies_as_another_program_counts(size: int, counts: tuple[int, ...]) -> None:
    start = BREAKTHROUGH.start({"size": str(size)})
    assert counts == tuple(perft(start, plies) for plies in range(1, len(counts) + 1))


def test_the_start_has_two_rows_of_men_each() -> None:
    assert text(BREAKTHROUGH.start({"size": "5"}).picture()) == (
        "5 X X X X X\n4 X X X X X\n3 . . . . .\n2 O O O O O\n1 O O O O O\n  a b c d e"
    )


def test_aslant_a_man_takes_and_straight_ahead_it_does_not() -> None:
    position = board(0, "d6 a1", "d7 e7 h8")
    assert {"a1-a2", "a1-b2", "d6-c7", "d6xe7"} == legal(position)
    assert "d6-d7: the man on d6 cannot go to d7; it may go to c7 or e7." == position.problem(
        position.read("d6-d7")
    )


def test_who_takes_the_last_man_wins() -> None:
    ended = board(0, "c3", "d4").play(board(0, "c3", "d4").read("c3xd4"))
    assert ended.outcome
    assert (0, "White wins: Black has no man left") == (ended.outcome.winner, ended.outcome.reason)


@pytest.mark.parametrize("move", ["g7xh8", "g7-g8", "g7xf8"])
def test_a_man_on_the_far_row_wins(move: str) -> None:
    position = board(0, "g7", "h8 f8 a7")
    ended = position.play(position.read(move))
    assert ended.outcome
    assert 0 == ended.outcome.winner
    assert ended.outcome.reason == f"White wins: a man of White stands on {move[-2:]}, its far row"


def test_black_goes_down_and_wins_on_row_1() -> None:
    position = board(1, "a1 h3", "b2")
    assert {"b2xa1", "b2-b1", "b2-c1"} == legal(position)
    ended = position.play(position.read("b2-c1"))
    assert ended.outcome
    assert 1 == ended.outcome.winner


def test_a_capture_may_be_written_with_either_sign() -> None:
    position = board(0, "d6 a1", "e7 h8")
    for written in ("d6xe7", "d6-e7", "d6 e7", "D6xE7", "d6 x e7"):
        assert "d6xe7" == str(position.read(written))
    with pytest.raises(Illegal, match=r"^d6xd7: nothing is taken there; write d6-d7\.$"):
        position.play(position.read("d6xd7"))


def test_both_cells_of_the_last_move_are_marked() -> None:
    position = replay(BREAKTHROUGH.start({"size": "5"}), ["b2-b3"])
    assert {"b2", "b3"} == {spot.name for spot in position.picture().spots if "last" in spot.marks}
    assert "3 .(O). . .\n2 O(.)O O O\n" in text(position.picture(), last=True)


def test_a_whole_game_is_replayed() -> None:
    assert replayed(read((GOLDEN / "breakthrough.game").read_text())).position.outcome


# ----------------------------------------------------------------------------------- the slow judge


def slow_moves(size: int, white: set[str], black: set[str], first_to_play: bool) -> set[str]:
    """Every legal ply, from the words of the rules and names of cells alone."""
    own, rival = (white, black) if first_to_play else (black, white)
    ahead, found = 1 if first_to_play else -1, set()
    for name in own:
        row = int(name[1:]) + ahead
        for column in (ord(name[0]) - 1, ord(name[0]), ord(name[0]) + 1):
            there = f"{chr(column)}{row}"
            inside = ord("a") <= column < ord("a") + size and 1 <= row <= size
            straight = chr(column) == name[0]
            if inside and there not in own and not (straight and there in rival):
                found.add(f"{name}{'x' if there in rival else '-'}{there}")
    return found


def slow_winner(size: int, white: set[str], black: set[str]) -> int | None:
    if not black or any(name.endswith(str(size)) for name in white):
        return 0
    return 1 if not white or any(name[1:] == "1" for name in black) else None


@pytest.mark.parametrize("size", [5, 6, 8])
def test_the_slow_judge_agrees(size: int) -> None:
    for seed in range(amount(4, 60)):
        rng, position = Random(seed), BREAKTHROUGH.start({"size": str(size)})
        while True:
            stones = {label: set(names) for label, names in position.stones()}
            white, black = stones.get("White (O)", set()), stones.get("Black (X)", set())
            won = slow_winner(size, white, black)
            assert won == (position.outcome.winner if position.outcome else None)
            if won is not None:
                break
            assert slow_moves(size, white, black, position.to_play == 0) == legal(position)
            position = position.play(position.sample(rng))
