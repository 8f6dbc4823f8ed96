"""Gonnect's rules, sentence by sentence, and a slow judge that shares no code with them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from rules import RULES
from rules.contract import BadOption, replay
from rules.games.gonnect import GonnectPosition
from rules.picture import text
from rules.record import read, write
from rules.record import replay as replayed
from tests.amount import amount

GONNECT = RULES["gonnect"]
FOLDER = Path(__file__).parents[2] / "templates" / "rules"
GOLDEN = Path(__file__).parent / "golden"
NO_LIBERTY = """
5 . . X O X
4 . X O O X
3 X O . X .
2 O O X . .
1 O X . . .
  a b c d e
"""


def drawn(board: str, *, black_to_play: bool) -> GonnectPosition:
    """The position drawn on a board of 5 by 5, long after the swap."""
    start = GONNECT.start({"size": "5"})
    held = "".join(sign for line in board.splitlines()[1:6] for sign in line[1:].split())
    laid = tuple(int(sign != ".") for sign in held)
    return GonnectPosition(start.rules, start.options, 40 if black_to_play else 41, held, laid)


def strewn(black: str, white: str, *, black_to_play: bool) -> GonnectPosition:
    stones = dict.fromkeys(black.split(), "X") | dict.fromkeys(white.split(), "O")
    rows = (" ".join(stones.get(f"{letter}{row}", ".") for letter in "abcde") for row in range(5, 0, -1))
    return drawn("\n" + "\n".join(f"  {row}" for row in rows), black_to_play=black_to_play)


def names(position, glyph: str) -> set[str]:
    return {spot.name for spot in position.picture().spots if spot.glyph == glyph}


def test_the_usual_board_has_13_cells_a_side_and_black_begins():
    position = GONNECT.start()
    assert (169, 0, "Black") == (len(position.playable()), position.to_play, position.side(0))
    assert text(position.picture()).endswith("\n   a b c d e f g h i j k l m")


@pytest.mark.parametrize("size", ["4", "20"])
def test_sides_have_5_to_19_cells(size):
    with pytest.raises(BadOption, match=rf"^size={size} cannot be: size is 5 to 19\.$"):
        GONNECT.start({"size": size})


def test_a_stone_without_a_liberty_is_refused_even_if_it_would_join_two_edges():
    position = drawn(NO_LIBERTY, black_to_play=False)
    assert position.problem(position.read("c3")) == (
        "c3 would leave your stones without a liberty; the nearest cell that may be played is e3."
    )
    assert "c3" not in position.playable()
    words = (FOLDER / "gonnect.txt").read_text()
    assert "\n".join(f"  {line}" for line in NO_LIBERTY.strip("\n").splitlines()) in words


def test_what_has_no_liberty_is_taken_before_the_own_stone_needs_one():
    position = drawn(NO_LIBERTY, black_to_play=True)
    after = position.play(position.read("c3"))
    assert (
        text(after.picture())
        == "5 . . X . X\n4 . X . . X\n3 X . X X .\n2 . . X . .\n1 . X . . .\n  a b c d e"
    )
    assert {0, 1, 41} == set(after.laid)
    assert after.outcome is None


def test_a_single_stone_is_not_taken_back_at_once():
    position = replay(GONNECT.start({"size": "5"}), "b3 d2 c2 d4 c4 e3 a5 c3 d3".split())
    assert "c3" not in names(position, "O")
    sentence = "c3 would bring back an earlier board; the nearest cell that may be played is c5."
    assert sentence == position.problem(position.read("c3"))
    later = replay(position, ["a1", "e1"])
    assert later.problem(later.read("c3")) is None


def test_who_has_no_legal_move_has_lost():
    black, white = "a1 a2 a3 b1 b2 c1 c2 c3 d2 d4 d5 e3", "a4 b3 b4 b5 c4 c5 e1 e2 e5"
    position = strewn(black, white, black_to_play=False)
    assert position.outcome
    assert "Black wins: White has no legal move" == position.outcome.reason
    assert position.side(position.outcome.winner or 0) == "Black"
    assert ([], []) == (position.playable(), list(position.moves()))
    assert strewn(black, white, black_to_play=True).outcome is None


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ("a1 a2 b1 b2 c1 c2 d1 d2 e1", "Black wins: joins left and right"),
        ("a1 b1 a2 b2 a3 b3 a4 b4 e3 b5", "White wins: joins bottom and top"),
        ("a1 swap b1 a2 b2 a3 b3 a4 b4 a5", "Black wins: joins bottom and top"),
    ],
)
def test_either_player_wins_with_either_pair_of_edges(moves, reason):
    position = replay(GONNECT.start({"size": "5"}), moves.split())
    assert position.outcome
    assert reason == position.outcome.reason
    assert position.outcome.side == position.side(position.outcome.winner or 0)
    assert 5 == sum("win" in spot.marks for spot in position.picture().spots)


def test_a_stone_that_takes_may_join_as_well():
    moves = "c4 e5 d3 c1 d2 d1 c5 a5 b1 c3 e3 b4 d4 e1 b2 e2 c2"
    position = replay(GONNECT.start({"size": "5"}), moves.split())
    assert position.outcome
    assert "Black wins: joins bottom and top" == position.outcome.reason
    assert names(position, "O") == {"a5", "b4", "c3", "e5"}


def test_a_swap_leaves_the_board_and_is_for_move_2_alone():
    position = replay(GONNECT.start(), ["g7", "swap"])
    assert ("White", "Black", 0) == (position.side(0), position.side(1), position.to_play)
    assert {"g7"} == names(position, "X")
    assert "swap: sides are exchanged on move 2" in (position.problem(position.read("swap")) or "")


def test_a_whole_game_is_told_as_its_record_says():
    game = (GOLDEN / "gonnect.game").read_text()
    assert game == write(read(game))
    assert replayed(read(game)).outcome


# --------------------------------------------------------------------------------- the slow judge


def beside(name: str) -> list[str]:
    letter, row = ord(name[0]), int(name[1:])
    return [f"{chr(letter + x)}{row + y}" for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))]


def chain(stones: dict[str, str], name: str) -> set[str]:
    found = {name}
    while more := {n for each in found for n in beside(each) if stones.get(n) == stones[name]} - found:
        found |= more
    return found


def has_liberty(cells: set[str], stones: dict[str, str], name: str) -> bool:
    return any(n in cells and n not in stones for each in chain(stones, name) for n in beside(each))


def laid(cells: set[str], stones: dict[str, str], name: str, own: str) -> dict[str, str] | None:
    """The stones after one more, or None if it would have no liberty."""
    after = {**stones, name: own}
    dead = [each for each, held in after.items() if held != own and not has_liberty(cells, after, each)]
    after = {each: held for each, held in after.items() if each not in dead}
    return after if has_liberty(cells, after, name) else None


def joins(size: int, stones: dict[str, str], name: str) -> bool:
    group = chain(stones, name)
    columns, rows = {each[0] for each in group}, {int(each[1:]) for each in group}
    return {"a", chr(96 + size)} <= columns or {1, size} <= rows


@pytest.mark.parametrize(("size", "games"), [(5, amount(12, 300)), (6, amount(2, 60)), (8, amount(1, 12))])
def test_random_games_go_and_end_as_the_slow_judge_says(size, games):
    cells = {f"{chr(97 + x)}{y + 1}" for x in range(size) for y in range(size)}
    for seed in range(games):
        rng, position = Random(seed), GONNECT.start({"size": str(size)})
        stones: dict[str, str] = {}
        before, own, winner = [stones], "X", None
        while True:
            follow = {name: laid(cells, stones, name, own) for name in cells - stones.keys()}
            legal = {name for name, after in follow.items() if after is not None and after not in before}
            if winner is None and not legal:
                winner = "XO".replace(own, "")
            if winner:
                break
            assert legal == set(position.playable())
            move = position.sample(rng)
            position = position.play(move)
            if str(move) != "swap":
                stones = follow[str(move)] or {}
                before.append(stones)
                winner = own if joins(size, stones, str(move)) else None
                own = "XO".replace(own, "")
            assert stones == {s.name: s.glyph for s in position.picture().spots if s.glyph in "XO"}
        assert position.outcome
        assert position.outcome.side == {"X": "Black", "O": "White"}[winner]


def test_boards_come_back_in_games_of_chance_unless_that_is_refused():
    refused = 0
    for seed in range(200):
        rng, position = Random(seed), GONNECT.start({"size": "5"})
        while position.outcome is None:
            shut = (position.problem(position.read(name)) for name in names(position, "."))
            refused += sum("earlier board" in (sentence or "") for sentence in shut)
            position = position.follow(position.sample(rng))
    assert refused > 10
