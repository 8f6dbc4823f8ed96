"""The compiled judgement of Gomoku, in place of playouts."""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import numpy as np
from numba import njit

from rules.board import Board
from rules.games.gomoku import playing_on
from rules.search.arrays import Ints, seats
from rules.search.compiled import Playouts

judge = njit(cache=True)(playing_on.judge)


def number_marks(position: Any, marks: Sequence[int]) -> list[int]:
    """Return no numbers, since a judgement lays no stones."""
    return []


@cache
def windows(board: Board) -> Ints:
    return np.array(playing_on.windows(board), np.int64)


def play_on(position: Any, rng: Random, count: int) -> Playouts:
    """Judge the position, and count that as so many games."""
    value = playing_on.value_for_first(position, seats(position), judge, windows(position.board))
    return Playouts(count * value, np.zeros((2, 1), np.int64), np.zeros((2, 1)))
