"""Compiled playouts of Begird. On a full board exactly one colour has won."""

from functools import cache
from random import Random

import numpy as np
from numba import njit

from rules.games.begird.ground import Ground
from rules.games.begird.playing_on import ground_of
from rules.joining import Joining
from rules.search.arrays import (
    Floats,
    Ints,
    Seed,
    count_marks,
    near_cells,
    new_seed,
    seats,
    shuffle,
)
from rules.search.compiled import Playouts
from rules.search.joining_kernel import number_marks

__all__ = ["number_marks", "play_on"]


@cache
def shore(ground: Ground) -> Ints:
    """Return by cell the islands that it touches, as bits."""
    return np.array(ground.shore, np.int64)


def play_on(position: Joining, rng: Random, count: int) -> Playouts:
    """Play `count` games on by filling all empty cells by turns."""
    cells, seed = seats(position), new_seed(rng)
    visits, totals = np.zeros((2, len(cells)), np.int64), np.zeros((2, len(cells)))
    ground, to_play = ground_of(position), position.seat(position.colour)
    board = near_cells(position.board), shore(ground), len(ground.islands), ground.needed
    value = _play(cells, to_play, *board, seed, count, visits, totals)
    return Playouts(value, visits, totals)


@njit(cache=True)
def _play(
    start: Ints,
    to_play: int,
    near: Ints,
    shore: Ints,
    islands: int,
    needed: int,
    seed: Seed,
    count: int,
    visits: Ints,
    totals: Floats,
) -> float:
    empty = np.nonzero(start < 0)[0]
    value = 0.0
    for _ in range(count):
        cells = fill(start, empty, to_play, seed)
        won = 1.0 if wins(cells, 0, near, shore, islands, needed) else 0.0
        value += won
        count_marks(np.where(start < 0, cells, -1), won, visits, totals)
    return value


@njit(cache=True)
def fill(start: Ints, empty: Ints, to_play: int, seed: Seed) -> Ints:
    """Fill the board by turns, in a random order that is left in `empty`."""
    shuffle(empty, len(empty), seed)
    cells = start.copy()
    for n, cell in enumerate(empty):
        cells[cell] = to_play ^ (n & 1)
    return cells


@njit(cache=True)
def wins(cells: Ints, seat: int, near: Ints, shore: Ints, islands: int, needed: int) -> bool:
    """True if a group of the seat's stones has won."""
    seen = np.zeros(len(cells), np.bool_)
    stack = np.empty(len(cells), np.int64)
    for first in range(len(cells)):
        if seen[first] or cells[first] != seat or shore[first] == 0:
            continue
        touched, depth = 0, 1
        stack[0], seen[first] = first, True
        while depth:
            depth -= 1
            cell = stack[depth]
            touched |= shore[cell]
            for beside in near[cell]:
                if beside < 0:
                    break
                if not seen[beside] and cells[beside] == seat:
                    seen[beside] = True
                    stack[depth] = beside
                    depth += 1
        if reaches(touched, islands, needed):
            return True
    return False


@njit(cache=True)
def reaches(touched: int, islands: int, needed: int) -> bool:
    """True if three touched islands or more span a run of `needed`: the ring without their largest gap."""
    first, last, largest, number = -1, -1, 0, 0
    for island in range(islands):
        if touched >> island & 1:
            number += 1
            if first < 0:
                first = island
            else:
                largest = max(largest, island - last)
            last = island
    if number < 3:
        return False
    largest = max(largest, first + islands - last)
    return islands - largest + 1 >= needed
