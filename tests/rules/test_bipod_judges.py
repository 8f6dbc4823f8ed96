"""Two judges of Bipod positions that know nothing of each other: the fast one and a plain search."""

from __future__ import annotations

import itertools
from random import Random

import pytest

from rules.games.bipod.paths import Ground, ground, judge, open_cells, outermost
from tests.amount import amount

SIZES = [(3, 2, 3), (3, 2, 4), (4, 3, 4), (3, 4, 3), (3, 3, 5)]
"""Size, middle, rows: boards on which every path can be tried."""


def scattered(rng: Random) -> tuple[Ground, list[str]]:
    """A small board with blocks and stones strewn over it, dense enough to be often lost."""
    place = ground(*rng.choice(SIZES))
    filled, stones = rng.uniform(0.3, 0.7), rng.uniform(0, 0.4)
    weights = [1 - filled, filled * (1 - stones), filled * stones / 2, filled * stones / 2]
    cells = rng.choices(".xoO", weights, k=len(place.board))
    cells[place.left], cells[place.right] = "@", "Q"
    return place, cells


def reach(place: Ground, cells: list[str], start: int, ways: str, barred: set[int] = frozenset()) -> set[int]:
    """Every cell that can be walked to from `start` over cells that hold one of `ways`."""
    found = {start}
    grown = True
    while grown:
        beside = {k for cell in found for k in place.board.near[cell] if cells[k] in ways and k not in barred}
        grown = not beside <= found
        found |= beside
    return found


def arrives(place: Ground, cells: list[str], start: int, ways: str, barred: set[int] = frozenset()) -> bool:
    return any(place.short[cell] for cell in reach(place, cells, start, ways, barred))


def two_routes(place: Ground, cells: list[str], path: tuple[int, ...]) -> bool:
    """Every path of the left start is tried; the right start must arrive beside one of them."""
    if place.short[path[-1]]:
        return arrives(place, cells, place.right, ".O", set(path))
    return any(
        two_routes(place, cells, (*path, cell))
        for cell in place.board.near[path[-1]]
        if cell not in path and cells[cell] in ".o"
    )


def slow_reason(place: Ground, cells: list[str]) -> str | None:
    """The outcome, found by search alone."""
    if arrives(place, cells, place.left, "o") and arrives(place, cells, place.right, "O"):
        return "Runner wins: both paths reach the edge"
    left = arrives(place, cells, place.left, ".o")
    right = arrives(place, cells, place.right, ".O")
    if not left and not right:
        return "Blocker wins: no way is left from either start to the edge"
    if not left or not right:
        return f"Blocker wins: no way is left from the {'right' if left else 'left'} start to the edge"
    if not two_routes(place, cells, (place.left,)):
        return "Blocker wins: each path shuts the other off from the edge"
    return None


@pytest.mark.parametrize("seed", range(amount(2, 8)))
def test_the_fast_judge_and_the_plain_search_agree(seed):
    rng = Random(seed)
    seen: dict[str | None, int] = {}
    for _ in range(1000):
        place, cells = scattered(rng)
        expected = slow_reason(place, cells)
        outcome = judge(place, "".join(cells), 0)
        assert expected == (outcome.reason if outcome else None), "".join(cells)
        seen[expected] = seen.get(expected, 0) + 1
    assert {
        None,
        "Blocker wins: no way is left from the left start to the edge",
        "Blocker wins: no way is left from the right start to the edge",
        "Blocker wins: no way is left from either start to the edge",
        "Blocker wins: each path shuts the other off from the edge",
    } <= set(seen)


@pytest.mark.parametrize("seed", range(4))
def test_open_cells_are_those_from_which_a_start_can_be_walked_to(seed):
    rng = Random(seed)
    for _ in range(amount(50, 250)):
        place, cells = scattered(rng)
        expected = [
            content == "."
            and bool(
                place.left in reach(place, cells, cell, ".o@")
                or place.right in reach(place, cells, cell, ".OQ")
            )
            for cell, content in enumerate(cells)
        ]
        assert expected == open_cells(place, "".join(cells))


@pytest.mark.parametrize("seed", range(4))
def test_the_outermost_route_is_a_way_over_own_cells_to_a_short_side(seed):
    rng = Random(seed)
    for _ in range(amount(50, 250)):
        place, cells = scattered(rng)
        for colour, start in (("o", place.left), ("O", place.right)):
            route = outermost(place, cells, colour)
            assert (route is not None) == arrives(place, cells, start, "." + colour)
            if route:
                assert start == route[0]
                assert place.short[route[-1]]
                assert all(b in place.board.near[a] for a, b in itertools.pairwise(route))
                assert all(cells[cell] in "." + colour for cell in route[1:])
