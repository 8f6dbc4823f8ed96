"""Begird's boards and islands, and the test for a win. Sets of cells and of islands are stored as bits."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from rules.board import AROUND, Board, hexagon, ring, triangle

Place = tuple[int, int]

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


class Group(NamedTuple):
    """Connected stones of one colour: their cells and the islands that they touch, as bits."""

    cells: int
    islands: int


@dataclass(frozen=True, eq=False)
class Ground:
    """A board with islands round it. Grounds are cached, so the same setup is one object."""

    board: Board
    islands: tuple[tuple[Place, ...], ...]
    """The places of each island in the ring. Places and islands are in clockwise order."""
    near: tuple[int, ...]
    shore: tuple[int, ...]
    """By cell: the neighbouring cells (`near`) and the islands that it touches (`shore`), as bits."""
    from_middle: tuple[int, ...]
    """All cells, those nearest to the middle of the board first."""

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

    def join(self, groups: Sequence[Group], cell: int) -> tuple[Group, ...]:
        """Return a colour's groups with a stone on `cell` added. The new or joined group is the first."""
        near, cells, islands = self.near[cell], 1 << cell, self.shore[cell]
        beside = [group for group in groups if group.cells & near]
        for group in beside:
            cells, islands = cells | group.cells, islands | group.islands
        if beside:
            groups = [group for group in groups if not group.cells & near]
        return (Group(cells, islands), *groups)


def indices(bits: int) -> list[int]:
    return [index for index in range(bits.bit_length()) if bits >> index & 1]


@cache
def ground(islands: int, side: int | None = None) -> Ground:
    """Return the board of a game: a triangle if `side` is given, else a hexagon."""
    if side is not None:
        return surround(triangle(side), [3 * (side - 1) // islands] * islands)
    top, bottom, lengths = hexagon_of(islands)
    return surround(hexagon(top, bottom), lengths * (islands // len(lengths)))


def surround(board: Board, lengths: Iterable[int]) -> Ground:
    """Add islands to `board`, clockwise from its first cell. `lengths` are their numbers of ring places."""
    places = iter(ring(board))
    islands = tuple(tuple(next(places) for _ in range(length)) for length in lengths)
    island_at = {place: index for index, island in enumerate(islands) for place in island}
    shore = []
    for x, y in board.xy:
        beside = {island_at[place] for dx, dy in AROUND if (place := (x + dx, y + dy)) in island_at}
        shore.append(bits(beside))
    middle_x, middle_y = (sum(values) / len(board) for values in zip(*board.xy, strict=True))
    off_middle = [(x - middle_x) ** 2 + 3 * (y - middle_y) ** 2 for x, y in board.xy]  # squares of distances
    return Ground(
        board,
        islands,
        near=tuple(map(bits, board.near)),
        shore=tuple(shore),
        from_middle=tuple(sorted(range(len(board)), key=off_middle.__getitem__)),
    )


def bits(indices: Iterable[int]) -> int:
    return sum(1 << index for index in indices)
