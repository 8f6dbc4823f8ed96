"""Openings of Gomoku for a search and as examples: a few sets of cells about the middle."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations

from rules.board import Board
from rules.stone_placement import EMPTY

_TRIPLES = (
    ((0, 0), (1, 1), (-1, -1)),
    ((0, 0), (0, 1), (2, 2)),
    ((0, 0), (1, 1), (2, -1)),
    ((0, 0), (0, 1), (1, -2)),
    ((0, 0), (1, 0), (3, 2)),
    ((0, 0), (1, 1), (-2, 1)),
    ((0, 0), (2, 1), (-1, 3)),
)
"""Columns and rows from the middle, of a black, a white and a black stone."""
_NEAR = 2
_MOST = 40


@cache
def triples(board: Board) -> tuple[tuple[str, ...], ...]:
    """Return cells for three stones: black, white, black."""
    at = {place: name for name, place in zip(board.names, board.xy, strict=True)}
    x, y = board.xy[board.middle]
    return tuple(tuple(at[x + 2 * dx, y - dy] for dx, dy in three) for three in _TRIPLES)


def pairs(board: Board, cells: str) -> Sequence[tuple[str, str]]:
    """Return cells for a white and a black stone near those that lie there."""
    stones = [board.xy[cell] for cell, held in enumerate(cells) if held != EMPTY] or [board.xy[board.middle]]
    near = [
        name
        for name, place, held in zip(board.names, board.xy, cells, strict=True)
        if held == EMPTY and min(board.grid.steps(place, stone) for stone in stones) <= _NEAR
    ]
    return list(combinations(near, 2))[:: max(1, len(near) * (len(near) - 1) // 2 // _MOST)]
