"""Two judges of Begird that know nothing of each other, and what holds of every full board.

The slow one walks round the ring by letters and rows, floods groups cell by cell and tries every
stretch of islands.
"""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from rules import RULES
from rules.board import hexagon
from rules.games.begird.ground import Ground, ground, surround
from rules.joining import Group
from tests.amount import amount

BEGIRD = RULES["begird"]

Cell = tuple[int, int]
"""(letter from 0, row from 1)."""

BESIDE = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1))


def walked(start: Cell, *sides: tuple[Cell, int]) -> list[Cell]:
    """Ring places from `start` clockwise: each side is a step and how many places it has."""
    places = []
    for (letters, rows), count in sides:
        places += [(start[0] + letters * k, start[1] + rows * k) for k in range(count)]
        last = places[-1]
        start = next_side(last, (letters, rows))
    return places


def next_side(last: Cell, step: Cell) -> Cell:
    """The first place of the next side: over the ring's empty corner, which lies one step on."""
    turned = {(1, 0): (0, -1), (0, -1): (-1, -1), (-1, -1): (-1, 0), (-1, 0): (0, 1), (0, 1): (1, 1)}
    after = turned.get(step, (0, 0))
    return last[0] + step[0] + after[0], last[1] + step[1] + after[1]


def hexagon_ring(top: int, bottom: int) -> list[Cell]:
    """`top` and `bottom` are cells on the sides; every side of the ring has one place less."""
    short, long = top - 1, bottom - 1
    directions = ((1, 0), (0, -1), (-1, -1), (-1, 0), (0, 1), (1, 1))
    lengths = (short, long, short, long, short, long)
    return walked((bottom, top + bottom), *zip(directions, lengths, strict=True))


def triangle_ring(side: int) -> list[Cell]:
    right = [(side, row) for row in range(side, 1, -1)]
    bottom = [(letter, 0) for letter in range(side - 2, -1, -1)]
    left = [(row - 2, row) for row in range(2, side + 1)]
    return right + bottom + left


def slow_islands(islands: int, side: int | None) -> list[list[Cell]]:
    """The places of each island."""
    if side is not None:
        places, lengths = triangle_ring(side), [3 * (side - 1) // islands] * islands
    elif islands == 15:
        places, lengths = hexagon_ring(9, 10), [4, 4, 3, 3, 3] * 3
    else:
        places, lengths = hexagon_ring((islands + 3) // 6, (islands + 9) // 6), [1] * islands
    found = []
    for length in lengths:
        found.append(places[:length])
        places = places[length:]
    assert not places
    return found


def cell_of(name: str) -> Cell:
    return ord(name[0]) - ord("a"), int(name[1:])


def slow_run(touched: set[int], count: int) -> int:
    """The shortest stretch that holds them all, by trying every one from the shortest."""
    for length in range(1, count):
        for first in range(count):
            if touched <= {(first + k) % count for k in range(length)}:
                return length
    return count


def slow_winners(islands: list[list[Cell]], stones: set[Cell]) -> list[tuple[set[int], int]]:
    """The islands (from 0) and the run of every group of one colour that has won."""
    winners = []
    left = set(stones)
    while left:
        group = {left.pop()}
        edge = list(group)
        while edge:
            letter, row = edge.pop()
            beside = {(letter + a, row + b) for a, b in BESIDE} & left
            left -= beside
            group |= beside
            edge += beside
        shore = {(letter + a, row + b) for letter, row in group for a, b in BESIDE}
        touched = {number for number, island in enumerate(islands) if shore & set(island)}
        run = slow_run(touched, len(islands)) if touched else 0
        if len(touched) >= 3 and run >= (len(islands) + 3) / 2:
            winners.append((touched, run))
    return winners


SETUPS = [
    ({}, 250),
    ({"islands": "27"}, 400),
    ({"islands": "3"}, 400),
    ({"islands": "9"}, 400),
    ({"islands": "3", "side": "4"}, 600),
    ({"islands": "9", "side": "4"}, 600),
    ({"islands": "9", "side": "13"}, 200),
    ({"islands": "3", "side": "19"}, 100),
    ({"islands": "21"}, 400),
    ({"islands": "21", "side": "15"}, 200),
    ({"islands": "15", "side": "6"}, 400),
    ({"islands": "33"}, 200),
    ({"islands": "45"}, 100),
    ({"islands": "51"}, 100),
    ({"islands": "51", "side": "18"}, 100),
]


@pytest.mark.parametrize(("options", "games"), SETUPS, ids=str)
def test_the_fast_judge_and_the_slow_one_agree_about_whole_games_of_chance(options, games):
    """Stones stay, so whoever had won earlier would have won one ply before the end too."""
    for seed in range(games // amount(16, 1)):
        rng = Random(seed)
        position = BEGIRD.start(options)
        islands = slow_islands(position.options["islands"], position.options.get("side"))
        while not position.outcome:
            before = position
            position = position.play(position.sample(rng))
        for earlier in before.groups:
            assert [] == slow_winners(islands, stones_of(before, earlier))
        black, white = (slow_winners(islands, stones_of(position, own)) for own in position.groups)
        assert 1 == len(black + white)
        touched, run = (black + white)[0]
        side = "Black" if black else "White"
        assert (side, run) == (
            position.outcome.side,
            position.ground.run(position.groups[position.last_colour][0].touched),
        )
        named = [number + 1 for number in sorted(touched)]
        listed = f"{', '.join(map(str, named[:-1]))} and {named[-1]}"
        assert f"{side} joins islands {listed}: a run of {run}" == position.outcome.reason
        assert side == position.side(position.outcome.winner)


def stones_of(position, own: tuple[Group, ...]) -> set[Cell]:
    return {
        cell_of(name)
        for cell, name in enumerate(position.ground.board.names)
        if any(group.cells >> cell & 1 for group in own)
    }


def test_the_two_judges_agree_ply_by_ply():
    for options, seed in product(({}, {"islands": "9"}, {"islands": "27"}), range(amount(1, 4))):
        rng = Random(seed)
        position = BEGIRD.start(options)
        islands = slow_islands(position.options["islands"], position.options.get("side"))
        while not position.outcome:
            position = position.play(position.sample(rng))
            won = [bool(slow_winners(islands, stones_of(position, own))) for own in position.groups]
            assert any(won) == (position.outcome is not None)


@pytest.mark.parametrize("count", [3, 9, 15])
def test_a_run_and_what_wins_are_the_same_to_both_for_every_set_of_islands(count):
    place = ground(count, 10 if count < 15 else None)
    for islands in range(1, 1 << count, 1 if count < 15 else amount(15, 1)):
        touched = {number for number in range(count) if islands >> number & 1}
        run = slow_run(touched, count)
        assert run == place.run(islands)
        assert (len(touched) >= 3 and run >= (count + 3) / 2) == place.wins(islands)


@pytest.mark.parametrize("count", range(21, 52, 6))
def test_a_run_and_what_wins_are_the_same_to_both_for_sets_of_islands_by_chance(count):
    place, rng = ground(count), Random(count)
    won = set()
    for _ in range(amount(200, 3000)):
        touched = set(rng.sample(range(count), rng.randrange(1, min(count, 12))))
        islands, run = sum(1 << number for number in touched), slow_run(touched, count)
        assert run == place.run(islands)
        assert (len(touched) >= 3 and run >= (count + 3) / 2) == place.wins(islands)
        won.add(place.wins(islands))
    assert {True, False} == won


# -------------------------------------------------------------------------------------- full boards


def winners(place: Ground, black: list[bool]) -> tuple[bool, bool]:
    """True for Black and for White where they have a winning group on a full board."""
    own: list[tuple[Group, ...]] = [(), ()]
    for cell, is_black in enumerate(black):
        own[is_black] = place.join(own[is_black], cell)
    white_won, black_won = (any(place.wins(group.touched) for group in groups) for groups in own)
    return black_won, white_won


SMALL_BOARDS = {
    "3 islands, side 4": ground(3, 4),
    "3 islands, side 5": ground(3, 5),
    "9 islands, side 4": ground(9, 4),
    "9 islands round a hexagon of 2 and 3": surround(hexagon(2, 3), [1] * 9),
}


@pytest.mark.parametrize("name", SMALL_BOARDS)
def test_every_full_small_board_has_exactly_one_winner(name):
    place = SMALL_BOARDS[name]
    for black in product((False, True), repeat=len(place.board)):
        assert 1 == sum(winners(place, list(black))), black


@pytest.mark.parametrize(
    ("islands", "side", "boards"),
    [
        *((15, None, 1500), (27, None, 3000), (3, 10, 3000), (9, 10, 3000), (9, 7, 4000), (3, 19, 500)),
        *((21, None, 2000), (33, None, 1500), (39, None, 900), (45, None, 600), (51, None, 600)),
        *((15, 6, 3000), (21, 8, 2000), (27, 10, 1500), (33, 12, 900), (51, 18, 300)),
    ],
)
@pytest.mark.parametrize("share", [0.35, 0.5, 0.65])
def test_full_boards_of_chance_have_exactly_one_winner(islands, side, boards, share):
    place = ground(islands, side)
    rng = Random(islands)
    for _ in range(boards // amount(30, 3)):
        black = [rng.random() < share for _ in range(len(place.board))]
        assert 1 == sum(winners(place, black))
