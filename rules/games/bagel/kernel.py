"""Compiled playouts of Bagel. Plies often take a pair, and rows are counted at the end."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

import numpy as np
from numba import njit

from rules.games.bagel.playing_on import PAIRS
from rules.games.bagel.tiles import mates, reserve
from rules.search.arrays import Floats, Ints, Seed, cells_around, draw, new_seed, seats, shuffle
from rules.search.compiled import Playouts
from rules.stone_placement import WithPie

MAX_MATES = 15
MAX_DEALS = 64
"""The number of deals whose tables are kept, since each game has a deal of its own."""


@lru_cache(MAX_DEALS)
def mates_of(layout: str) -> Ints:
    """By tile: the tiles that may be taken with it, then -1 up to the end."""
    found = np.full((len(layout), MAX_MATES), -1, np.int64)
    for tile, others in enumerate(mates(layout)):
        found[tile, : len(others)] = others
    return found


@lru_cache(MAX_DEALS)
def _numbers(layout: str) -> dict[int, int]:
    """Return the number of each mark: the marks of tiles first, then those of pairs."""
    pairs = [1 << tile | 1 << mate for tile, mate in pairs_of(layout).tolist()]
    return {mark: n for n, mark in enumerate([*(1 << tile for tile in range(len(layout))), *pairs])}


@lru_cache(MAX_DEALS)
def pairs_of(layout: str) -> Ints:
    pairs = [(tile, mate) for tile, found in enumerate(mates(layout)) for mate in found if tile < mate]
    return np.array(pairs, np.int64)


def number_marks(position: WithPie, marks: Sequence[int]) -> list[int]:
    numbers = _numbers(position.options["layout"])
    return [numbers.get(mark, -1) for mark in marks]


def play_on(position: WithPie, rng: Random, count: int) -> Playouts:
    """Play games to their end, and count each seat's discs and pairs."""
    cells, layout = seats(position), position.options["layout"]
    pairs = pairs_of(layout)
    visits = np.zeros((2, len(cells) + len(pairs)), np.int64)
    totals = np.zeros(visits.shape)
    first = position.seat(0)
    board = mates_of(layout), pairs, cells_around(position.board), reserve(len(cells)), first
    to_play = position.seat(position.colour)
    value = _play(cells, to_play, position.ply == 0, *board, new_seed(rng), count, visits, totals)
    return Playouts(value, visits, totals)


@njit(cache=True)
def _play(
    start: Ints,
    to_play: int,
    opens: bool,
    mates: Ints,
    pairs: Ints,
    around: Ints,
    reserve: int,
    white: int,
    seed: Seed,
    count: int,
    visits: Ints,
    totals: Floats,
) -> float:
    value = 0.0
    for _ in range(count):
        cells = start.copy()
        play_out(cells, to_play, opens, mates, reserve, seed)
        won = 1.0 if winner(cells, around, white) == 0 else 0.0
        value += won
        _count(cells, pairs, won, visits, totals)
    return value


@njit(cache=True)
def _count(cells: Ints, pairs: Ints, won: float, visits: Ints, totals: Floats) -> None:
    tiles = len(cells)
    for tile in range(tiles):
        if cells[tile] >= 0:
            visits[cells[tile], tile] += 1
            totals[cells[tile], tile] += won
    for n in range(len(pairs)):
        seat = cells[pairs[n, 0]]
        if seat >= 0 and seat == cells[pairs[n, 1]]:
            visits[seat, tiles + n] += 1
            totals[seat, tiles + n] += won


@njit(cache=True)
def play_out(cells: Ints, to_play: int, opens: bool, mates: Ints, reserve: int, seed: Seed) -> Ints:
    """Play random plies to the end and change `cells`. Return the plies: two tiles, the second may be -1."""
    empty = np.nonzero(cells < 0)[0]
    shuffle(empty, len(empty), seed)
    left = np.array([reserve - np.sum(cells == 0), reserve - np.sum(cells == 1)])
    plies, number = np.full((len(empty), 2), -1), 0
    for tile in empty:
        if not left[to_play]:
            break
        if cells[tile] >= 0:
            continue
        cells[tile] = to_play
        plies[number, 0] = tile
        left[to_play] -= 1
        if left[to_play] and not opens and draw(seed, 1000) < 1000 * PAIRS:
            mate = _free_mate(cells, mates[tile], seed)
            if mate >= 0:
                cells[mate] = to_play
                plies[number, 1] = mate
                left[to_play] -= 1
        number, opens, to_play = number + 1, False, 1 - to_play
    return plies[:number]


@njit(cache=True)
def _free_mate(cells: Ints, mates: Ints, seed: Seed) -> np.int64:
    """Return one of these tiles that is empty, chosen at random, or -1 if there is none."""
    number = 0
    for mate in mates:
        if mate < 0:
            break
        number += cells[mate] < 0
    if not number:
        return np.int64(-1)
    wanted = draw(seed, number)
    for mate in mates:
        if cells[mate] < 0:
            if wanted == 0:
                return np.int64(mate)
            wanted -= 1
    return np.int64(-1)


@njit(cache=True)
def winner(cells: Ints, around: Ints, white: int) -> int:
    """Return the seat with more points, or else longer rows. Black wins a tie."""
    scores = np.zeros(2, np.int64)
    for tile in range(len(cells)):
        seat = cells[tile]
        if seat < 0:
            continue
        for direction in range(3):
            before = around[tile, direction]
            if before >= 0 and cells[before] == seat:
                continue
            length, after = 1, around[tile, direction + 3]
            while after >= 0 and cells[after] == seat:
                length, after = length + 1, around[after, direction + 3]
            if length > 2:
                scores[seat] += (length - 2 << 48) + (1 << 6 * (length - 3))
    return white if scores[white] > scores[1 - white] else 1 - white
