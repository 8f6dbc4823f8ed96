"""Compiled playouts of Bounders, and the count of territories for each scoring."""

from random import Random

import numpy as np
from numba import njit

from rules.search.arrays import (
    Floats,
    Ints,
    Seed,
    count_marks,
    near_cells,
    new_seed,
    number_bits,
    seats,
)
from rules.search.balance import play_out
from rules.search.compiled import Playouts
from rules.stone_placement import OneStone

SCORINGS = ("basic", "half", "tournament")

number_marks = number_bits


def play_on(position: OneStone, rng: Random, count: int) -> Playouts:
    """Play games on until no cell is balanced, and count."""
    cells, seed = seats(position), new_seed(rng)
    visits, totals = np.zeros((2, len(cells)), np.int64), np.zeros((2, len(cells)))
    near, to_play = near_cells(position.board), position.seat(position.colour)
    scoring = SCORINGS.index(position.options["scoring"])
    value = _play(cells, to_play, near, scoring, seed, count, visits, totals)
    return Playouts(value, visits, totals)


@njit(cache=True)
def _play(
    start: Ints,
    to_play: int,
    near: Ints,
    scoring: int,
    seed: Seed,
    count: int,
    visits: Ints,
    totals: Floats,
) -> float:
    value = 0.0
    plies = np.empty(len(start), np.int64)
    for _ in range(count):
        cells = start.copy()
        play_out(cells, to_play, near, seed, plies)
        won = score(cells, near, scoring)
        value += won
        count_marks(np.where(start < 0, cells, -1), won, visits, totals)
    return value


@njit(cache=True)
def score(cells: Ints, near: Ints, scoring: int) -> float:
    """Return seat 0's value at the end: 1.0, 0.0, or 0.5 (draw)."""
    points, largest, number = territories(cells, near)
    if scoring == 1:  # the half point is that of who did not begin
        return 1.0 if points[0] > points[1] else 0.0
    difference = points[0] - points[1]
    if scoring == 2 and difference == 0:
        difference = largest[0] - largest[1]
        if difference == 0:
            difference = number[0] - number[1]
        if difference == 0:
            difference = np.sum(cells == 1) - np.sum(cells == 0)
        if difference == 0:
            difference = 1  # who placed the first stone
    return 0.5 if difference == 0 else 1.0 if difference > 0 else 0.0


@njit(cache=True)
def territories(cells: Ints, near: Ints) -> tuple[Ints, Ints, Ints]:
    """Return by seat the cells awarded, the cells of the largest territory, and the number of territories."""
    points, largest, number = np.zeros(2, np.int64), np.zeros(2, np.int64), np.zeros(2, np.int64)
    seen, stack = np.full(len(cells), -1), np.empty(len(cells), np.int64)
    for first in range(len(cells)):
        if cells[first] >= 0 or seen[first] >= 0:
            continue
        size, depth, touched = 0, 1, np.zeros(2, np.int64)
        stack[0], seen[first] = first, first
        while depth:
            depth -= 1
            cell = stack[depth]
            size += 1
            for beside in near[cell]:
                if beside < 0:
                    break
                if seen[beside] == first:
                    continue
                seen[beside] = first
                if cells[beside] >= 0:
                    touched[cells[beside]] += 1
                else:
                    stack[depth] = beside
                    depth += 1
        if touched[0] != touched[1]:
            owner = 0 if touched[0] > touched[1] else 1
            points[owner] += size
            number[owner] += 1
            largest[owner] = max(largest[owner], size)
    return points, largest, number
