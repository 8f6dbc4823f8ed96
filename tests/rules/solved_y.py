"""Every position of Begird on three islands, solved without the project's rules: by Y and its reduction.

A full board is won by who holds the one cell that is left when each small triangle is replaced by its
majority, again and again (Schensted and Titus, Mudcrack Y and Poly-Y, 1975). All other positions follow
backwards, by their number of stones.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy
from numba import njit

EMPTY, FIRST, SECOND = 0, 1, 2


@njit(cache=False)
def _winner(board: numpy.ndarray, side: int) -> int:
    """The colour that has won a full board; its cells stand row by row, the row of one cell first."""
    held = board.copy()
    for rows in range(side - 1, 0, -1):
        for row in range(rows):
            for n in range(row + 1):
                here, below = row * (row + 1) // 2 + n, (row + 1) * (row + 2) // 2 + n
                seconds = (held[here] == 2) + (held[below] == 2) + (held[below + 1] == 2)
                held[here] = 2 if seconds >= 2 else 1
    return held[0]


@njit(cache=False)
def _solve(side: int) -> numpy.ndarray:
    """By the number of a position, in base 3: the colour that wins with best play, 0 where none can be."""
    cells = side * (side + 1) // 2
    total = 3**cells
    winners = numpy.zeros(total, numpy.int8)
    board = numpy.zeros(cells, numpy.int8)
    for number in range(total - 1, -1, -1):
        left, first, second = number, 0, 0
        for cell in range(cells):
            board[cell] = left % 3
            left //= 3
            first += board[cell] == 1
            second += board[cell] == 2
        if first - second not in (0, 1):
            continue
        if first + second == cells:
            winners[number] = _winner(board, side)
            continue
        mover = 1 if first == second else 2
        winners[number], place = 3 - mover, 1
        for cell in range(cells):
            if board[cell] == 0 and winners[number + mover * place] == mover:
                winners[number] = mover
                break
            place *= 3
    return winners


class SolvedY:
    """The winner of every position on a triangle of `side` cells a side, 5 at most."""

    def __init__(self, side: int) -> None:
        self.side, self.winners = side, _solve(side)

    def winner(self, cells: Sequence[int]) -> int:
        """The colour that wins, `FIRST` or `SECOND`, by the colour on each cell."""
        return int(self.winners[sum(int(held) * 3**cell for cell, held in enumerate(cells))])
