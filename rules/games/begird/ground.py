"""Begird's boards and islands, and the test for a win. Sets of cells and of islands are stored as bits."""

from collections.abc import Iterable
from functools import cache
from itertools import pairwise

from rules.board import Board, hexagon, triangle
from rules.joining import Goals, indices
from rules.joining import surround as surround_with

MAX_ISLANDS = 51
"""The most islands: the number of places in the ring of a hexagon with sides of 9 and 10."""

COUNTS = tuple(range(3, MAX_ISLANDS + 1, 6))
"""The possible numbers of islands: the odd multiples of three."""

TRIANGLES = (3, 9)
"""The numbers of islands for which the board is a triangle even if no side is given."""


def hexagon_of(islands: int) -> tuple[int, int, tuple[int, ...]]:
    """Return the hexagon for these islands: its sides (top, bottom), and ring places by island, repeated."""
    if islands == 15:
        return 9, 10, (4, 4, 3, 3, 3)
    top = (islands // 3 + 1) // 2
    return top, top + 1, (1,)


class Ground(Goals):
    """A board with islands round it."""

    @property
    def needed(self) -> int:
        """Return the length of a winning run: half of (number of islands + 3)."""
        return (len(self.islands) + 3) // 2

    def wins(self, islands: int) -> bool:
        """True if a group wins by touching these islands (bits). Two groups can never both win."""
        return islands.bit_count() > 2 and self.run(islands) >= self.needed

    def run(self, islands: int) -> int:
        """Return the length of the shortest run round these islands: the ring without their largest gap."""
        touched = indices(islands)
        if not touched:
            return 0
        round_again = [*touched, touched[0] + len(self.islands)]
        return len(self.islands) - max(b - a for a, b in pairwise(round_again)) + 1


@cache
def ground(islands: int, side: int | None = None) -> Ground:
    """Return the board of a game: a triangle if `side` is given, else a hexagon."""
    if side is not None:
        return surround(triangle(side), [3 * (side - 1) // islands] * islands, room=1)
    top, bottom, lengths = hexagon_of(islands)
    return surround(hexagon(top, bottom), lengths * (islands // len(lengths)))


def surround(board: Board, lengths: Iterable[int], room: int = 2) -> Ground:
    """Add islands to `board`, clockwise from its first cell. `lengths` are their numbers of ring places."""
    lengths = tuple(lengths)
    return surround_with(board, lengths, Ground, legend=((f"[1] to [{len(lengths)}]", "islands"),), room=room)
