"""Compiled playouts of Breakthrough, in which a man who can reach the far row does so at once."""

from random import Random

import numpy as np
from numba import njit

from rules.games.breakthrough.playing_on import WAYS
from rules.moving import Moving
from rules.search.arrays import Floats, Ints, Seed, draw, new_seed, number_bits
from rules.search.compiled import Playouts

number_marks = number_bits


def play_on(position: Moving, rng: Random, count: int) -> Playouts:
    """Play `count` games on."""
    owners = [position.owner(cell) for cell in range(len(position.board))]
    start = np.array([-1 if owner is None else owner for owner in owners], np.int64)
    visits, totals = np.zeros((2, len(start) * WAYS), np.int64), np.zeros((2, len(start) * WAYS))
    value = _play(start, position.colour, position.options["size"], new_seed(rng), count, visits, totals)
    return Playouts(value, visits, totals)


@njit(cache=True)
def _play(
    start: Ints, to_play: int, side: int, seed: Seed, count: int, visits: Ints, totals: Floats
) -> float:
    value = 0.0
    made = np.zeros((2, len(start) * WAYS), np.int64)
    for _ in range(count):
        made[:] = 0
        won = play_one(start.copy(), to_play, side, seed, made)
        value += won
        visits += made
        totals += made * won
    return value


@njit(cache=True)
def play_one(cells: Ints, seat: int, side: int, seed: Seed, made: Ints) -> float:
    """Play one game to its end. The result is its value for seat 0, and 1 in `made` for each path."""
    men = np.empty((2, len(cells)), np.int64)
    left = np.zeros(2, np.int64)
    for cell in range(len(cells)):
        if cells[cell] >= 0:
            men[cells[cell], left[cells[cell]]] = cell
            left[cells[cell]] += 1
    while left[seat]:
        before_last = side - 2 if seat else 1
        if np.any(men[seat, : left[seat]] // side == before_last):  # from there one way aslant is always open
            return 1.0 - seat
        chosen, there = step(cells, men[seat], left[seat], seat, side, seed, made)
        rival = 1 - seat
        if cells[there] == rival:
            taken = np.nonzero(men[rival, : left[rival]] == there)[0][0]
            left[rival] -= 1
            men[rival, taken] = men[rival, left[rival]]
        cells[men[seat, chosen]], cells[there] = -1, seat
        men[seat, chosen] = there
        seat = rival
    return float(seat)


@njit(cache=True)
def step(cells: Ints, men: Ints, left: int, seat: int, side: int, seed: Seed, made: Ints) -> tuple[int, int]:
    """Return one of the `left` men and the cell where it goes, both by chance."""
    ahead = side if seat else -side
    while True:
        chosen, way = draw(seed, left), draw(seed, WAYS) - 1
        here = men[chosen]
        if 0 <= here % side + way < side:
            there = here + ahead + way
            if cells[there] < 0 or (way != 0 and cells[there] != seat):
                made[seat, here * WAYS + way + 1] = 1
                return int(chosen), int(there)
