"""The discs that a new disc turns over, and the four squares in the middle."""

from collections.abc import Iterator, Sequence
from functools import cache

from rules.board import Board
from rules.stone_placement import EMPTY


@cache
def rays(board: Board) -> Sequence[Sequence[Sequence[int]]]:
    """Return by cell its straight lines of two cells or more, nearest cell first, to the edge."""
    each = [
        [list(_ray(board, cell, way)) for way in range(2 * board.grid.axes)] for cell in range(len(board))
    ]
    return [[ray for ray in lines if len(ray) > 1] for lines in each]


def _ray(board: Board, cell: int, way: int) -> Iterator[int]:
    while (cell := board.around[cell][way]) >= 0:
        yield cell


def turned(board: Board, cells: Sequence[str], cell: int, own: str) -> list[int]:
    """Return the cells whose discs a disc of `own` on `cell` turns over."""
    found: list[int] = []
    for ray in rays(board)[cell]:
        for count, other in enumerate(ray):
            if cells[other] == own:
                found += ray[:count]
            if cells[other] in (own, EMPTY):
                break
    return found


@cache
def centre(board: Board) -> tuple[int, ...]:
    """Return the four squares in the middle, in reading order."""
    half = board.xy[-1][1] // 2
    places = [(2 * x, y) for y in (half, half + 1) for x in (half, half + 1)]
    return tuple(board.xy.index(place) for place in places)
