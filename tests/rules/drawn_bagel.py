"""Bagel positions from drawn boards, so that a test shows what it is about."""

from textwrap import dedent

from rules import RULES
from rules.games.bagel.position import BagelPosition
from rules.games.bagel.tiles import SUITS

LENGTHS = [4, 5, 6, 6, 6, 5, 4]
"""Tiles a row, from the top."""


def tiles(board: str) -> str:
    """The 36 characters of a drawn board, without row numbers, letters and what leads to them."""
    rows = [line.split("\\")[0].split() for line in dedent(board).splitlines() if line.strip()]
    rows = [[tile for tile in row if not tile.isdigit()] for row in rows][:7]
    assert LENGTHS == [len(row) for row in rows]
    return "".join("".join(row) for row in rows)


def drawn(board: str, *, ply: int = 2, swapped: bool = False) -> BagelPosition:
    """The position drawn: `O`, `X`, suits, and `.` for an empty tile of which the suit does not matter.

    `ply` plies are made: with 2, the first seat is to play, as White if sides were not exchanged. All
    discs count as placed in ply 1. Tiles without a drawn suit share what is left of the suits.
    """
    shown = tiles(board)
    left = iter([suit for suit in SUITS for _ in range(9 - shown.count(suit))])
    layout = "".join(tile if tile in SUITS else next(left) for tile in shown)
    cells = "".join(tile if tile in "OX" else "." for tile in shown)
    laid = tuple(int(tile in "OX") for tile in shown)
    start = RULES["bagel"].start({"layout": layout})
    return BagelPosition(start.rules, start.options, ply, cells, laid, swapped)
