"""Hex boards on the doubled grid: cells and who lies beside whom; no stones.

A cell is (x, y) with y growing downwards; its neighbours are (x ± 2, y) and (x ± 1, y ± 1). Games
work with cell indices, in reading order from 0, and with tuples made once a board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from string import ascii_lowercase, ascii_uppercase

LETTERS = ascii_lowercase + ascii_uppercase
"""Half columns from the left: a to z, then A to Z."""

AROUND = ((-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1))
"""The six directions, clockwise from the left."""


@dataclass(frozen=True, eq=False)
class Board:
    """Cells by index: names, places, neighbours. Boards are cached: the same board is one object."""

    names: tuple[str, ...]
    xy: tuple[tuple[int, int], ...]
    index: Mapping[str, int]
    """Name -> index."""
    around: tuple[tuple[int, ...], ...]
    """The six neighbours of each cell in the order of `AROUND`, -1 where the board ends."""
    near: tuple[tuple[int, ...], ...]
    """The neighbours there are, in the same order."""
    rim: tuple[bool, ...]
    """Whether a cell lies on the edge of the board."""

    def __len__(self) -> int:
        return len(self.names)

    def nearest(self, place: tuple[int, int], wanted: Sequence[bool]) -> int | None:
        """The cell of those `wanted` (by index) with the fewest steps to `place`, None if there is none."""
        cells = [cell for cell, is_wanted in enumerate(wanted) if is_wanted]
        return min(cells, key=lambda cell: steps(self.xy[cell], place), default=None)


def steps(one: tuple[int, int], other: tuple[int, int]) -> int:
    """How many steps lie between two places, each from a cell to a neighbour."""
    across, down = abs(one[0] - other[0]), abs(one[1] - other[1])
    return max(down, (across + down) // 2)


def board_of(cells: Iterable[tuple[str, int, int]]) -> Board:
    """The board of these (name, x, y), in the order given."""
    cells = tuple(cells)
    place = {(x, y): index for index, (_, x, y) in enumerate(cells)}
    around = tuple(tuple(place.get((x + dx, y + dy), -1) for dx, dy in AROUND) for _, x, y in cells)
    near = tuple(tuple(cell for cell in six if cell >= 0) for six in around)
    return Board(
        names=tuple(name for name, _, _ in cells),
        xy=tuple((x, y) for _, x, y in cells),
        index={name: index for index, (name, _, _) in enumerate(cells)},
        around=around,
        near=near,
        rim=tuple(len(cells_near) < 6 for cells_near in near),
    )


@cache
def trapezium(top: int, rows: int) -> Board:
    """A board of `rows` rows, `top` cells in the first and one less in each below.

    Cells are named by the letter of their half column and the row's number from the top: `a1`.
    """
    return board_of((f"{LETTERS[x]}{y + 1}", x, y) for y in range(rows) for x in range(y, 2 * top - 1 - y, 2))
