"""Begird's boards and islands, and the test for a win. Sets of cells and of islands are bits."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from rules.board import AROUND, Board, hexagon, ring, triangle

Place = tuple[int, int]

MAX_ISLANDS = 51
"""As many as a hexagon of sides 9 and 10 has places in its ring."""

COUNTS = tuple(range(3, MAX_ISLANDS + 1, 6))
"""The odd multiples of three."""

TRIANGLES = (3, 9)
"""The numbers of islands that go round a triangle also where no side is given."""


def hexagon_of(islands: int) -> tuple[int, int, tuple[int, ...]]:
    """Return a hexagon's sides (top, bottom) and its islands' repeated ring places."""
    if islands == 15:
        return 9, 10, (4, 4, 3, 3, 3)
    top = (islands // 3 + 1) // 2
    return top, top + 1, (1,)


class Group(NamedTuple):
    """Connected stones of one colour: cells and touched islands, as bits."""

    cells: int
    islands: int


@dataclass(frozen=True, eq=False)
class Ground:
    """A board with islands round it. Grounds are cached: the same setup is one object."""

    board: Board
    islands: tuple[tuple[Place, ...], ...]
    """Each island's places in the ring, clockwise, as are the islands."""
    near: tuple[int, ...]
    shore: tuple[int, ...]
    """By cell: the cells beside it, and the islands that it touches, as bits."""
    from_middle: tuple[int, ...]
    """All cells, those nearest to the middle of the board first."""

    @property
    def needed(self) -> int:
        """The run that wins: half of three more than there are islands."""
        return (len(self.islands) + 3) // 2

    def wins(self, islands: int) -> bool:
        """True if a group wins by touching these islands (bits). Two groups never do."""
        return islands.bit_count() > 2 and self.run(islands) >= self.needed

    def run(self, islands: int) -> int:
        """Return the length of the shortest run round all of them. It leaves out their largest gap."""
        touched = indices(islands)
        if not touched:
            return 0
        round_again = [*touched, touched[0] + len(self.islands)]
        return len(self.islands) - max(b - a for a, b in pairwise(round_again)) + 1

    def join(self, groups: Sequence[Group], cell: int) -> tuple[Group, ...]:
        """Return a colour's groups with a stone on `cell` too. The new group is the first."""
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
    """Return the board of a game. With a `side` it is a triangle, else a hexagon."""
    if side is not None:
        return surround(triangle(side), [3 * (side - 1) // islands] * islands)
    top, bottom, lengths = hexagon_of(islands)
    return surround(hexagon(top, bottom), lengths * (islands // len(lengths)))


def surround(board: Board, lengths: Iterable[int]) -> Ground:
    """Add islands of so many ring places to `board`. They go clockwise from its first cell."""
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
