"""Compiled playouts of Gonnect. As in the plain ones, no repetition but the last board's is looked for."""

from functools import cache
from random import Random
from typing import NamedTuple

import numpy as np
from numba import njit

from rules.board import Board
from rules.games.gonnect import chains
from rules.games.gonnect.playing_on import MOST
from rules.search.arrays import (
    Floats,
    Ints,
    Seed,
    count_marks,
    draw,
    near_cells,
    new_seed,
    number_bits,
    seats,
)
from rules.search.compiled import Playouts
from rules.stone_placement import OneStone

number_marks = number_bits


class Stones(NamedTuple):
    """The stones of a game that is played on, as arrays by cell."""

    held: Ints
    """The seat whose stone lies on a cell, -1 for none."""
    head: Ints
    """The cell that stands for the chain of a stone."""
    after: Ints
    """The next stone of the same chain, in a circle."""
    free: Ints
    """By head: the pairs of a stone of the chain and an empty cell beside it."""
    edge: Ints
    """By head: the edges that the chain touches, as bits."""


def new_stones(size: int) -> Stones:
    return Stones(np.full(size, -1), *(np.zeros(size, np.int64) for _ in range(4)))


@cache
def edges(board: Board) -> Ints:
    return np.array(chains.edges(board), np.int64)


def play_on(position: OneStone, rng: Random, count: int) -> Playouts:
    """Play `count` games on by random legal plies."""
    start, seed = seats(position), new_seed(rng)
    visits, totals = np.zeros((2, len(start)), np.int64), np.zeros((2, len(start)))
    board = near_cells(position.board), edges(position.board)
    to_play = position.seat(position.colour)
    value = _play(start, to_play, *board, new_stones(len(start)), seed, count, visits, totals)
    return Playouts(value, visits, totals)


@njit(cache=True)
def _play(
    start: Ints,
    to_play: int,
    near: Ints,
    edges: Ints,
    stones: Stones,
    seed: Seed,
    count: int,
    visits: Ints,
    totals: Floats,
) -> float:
    value = 0.0
    plies = np.empty(MOST * len(start), np.int64)
    took = np.empty(len(start), np.int64)
    for _ in range(count):
        took[:] = -1
        number, won = play_out(start, to_play, near, edges, stones, seed, plies)
        for n in range(number):
            took[plies[n]] = to_play ^ (n & 1)
        value += won
        count_marks(took, won, visits, totals)
    return value


@njit(cache=True)
def play_out(
    start: Ints, to_play: int, near: Ints, edges: Ints, stones: Stones, seed: Seed, plies: Ints
) -> tuple[int, float]:
    """Play on to the end in `stones`, store the plies, and return their number and seat 0's value."""
    size, left, ko = len(start), 0, -1
    stones.held[:] = -1
    empty, dead = np.empty(size, np.int64), np.empty(size, np.int64)
    for cell in range(size):
        if start[cell] >= 0:
            lay(stones, cell, start[cell], near, edges, dead)
        else:
            empty[left] = cell
            left += 1
    for number in range(len(plies)):
        place = choose(stones, empty, left, to_play, ko, near, seed)
        if place < 0:
            return number, float(to_play)
        cell = empty[place]
        left -= 1
        empty[place] = empty[left]
        taken = lay(stones, cell, to_play, near, edges, dead)
        empty[left : left + taken] = dead[:taken]
        left += taken
        plies[number] = cell
        touched = stones.edge[stones.head[cell]]
        if touched & 3 == 3 or touched & 12 == 12:
            return number + 1, 1.0 - to_play
        alone = stones.after[cell] == cell and stones.free[stones.head[cell]] == 1
        ko = dead[0] if taken == 1 and alone else -1
        to_play = 1 - to_play
    return len(plies), 0.5


@njit(cache=True)
def choose(stones: Stones, empty: Ints, left: int, seat: int, ko: int, near: Ints, seed: Seed) -> int:
    """Return the place in `empty` of a random legal cell, or -1 if there is none. Change their order."""
    while left:
        place = int(draw(seed, left))
        cell = empty[place]
        if cell != ko and breathes(stones, cell, seat, near):
            return place
        left -= 1
        empty[place], empty[left] = empty[left], cell
    return -1


@njit(cache=True)
def breathes(stones: Stones, cell: int, seat: int, near: Ints) -> bool:
    """True if a stone on an empty cell has a liberty, perhaps by taking others."""
    for beside in near[cell]:
        if beside < 0:
            break
        if stones.held[beside] < 0:
            return True
        head, here = stones.head[beside], 0
        for each in near[cell]:
            if each >= 0 and stones.held[each] >= 0 and stones.head[each] == head:
                here += 1
        if (stones.held[beside] == seat) != (stones.free[head] == here):
            return True
    return False


@njit(cache=True)
def lay(stones: Stones, cell: int, seat: int, near: Ints, edges: Ints, dead: Ints) -> int:
    """Lay a stone, store the cells of the stones that it takes in `dead`, and return their number."""
    held, head, after, free, edge = stones
    held[cell], head[cell], after[cell], free[cell], edge[cell] = seat, cell, cell, 0, edges[cell]
    for beside in near[cell]:
        if beside >= 0:
            if held[beside] < 0:
                free[cell] += 1
            else:
                free[head[beside]] -= 1
    taken = 0
    for beside in near[cell]:
        if beside < 0 or held[beside] < 0:
            continue
        if held[beside] == seat and head[beside] != head[cell]:
            _merge(stones, cell, beside)
        elif held[beside] != seat and free[head[beside]] == 0:
            taken = _remove(stones, beside, near, dead, taken)
    return taken


@njit(cache=True)
def _merge(stones: Stones, cell: int, beside: int) -> None:
    own, other = stones.head[cell], stones.head[beside]
    stones.free[own] += stones.free[other]
    stones.edge[own] |= stones.edge[other]
    each = beside
    while stones.head[each] != own:
        stones.head[each] = own
        each = stones.after[each]
    stones.after[cell], stones.after[beside] = stones.after[beside], stones.after[cell]


@njit(cache=True)
def _remove(stones: Stones, first: int, near: Ints, dead: Ints, taken: int) -> int:
    """Remove the chain of a stone, add its cells to `dead`, and return how many these are now."""
    begin, each = taken, first
    while stones.held[each] >= 0:
        stones.held[each] = -1
        dead[taken] = each
        taken += 1
        each = stones.after[each]
    for n in range(begin, taken):
        for beside in near[dead[n]]:
            if beside >= 0 and stones.held[beside] >= 0:
                stones.free[stones.head[beside]] += 1
    return taken
