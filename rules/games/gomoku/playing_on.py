"""Gomoku for a search: the cells worth a try, guesses of their value, and a judgement of the rows."""

from collections.abc import Sequence
from functools import cache
from math import exp
from random import Random
from typing import Any

from rules.board import Board
from rules.contract import Knowledge, Move, Playout
from rules.stone_placement import EMPTY
from rules.stone_reading import Cells

FIVE = 5
OWN = (0.2, 1.0, 6.0, 40.0, 4000.0)
"""By the number of own stones among five cells in a row that no rival holds: the worth of one more."""
RIVAL = (0.0, 0.8, 4.0, 25.0, 1000.0)
"""By the number of the rival's stones among such cells: the worth of stopping them."""
WEIGHTS = (0.0, 1.0, 5.0, 25.0, 100.0, 0.0)
"""By the number of stones of one player among five cells in a row, the rest empty: their weight.

Five that have not won are part of a longer row, and worth nothing.
"""
TO_MOVE = 1.5
"""The weight of the rows of whoever is to move, compared with those of the other."""
SCALE = 60.0
"""The difference of weights that makes a win three times as likely as a loss, about."""


@cache
def windows(board: Board) -> tuple[tuple[int, ...], ...]:
    """Return all five cells in a row, in each of the four directions."""
    found = []
    for cell in range(len(board)):
        for axis in range(board.grid.axes):
            row = [cell]
            while len(row) < FIVE and (there := board.around[row[-1]][axis]) >= 0:
                row.append(there)
            if len(row) == FIVE:
                found.append(tuple(row))
    return tuple(found)


def worths(position: Any) -> list[float]:
    """Return by cell the worth of a stone there: rows that it lengthens, and rows of the rival it stops."""
    cells, own = position.cells, position.players[position.colour][1]
    found = [0.0] * len(cells)
    for window in windows(position.board):
        held = [cells[cell] for cell in window]
        empty, mine = held.count(EMPTY), held.count(own)
        if not empty or (mine and mine + empty < FIVE):
            continue
        value = OWN[mine] if mine or empty == FIVE else RIVAL[FIVE - empty]
        for cell in window:
            if cells[cell] == EMPTY:
                found[cell] += value
    return found


def priors(position: Any, moves: Sequence[Move]) -> list[float]:
    """Return by ply a guess of its value, 0.5 for a ply that is no single stone."""
    worth, index = worths(position), position.board.index
    most = max(worth) or 1.0
    return [
        0.1 + 0.8 * worth[index[move.cells[0]]] / most
        if isinstance(move, Cells) and len(move.cells) == 1
        else 0.5
        for move in moves
    ]


def playout(position: Any, rng: Random) -> Playout:
    """Judge a position by its rows, in place of a game. Before sides are settled nothing is known."""
    return Playout(value_for_first(position, position.cells, judge, windows(position.board)))


def value_for_first(position: Any, cells: Any, judge: Any, windows: Any) -> float:
    """Return the value for seat 0, of the cells in the form that `judge` takes."""
    if not position.is_settled:
        return 0.5
    black, white = ("X", "O") if isinstance(cells, str) else (position.seat(0), position.seat(1))
    own, rival = (white, black) if position.colour else (black, white)
    value = float(judge(cells, own, rival, windows))
    return value if position.to_play == 0 else 1.0 - value


def judge(cells: Any, own: Any, rival: Any, windows: Any) -> float:
    """Return the value for whoever is to move, from 0 to 1. The loops can be compiled."""
    total, due = 0.0, -1
    for window in windows:
        mine, theirs, empty = 0, 0, -1
        for cell in window:
            if cells[cell] == own:
                mine += 1
            elif cells[cell] == rival:
                theirs += 1
            else:
                empty = cell
        if theirs == 0:
            if mine == FIVE - 1:
                return 1.0
            total += TO_MOVE * WEIGHTS[mine]
        elif mine == 0:
            if theirs == FIVE - 1:
                if due not in (-1, empty):
                    total -= SCALE * FIVE  # two cells to stop, and one stone
                due = empty
            total -= WEIGHTS[theirs]
    return 1.0 / (1.0 + exp(-total / SCALE))


KNOWLEDGE = Knowledge(playout=playout, priors=priors, kernel="rules.games.gomoku.kernel", at_once=1)
