"""Compiled playouts of Hadron."""

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

number_marks = number_bits


def play_on(position: OneStone, rng: Random, count: int) -> Playouts:
    """Play games on until no cell is balanced."""
    cells, seed = seats(position), new_seed(rng)
    visits, totals = np.zeros((2, len(cells)), np.int64), np.zeros((2, len(cells)))
    near, to_play = near_cells(position.board), position.seat(position.colour)
    value = _play(cells, to_play, near, seed, count, visits, totals)
    return Playouts(value, visits, totals)


@njit(cache=True)
def _play(
    start: Ints, to_play: int, near: Ints, seed: Seed, count: int, visits: Ints, totals: Floats
) -> float:
    value = 0.0
    plies = np.empty(len(start), np.int64)
    for _ in range(count):
        cells = start.copy()
        number = play_out(cells, to_play, near, seed, plies)
        won = 1.0 * ((to_play + number) % 2)  # seat 0 wins if seat 1 cannot lay
        value += won
        count_marks(np.where(start < 0, cells, -1), won, visits, totals)
    return value
