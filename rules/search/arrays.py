"""Small compiled functions and arrays for the kernels of several games. This module needs numba."""

from collections.abc import Sequence
from functools import cache
from random import Random

import numpy as np
from numba import njit
from numpy.typing import NDArray

from rules.board import Board
from rules.contract import Position
from rules.stone_placement import EMPTY, WithPie

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Seed = NDArray[np.uint64]


def number_bits(position: Position, marks: Sequence[int]) -> list[int]:
    """Return the number of each one-bit mark, for games whose plies take single cells."""
    return [mark.bit_length() - 1 for mark in marks]


@cache
def near_cells(board: Board) -> Ints:
    """Return by cell the up to six cells beside it, then -1."""
    near = np.full((len(board), 6), -1, np.int64)
    for cell, beside in enumerate(board.near):
        near[cell, : len(beside)] = beside
    return near


@cache
def cells_around(board: Board) -> Ints:
    """Return by cell and direction the next cell, -1 off the board."""
    return np.array(board.around, np.int64)


def seats(position: WithPie) -> Ints:
    """Return by cell the seat whose stone it holds, -1 for none."""
    numbers = {EMPTY: -1} | {glyph: position.seat(n) for n, (_, glyph) in enumerate(position.players)}
    return np.array([numbers[held] for held in position.cells], np.int64)


def new_seed(rng: Random) -> Seed:
    """Return the state of a kernel's random generator, which is never 0."""
    return np.array([rng.getrandbits(63) | 1], np.uint64)


@njit(cache=True)
def shuffle(cells: Ints, count: int, seed: Seed) -> None:
    """Shuffle the first `count` cells (Fisher and Yates), and advance `seed`."""
    for last in range(count - 1, 0, -1):
        chosen = draw(seed, last + 1)
        cells[last], cells[chosen] = cells[chosen], cells[last]


@njit(cache=True)
def draw(seed: Seed, below: int) -> np.int64:
    """Return a random whole number from 0 to `below` - 1 (xorshift64, Marsaglia 2003)."""
    x = seed[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    seed[0] = x
    return np.int64((x >> np.uint64(33)) % np.uint64(below))


@njit(cache=True)
def count_marks(cells: Ints, value: float, visits: Ints, totals: Floats) -> None:
    """Count a game for every cell that a seat took. `cells` has the seat, or -1 for nobody."""
    for cell in range(len(cells)):
        seat = cells[cell]
        if seat >= 0:
            visits[seat, cell] += 1
            totals[seat, cell] += value
