"""Compiled playouts of Reversi."""

from random import Random

import numpy as np
from numba import njit

from rules.games.reversi.playing_on import fills_middle
from rules.games.reversi.turning import centre
from rules.search.arrays import (
    Floats,
    Ints,
    Seed,
    cells_around,
    count_marks,
    draw,
    new_seed,
    number_bits,
    seats,
    shuffle,
)
from rules.search.compiled import Playouts
from rules.stone_placement import OneStone

number_marks = number_bits


def play_on(position: OneStone, rng: Random, count: int) -> Playouts:
    """Play `count` games on by random legal plies."""
    cells, seed = seats(position), new_seed(rng)
    visits, totals = np.zeros((2, len(cells)), np.int64), np.zeros((2, len(cells)))
    around, to_play = cells_around(position.board), position.seat(position.colour)
    value = _play(cells, to_play, around, open_middle(position), seed, count, visits, totals)
    return Playouts(value, visits, totals)


def open_middle(position: OneStone) -> Ints:
    """Return the squares that are filled first and turn nothing."""
    middle = [cell for cell in centre(position.board) if position.cells[cell] == "."]
    return np.array(middle if fills_middle(position) else [], np.int64)


@njit(cache=True)
def _play(
    start: Ints,
    to_play: int,
    around: Ints,
    middle: Ints,
    seed: Seed,
    count: int,
    visits: Ints,
    totals: Floats,
) -> float:
    value = 0.0
    plies = np.empty(len(start), np.int64)
    for _ in range(count):
        cells = start.copy()
        took = play_out(cells, to_play, around, middle, seed, plies)
        won = score(cells)
        value += won
        count_marks(took, won, visits, totals)
    return value


@njit(cache=True)
def play_out(cells: Ints, to_play: int, around: Ints, middle: Ints, seed: Seed, plies: Ints) -> Ints:
    """Play to the end in `cells`. Store the plies, then -1, and return by cell the seat that laid there."""
    took = np.full(len(cells), -1)
    plies[:] = -1
    number = 0
    first = middle.copy()
    shuffle(first, len(first), seed)
    for cell in first:
        cells[cell] = took[cell] = to_play
        plies[number] = cell
        number += 1
        to_play = 1 - to_play
    empty = np.nonzero(cells < 0)[0]
    left, passed = len(empty), 0
    while left and passed < 2:
        passed += 1
        untried = left
        while untried:
            n = draw(seed, untried)
            cell = empty[n]
            untried -= 1
            empty[n], empty[untried] = empty[untried], cell
            if turn(cells, cell, to_play, around):
                took[cell] = to_play
                plies[number] = cell
                number += 1
                left -= 1
                empty[untried], empty[left] = empty[left], cell
                passed = 0
                break
        to_play = 1 - to_play
    return took


@njit(cache=True)
def turn(cells: Ints, cell: int, seat: int, around: Ints) -> bool:
    """Lay a disc and turn what it encloses; without any, change nothing and return False."""
    found = False
    for way in range(around.shape[1]):
        beside = around[cell, way]
        while beside >= 0 and cells[beside] == 1 - seat:
            beside = around[beside, way]
        if beside < 0 or cells[beside] != seat:
            continue
        beside = around[cell, way]
        while cells[beside] == 1 - seat:
            cells[beside] = seat
            beside = around[beside, way]
            found = True
    if found:
        cells[cell] = seat
    return found


@njit(cache=True)
def score(cells: Ints) -> float:
    """Return seat 0's value at the end: 1.0, 0.0, or 0.5 (draw)."""
    difference = np.sum(cells == 0) - np.sum(cells == 1)
    return 0.5 if difference == 0 else 1.0 if difference > 0 else 0.0
