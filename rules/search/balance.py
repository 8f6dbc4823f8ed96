"""Compiled playouts on balanced cells, for the kernels of several games. This module needs numba."""

import numpy as np
from numba import njit

from rules.search.arrays import Ints, Seed, draw


@njit(cache=True)
def play_out(cells: Ints, to_play: int, near: Ints, seed: Seed, plies: Ints) -> int:
    """Play to the end in `cells`, store the plies, and return their number."""
    balance, number, left = balances(cells, near), 0, 0
    open_, place = np.empty(len(cells), np.int64), np.full(len(cells), -1)
    for cell in range(len(cells)):
        if cells[cell] < 0 and balance[cell] == 0:
            open_[left], place[cell] = cell, left
            left += 1
    while left:
        cell = open_[draw(seed, left)]
        cells[cell] = to_play
        plies[number] = cell
        number += 1
        left = _shut(open_, place, cell, left)
        for beside in near[cell]:
            if beside < 0 or cells[beside] >= 0:
                continue
            was = balance[beside]
            balance[beside] = was + 1 - 2 * to_play
            if was == 0:
                left = _shut(open_, place, beside, left)
            elif balance[beside] == 0:
                open_[left], place[beside] = beside, left
                left += 1
        to_play = 1 - to_play
    return number


@njit(cache=True)
def balances(cells: Ints, near: Ints) -> Ints:
    """Return by cell the number of seat 0's stones beside it less that of seat 1's."""
    balance = np.zeros(len(cells), np.int64)
    for cell in range(len(cells)):
        for beside in near[cell]:
            if beside >= 0 and cells[beside] >= 0:
                balance[cell] += 1 - 2 * cells[beside]
    return balance


@njit(cache=True)
def _shut(open_: Ints, place: Ints, cell: int, left: int) -> int:
    """Remove a cell from the open ones by putting the last one in its place; return how many are left."""
    last = open_[left - 1]
    open_[place[cell]], place[last] = last, place[cell]
    place[cell] = -1
    return left - 1
