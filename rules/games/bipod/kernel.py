"""Compiled playouts of Bipod: random blocks, then a search for two routes without a common cell."""

from functools import cache
from random import Random

import numpy as np
from numba import njit

from rules.games.bipod.paths import BLOCK, EMPTY, LEFT, RIGHT, Ground
from rules.games.bipod.playing_on import count_blocks, runner_of
from rules.games.bipod.position import BipodPosition
from rules.search.arrays import (
    Flags,
    Floats,
    Ints,
    Seed,
    cells_around,
    count_marks,
    new_seed,
    number_bits,
    shuffle,
)
from rules.search.compiled import Playouts

CONTENTS = {EMPTY: 0, BLOCK: 1, LEFT: 2, RIGHT: 3}
"""The numbers of contents in an array. Both starts count as blocks, since no path may cross them."""
IS_BLOCK = 1


@cache
def short_sides(ground: Ground) -> Flags:
    return np.array(ground.short, np.bool_)


number_marks = number_bits


def play_on(position: BipodPosition, rng: Random, count: int) -> Playouts:
    """Play games on. Blocker and Runner share all empty cells, and Runner's cells serve both paths."""
    cells, ground = contents(position), position.ground
    visits, totals = np.zeros((2, len(cells)), np.int64), np.zeros((2, len(cells)))
    seed = new_seed(rng)
    board = cells_around(ground.board), short_sides(ground), ground.left, ground.right
    blocks = count_blocks(position, position.cells.count(EMPTY))
    value = _play(cells, runner_of(position), blocks, *board, seed, count, visits, totals)
    return Playouts(value, visits, totals)


def contents(position: BipodPosition) -> Ints:
    return np.array([CONTENTS.get(held, IS_BLOCK) for held in position.cells], np.int64)


@njit(cache=True)
def _play(
    start: Ints,
    runner: int,
    blocks: int,
    around: Ints,
    short: Flags,
    left: int,
    right: int,
    seed: Seed,
    count: int,
    visits: Ints,
    totals: Floats,
) -> float:
    empty = np.nonzero(start == 0)[0]
    value = 0.0
    for _ in range(count):
        cells, taken = block(start, empty, runner, blocks, seed)
        ran = runs(cells, around, short, left, right)
        won = 1.0 if ran == (runner == 0) else 0.0
        value += won
        count_marks(taken, won, visits, totals)
    return value


@njit(cache=True)
def block(start: Ints, empty: Ints, runner: int, blocks: int, seed: Seed) -> tuple[Ints, Ints]:
    """Return the board with all of Blocker's blocks, and by cell the seat that took it, or -1."""
    shuffle(empty, len(empty), seed)
    cells, taken = start.copy(), np.full(len(start), -1)
    for n, cell in enumerate(empty):
        taken[cell] = 1 - runner if n < blocks else runner
        if n < blocks:
            cells[cell] = 1
    return cells, taken


@njit(cache=True)
def runs(cells: Ints, around: Ints, short: Flags, left: int, right: int) -> bool:
    """True if two routes without a common cell are left; see `paths.outermost`."""
    mine, others = np.zeros(len(cells), np.bool_), np.zeros(len(cells), np.bool_)
    if not outermost(cells, 2, around, short, left, 4, 1, mine):
        return False
    if not outermost(cells, 3, around, short, right, 5, -1, others):
        return False
    return not (mine & others).any()


@njit(cache=True)
def outermost(
    cells: Ints, colour: int, around: Ints, short: Flags, start: int, heading: int, turn: int, on: Flags
) -> bool:
    """Find the route of `paths.outermost` and leave it in `on`."""
    seen = np.zeros(len(cells), np.bool_)
    path, headings, tried = (
        np.empty(len(cells), np.int64),
        np.empty(len(cells), np.int64),
        np.zeros(len(cells), np.int64),
    )
    path[0], headings[0], seen[start], on[start] = start, heading, True, True
    depth = 1
    while depth:
        at = depth - 1
        if tried[at] == 5:
            on[path[at]] = False
            depth -= 1
            continue
        direction = (headings[at] + turn * (2 - tried[at])) % 6
        tried[at] += 1
        cell = around[path[at], direction]
        if cell < 0 or seen[cell] or (cells[cell] != 0 and cells[cell] != colour):
            continue
        seen[cell], on[cell] = True, True
        if short[cell]:
            return True
        path[depth], headings[depth], tried[depth] = cell, direction, 0
        depth += 1
    return False
