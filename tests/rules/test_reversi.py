"""Reversi's rules, sentence by sentence, and a slow judge that shares no code with them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from rules import RULES
from rules.contract import BadOption, Position, replay
from rules.picture import text
from rules.record import read, write
from rules.record import replay as replayed
from tests.amount import amount

REVERSI = RULES["reversi"]
FOLDER = Path(__file__).parents[2] / "templates" / "rules"
GOLDEN = Path(__file__).parent / "golden"


def start(**options: object):
    return REVERSI.start({name: str(value) for name, value in options.items()})


def perft(position: Position, depth: int) -> int:
    """The number of ways to go on by so many plies; a finished game has none."""
    if depth == 0:
        return 1
    return sum(perft(position.follow(move), depth - 1) for move in position.moves())


def test_the_game_begins_with_a_cross_of_four_discs():
    assert text(start().picture()) == (
        "8 . . . . . . . .\n"
        "7 . . . . . . . .\n"
        "6 . . . . . . . .\n"
        "5 . . . O X . . .\n"
        "4 . . . X O . . .\n"
        "3 . . . . . . . .\n"
        "2 . . . . . . . .\n"
        "1 . . . . . . . .\n"
        "  a b c d e f g h"
    )
    assert ("Black", {"d6", "c5", "f4", "e3"}) == (start().side(0), set(start().playable()))


@pytest.mark.parametrize("size", [4, 6, 8, 10])
def test_boards_have_4_6_8_or_10_squares_a_side(size):
    assert size * size == len(start(size=size).picture().spots)
    assert 4 == len(start(size=size).playable())
    assert (size != 4) == REVERSI.may_be_rated(start(size=size).options)


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ({"size": "5"}, "size=5 cannot be: size is 4 or 6 or 8 or 10."),
        ({"start": "open"}, "start=open cannot be: start is cross or free."),
    ],
)
def test_an_impossible_option_names_its_range(option, sentence):
    with pytest.raises(BadOption) as error:
        REVERSI.start(option)
    assert sentence == str(error.value)


def test_the_number_of_ways_to_go_on_is_the_known_one():
    assert [4, 12, 56, 244, 1396] == [perft(start(), depth) for depth in range(1, 6)]


@pytest.mark.whole
def test_the_number_of_ways_to_go_on_by_six_plies_is_the_known_one():
    assert 8200 == perft(start(), 6)


def test_all_enclosed_rows_are_turned_and_what_a_turned_disc_encloses_is_not():
    position = replay(start(size=6), "d2 e2 e3 c2 d1 e4 f4 f3".split())
    assert text(position.picture()) == (
        "6 . . . . . .\n"
        "5 . . . . . .\n"
        "4 . . O O O X\n"
        "3 . . O O O O\n"
        "2 . . O X O .\n"
        "1 . . . X . .\n"
        "  a b c d e f"
    )
    assert text(position.play(position.read("b4")).picture()) == (
        "6 . . . . . .\n"
        "5 . . . . . .\n"
        "4 . X X X X X\n"
        "3 . . X O O O\n"
        "2 . . O X O .\n"
        "1 . . . X . .\n"
        "  a b c d e f"
    )


def test_who_has_no_move_is_passed_over_and_told_so():
    position = replay(start(size=4), "d2 d3 c4 b1 a2".split())
    after = position.play(position.read("d1"))
    assert (1, 1) == (position.to_play, after.to_play)
    assert after.notes() == [
        "White lays a disc that encloses discs of the other colour.",
        "Black cannot enclose anything and is passed over.",
    ]
    assert ["d1"] == [spot.name for spot in after.picture().spots if "last" in spot.marks]
    assert 1 == len(position.notes())


def test_a_game_ends_before_the_board_is_full_when_neither_can_move():
    position = replay(start(), "e3 f5 e6 f3 g4 d3 e2 f4 c4".split())
    assert position.outcome
    assert "Black wins: 13 discs to 0" == position.outcome.reason
    assert {"Black": {"discs": 13}, "White": {"discs": 0}} == position.scores()
    assert ([], []) == (position.playable(), position.notes())


def test_as_many_discs_of_each_colour_are_a_draw():
    for seed in range(400):
        rng, position = Random(seed), start(size=4)
        while position.outcome is None:
            position = position.follow(position.sample(rng))
        if position.outcome.winner is None:
            break
    counted = [each["discs"] for each in position.scores().values()]
    assert f"Draw: {counted[0]} discs each" == position.outcome.reason
    assert counted[0] == counted[1]


def test_with_an_empty_board_the_middle_is_filled_first_and_nothing_turns():
    position = start(start="free")
    assert {"d4", "d5", "e4", "e5"} == set(position.playable())
    assert position.problem(position.read("c4")) == (
        "c4 is not one of the four squares in the middle; the nearest cell that may be played is d5."
    )
    filled = replay(position, ["d5", "d4", "e5", "e4"])
    assert (["d5", "e5"], ["d4", "e4"]) == tuple(names for _, names in filled.stones())
    assert {"c3", "d3", "e3", "f3"} == set(filled.playable())
    assert 0 == filled.to_play


def test_there_is_no_swap():
    position = replay(start(), ["d6"])
    assert "swap" not in map(str, position.moves())
    assert "swap: this game is played without the pie rule." == position.problem(position.read("swap"))


def test_a_public_game_ends_as_its_record_says():
    """A game of the world's records, in which White is passed over before moves 54 and 57."""
    game = read((GOLDEN / "reversi.game").read_text())
    assert (GOLDEN / "reversi.game").read_text() == write(game)
    passed = [
        number
        for number in range(60)
        if any("passed over" in note for note in replayed(game, number).position.notes())
    ]
    assert [53, 56] == passed
    outcome = replayed(game).outcome
    assert outcome
    assert "Black wins: 34 discs to 30" == outcome.reason


def test_what_the_rules_draw_and_say_is_so():
    words = (FOLDER / "reversi.txt").read_text()
    board = text(start().picture())
    assert "\n".join(f"  {line}" for line in board.splitlines()) in words
    later = replay(start(), ["d6"])
    assert "\n".join(f"  {line}" for line in text(later.picture()).splitlines()[1:6]) in words
    assert {"c4", "c6", "e6"} == set(later.playable())


# --------------------------------------------------------------------------------- the slow judge

WAYS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


def enclosed(discs: dict[str, str], name: str, own: str) -> set[str]:
    """The cells that are turned: walk each way for as long as discs of the other colour stand there."""
    found: set[str] = set()
    for x, y in WAYS:
        walked, column, row = [], ord(name[0]), int(name[1:])
        while (here := f"{chr(column + x)}{row + y}") in discs and discs[here] != own:
            walked.append(here)
            column, row = column + x, row + y
        if discs.get(here) == own:
            found |= set(walked)
    return found


def moves_of(discs: dict[str, str], size: int, own: str) -> set[str]:
    cells = {f"{chr(97 + x)}{y + 1}" for x in range(size) for y in range(size)}
    return {name for name in cells - discs.keys() if enclosed(discs, name, own)}


@pytest.mark.parametrize("chosen", [{}, {"size": "4"}, {"size": "6", "start": "free"}, {"start": "free"}])
def test_random_games_go_and_end_as_the_slow_judge_says(chosen):
    for seed in range(amount(8, 200)):
        rng, position = Random(seed), REVERSI.start(chosen)
        size = position.options["size"]
        middle = {f"{chr(96 + x)}{y}" for x in (size // 2, size // 2 + 1) for y in (size // 2, size // 2 + 1)}
        discs = {spot.name: spot.glyph for spot in position.picture().spots if spot.glyph in "XO"}
        own = "X"
        while position.outcome is None:
            begins = len(discs) < 4
            legal = middle - discs.keys() if begins else moves_of(discs, size, own)
            assert (legal, "XO".index(own)) == (set(position.playable()), position.to_play)
            move = position.sample(rng)
            turned = set() if begins else enclosed(discs, str(move), own)
            discs.update(dict.fromkeys({str(move), *turned}, own))
            position = position.play(move)
            held = {spot.name: spot.glyph for spot in position.picture().spots if spot.glyph in "XO"}
            assert discs == held
            rival = "XO".replace(own, "")
            own = rival if len(discs) < 4 or moves_of(discs, size, rival) else own
        assert not moves_of(discs, size, "X") | moves_of(discs, size, "O")
        counts = [list(discs.values()).count(glyph) for glyph in "XO"]
        winner = None if counts[0] == counts[1] else int(counts[1] > counts[0])
        assert winner == position.outcome.winner
