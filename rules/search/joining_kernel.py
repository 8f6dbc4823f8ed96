"""Compiled playouts of games of joining. This module needs numba."""

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

import numpy as np
from numba import njit

from rules.board import Board
from rules.joining import Goals, Joining
from rules.search.arrays import Floats, Ints, Seed, cells_around, count_marks, new_seed, seats, shuffle
from rules.search.compiled import Playouts
from rules.search.joining import bit_board


@cache
def _cells(board: Board) -> Mapping[int, int]:
    """Return the cell of each bit, and -1 for 0."""
    return {0: -1} | {bit: cell for cell, bit in enumerate(bit_board(board).bit)}


def number_marks(position: Joining, marks: Sequence[int]) -> list[int]:
    """Return the cell of each mark."""
    cells = _cells(position.board)
    return [cells[mark] for mark in marks]


class GoalArrays(NamedTuple):
    """The goals of a game as arrays."""

    around: Ints
    shore: Ints
    figures: Ints
    """By figure: its goals, as bits."""
    values: Ints
    """By colour and figure: 1 if it wins, -1 if it loses."""
    links: Ints
    """By colour: the goals that join groups."""
    rings: bool


@cache
def facts(goals: Goals) -> GoalArrays:
    figures = np.array([figure.goals for figure in goals.figures], np.int64)
    values = np.array([[figure.value[colour] for figure in goals.figures] for colour in (0, 1)], np.int64)
    links = np.array([own if goals.linked else 0 for own in goals.owners], np.int64)
    around = cells_around(goals.board)
    return GoalArrays(around, np.array(goals.shore, np.int64), figures, values, links, goals.rings)


def play_on(position: Joining, rng: Random, count: int) -> Playouts:
    """Play `count` games on by filling all empty cells by turns."""
    settled = position.settled()
    cells, seed, goals = seats(settled), new_seed(rng), settled.goals
    visits, totals = np.zeros((2, len(cells)), np.int64), np.zeros((2, len(cells)))
    known, to_play = facts(goals), settled.seat(settled.colour)
    if settled.seat(0):  # the loops know colours as seats
        known = known._replace(values=known.values[::-1].copy(), links=known.links[::-1].copy())
    value = _play(cells, to_play, *known, goals.is_settled, seed, count, visits, totals)
    return Playouts(value, visits, totals)


@njit(cache=True)
def _play(
    start: Ints,
    to_play: int,
    around: Ints,
    shore: Ints,
    figures: Ints,
    values: Ints,
    links: Ints,
    rings: bool,
    is_settled: bool,
    seed: Seed,
    count: int,
    visits: Ints,
    totals: Floats,
) -> float:
    empty = np.nonzero(start < 0)[0]
    parents, touched = start_groups(start, around, shore)
    total = 0.0
    for _ in range(count):
        shuffle(empty, len(empty), seed)
        cells = start.copy()
        if is_settled:
            for n, cell in enumerate(empty):
                cells[cell] = to_play ^ (n & 1)
            value = 1.0 if wins(cells, 0, around, shore, figures, values[0], links[0]) else 0.0
        else:
            groups = parents.copy(), touched.copy()
            value = first_figure(cells, empty, to_play, around, *groups, figures, values, rings)
            for n, cell in enumerate(empty):
                cells[cell] = to_play ^ (n & 1)
        total += value
        count_marks(np.where(start < 0, cells, -1), value, visits, totals)
    return total


@njit(cache=True)
def has_figure(touched: int, figures: Ints, values: Ints) -> int:
    """Return 1 if goals that a group touches win, -1 if they lose, else 0."""
    found = 0
    for n in range(len(figures)):
        if values[n] and touched & figures[n] == figures[n]:
            if values[n] > 0:
                return 1
            found = -1
    return found


@njit(cache=True)
def wins(cells: Ints, seat: int, around: Ints, shore: Ints, figures: Ints, values: Ints, link: int) -> bool:
    """True if a group of the seat's stones has a figure that wins."""
    seen = np.zeros(len(cells), np.bool_)
    stack = np.empty(len(cells), np.int64)
    linked, count = np.zeros(64, np.int64), 0
    for first in range(len(cells)):
        if seen[first] or cells[first] != seat or shore[first] == 0:
            continue
        touched, depth = 0, 1
        stack[0], seen[first] = first, True
        while depth:
            depth -= 1
            cell = stack[depth]
            touched |= shore[cell]
            for beside in around[cell]:
                if beside >= 0 and not seen[beside] and cells[beside] == seat:
                    seen[beside] = True
                    stack[depth] = beside
                    depth += 1
        if link & touched:
            kept = 0
            for n in range(count):
                if linked[n] & touched & link:
                    touched |= linked[n]
                else:
                    linked[kept] = linked[n]
                    kept += 1
            linked[kept], count = touched, kept + 1
        if has_figure(touched, figures, values) > 0:
            return True
    return False


@njit(cache=True)
def root(parents: Ints, cell: int) -> int:
    """Return the cell that stands for a stone's group."""
    while parents[cell] != cell:
        parents[cell] = parents[parents[cell]]
        cell = parents[cell]
    return cell


@njit(cache=True)
def start_groups(cells: Ints, around: Ints, shore: Ints) -> tuple[Ints, Ints]:
    """Return by cell its parent in its group, and the goals of the group that it stands for."""
    parents, touched = np.arange(len(cells)), shore.copy()
    for cell in range(len(cells)):
        if cells[cell] >= 0:
            join(cells, cell, around, parents, touched)
    return parents, touched


@njit(cache=True)
def join(cells: Ints, cell: int, around: Ints, parents: Ints, touched: Ints) -> int:
    """Join a stone with the groups beside it, and return the goals of the group."""
    for beside in around[cell]:
        if beside >= 0 and cells[beside] == cells[cell]:
            one, other = root(parents, cell), root(parents, beside)
            if one != other:
                parents[one] = other
                touched[other] |= touched[one]
    return int(touched[root(parents, cell)])


@njit(cache=True)
def closes(cells: Ints, cell: int, around: Ints, parents: Ints) -> bool:
    """True if the stone on `cell`, not joined yet, makes a ring."""
    seat, count = cells[cell], 0
    starts = np.empty(6, np.int64)
    for n in range(6):
        before, beside = around[cell, n - 1], around[cell, n]
        if beside < 0 or cells[beside] != seat:
            continue
        if is_filled(cells, beside, around):
            return True
        if before < 0 or cells[before] != seat:
            starts[count] = root(parents, beside)
            for other in range(count):
                if starts[other] == starts[count]:
                    return True
            count += 1
    return is_filled(cells, cell, around)


@njit(cache=True)
def is_filled(cells: Ints, cell: int, around: Ints) -> bool:
    """True if a stone has six of its colour beside it."""
    count = 0
    for beside in around[cell]:
        count += beside >= 0 and cells[beside] == cells[cell]
    return count == 6


@njit(cache=True)
def first_figure(
    cells: Ints,
    order: Ints,
    to_play: int,
    around: Ints,
    parents: Ints,
    touched: Ints,
    figures: Ints,
    values: Ints,
    rings: bool,
) -> float:
    """Lay stones in this order until a figure ends the game, and return its value for seat 0."""
    for n, cell in enumerate(order):
        seat = to_play ^ (n & 1)
        cells[cell] = seat
        won = 1 if rings and closes(cells, cell, around, parents) else 0
        found = has_figure(join(cells, cell, around, parents, touched), figures, values[seat])
        if won or found:
            return 1.0 - seat if won or found > 0 else float(seat)
    return 0.5
