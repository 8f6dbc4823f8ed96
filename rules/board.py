"""Boards on the grids of `rules.grids`. Cells have indexes in reading order."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import atan2, sqrt, tau
from string import ascii_lowercase, ascii_uppercase

from rules.grids import HEX, SQUARE, Grid
from rules.picture import Label

LETTERS = ascii_lowercase + ascii_uppercase
"""Half columns from the left: a to z, then A to Z."""

AROUND = HEX.around


@dataclass(frozen=True, eq=False)
class Board:
    """Cells by index: names, places, neighbours. Boards are cached, so equal boards are one object."""

    names: tuple[str, ...]
    xy: tuple[tuple[int, int], ...]
    index: Mapping[str, int]
    around: tuple[tuple[int, ...], ...]
    """The neighbours of each cell in the order of the grid's steps, -1 where the board ends."""
    near: tuple[tuple[int, ...], ...]
    """The neighbours that exist, in the same order."""
    grid: Grid = HEX

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def middle(self) -> int:
        """Return the cell nearest to the middle of the board."""
        x, y = (sum(values) / len(self) for values in zip(*self.xy, strict=True))
        across, down = self.grid.unit
        return min(range(len(self)), key=lambda cell: _far(self.xy[cell], (x, y), across, down))

    def nearest(self, place: tuple[int, int], wanted: Sequence[int]) -> int | None:
        """Return the nearest cell of those `wanted` (by index), or None."""
        cells = [cell for cell, is_wanted in enumerate(wanted) if is_wanted]
        return min(cells, key=lambda cell: self.grid.steps(self.xy[cell], place), default=None)


def _far(place: tuple[int, int], other: tuple[float, float], across: float, down: float) -> float:
    """Return the square of a distance in the drawing, without the rounding errors of equal distances."""
    return round(((place[0] - other[0]) * across) ** 2 + ((place[1] - other[1]) * down) ** 2, 6)


steps = HEX.steps


def board_of(cells: Iterable[tuple[str, int, int]], grid: Grid = HEX) -> Board:
    cells = tuple(cells)
    place = {(x, y): index for index, (_, x, y) in enumerate(cells)}
    around = tuple(tuple(place.get((x + dx, y + dy), -1) for dx, dy in grid.around) for _, x, y in cells)
    return Board(
        names=tuple(name for name, _, _ in cells),
        xy=tuple((x, y) for _, x, y in cells),
        index={name: index for index, (name, _, _) in enumerate(cells)},
        around=around,
        near=tuple(tuple(cell for cell in beside if cell >= 0) for beside in around),
        grid=grid,
    )


@cache
def square(side: int, grid: Grid = SQUARE) -> Board:
    """Make a square of `side` rows, a1 at the bottom left. `grid` says which squares are neighbours."""
    return board_of(
        ((f"{LETTERS[column]}{side - y}", 2 * column, y) for y in range(side) for column in range(side)), grid
    )


@cache
def square_labels(board: Board) -> tuple[Label, ...]:
    """Return row numbers at the left of a square, and letters below it."""
    side = board.xy[-1][1] + 1
    rows = (Label("row", str(side - y), -1 - len(str(side - y)), y, (-1.7, y)) for y in range(side))
    columns = (Label("column", LETTERS[x], 2 * x, side, (2 * x, side - 0.12)) for x in range(side))
    return (*rows, *columns)


@cache
def trapezium(top: int, rows: int) -> Board:
    """Make a board of `rows` rows, the first of `top` cells. A cell's name is its half column and its row."""
    return board_of((f"{LETTERS[x]}{y + 1}", x, y) for y in range(rows) for x in range(y, 2 * top - 1 - y, 2))


def slanted(rows: Sequence[tuple[int, int]]) -> Board:
    """Make a left-leaning board of rows, bottom row first. A row is given by its outer letters (0 is a)."""
    count = len(rows)
    left = min(2 * first - row for row, (first, _) in enumerate(rows, start=1))
    return board_of(
        (f"{LETTERS[letter]}{row}", 2 * letter - row - left, count - row)
        for row, (first, last) in reversed(list(enumerate(rows, start=1)))
        for letter in range(first, last + 1)
    )


@cache
def hexagon(top: int, bottom: int) -> Board:
    """Make a hexagon whose sides have `top` and `bottom` cells in turn, named as in `slanted`."""
    count = top + bottom - 1
    return slanted([(max(0, row - top), min(bottom + row - 2, count - 1)) for row in range(1, count + 1)])


@cache
def triangle(side: int) -> Board:
    """Make a triangle with `side` cells on a side, named as in `slanted`. The apex has the last letter."""
    return slanted([(row - 1, side - 1) for row in range(1, side + 1)])


@cache
def slanted_labels(board: Board, room: int = 0) -> tuple[Label, ...]:
    """Return row numbers at the left, and letters at the foot.

    A letter stands behind a backslash. `room` places are free for a ring.

    2   . . . . . \\ g
     1   . . . . \\ f
          \\ \\ \\ \\ e
           a b c d
    """
    first: dict[str, tuple[int, int]] = {}
    foot: dict[str, tuple[int, int]] = {}
    for name, place in zip(board.names, board.xy, strict=True):  # top row first, left to right
        first.setdefault(name[1:], place)
        foot[name[0]] = place
    rows = (
        Label("row", row, x - 3 - room - len(row), y, (x - 1.75 - 1.7 * room, y))
        for row, (x, y) in first.items()
    )
    leads = (Label("text", "\\", x + 1 + room, y + 1 + room) for x, y in foot.values())
    far = 1.1 + room
    letters = (
        Label("diagonal", letter, x + 2 + room, y + 2 + room, (x + far, y + far))
        for letter, (x, y) in foot.items()
    )
    return (*rows, *leads, *letters)


def ring(board: Board) -> tuple[tuple[int, int], ...]:
    """Return the places round a hexagon or triangle that touch two cells, in clockwise order."""
    cells = set(board.xy)
    beside = Counter((x + dx, y + dy) for x, y in cells for dx, dy in AROUND)
    middle = tuple(sum(values) / len(cells) for values in zip(*cells, strict=True))

    def angle(place: tuple[int, int]) -> float:
        return atan2((place[1] - middle[1]) * sqrt(3), place[0] - middle[0])

    start = angle(board.xy[0])
    places = [place for place, count in beside.items() if count == 2 and place not in cells]
    return tuple(sorted(places, key=lambda place: (angle(place) - start) % tau))


def groups(board: Board, wanted: Sequence[bool]) -> list[list[int]]:
    """Return the connected groups of the `wanted` cells (by index), each in order of discovery."""
    seen: set[int] = set()
    found = []
    for start, is_wanted in enumerate(wanted):
        if is_wanted and start not in seen:
            found.append(group_at(board, wanted, start))
            seen.update(found[-1])
    return found


def group_at(board: Board, content: Sequence[object], start: int) -> list[int]:
    """Return the cells connected with `start` that have the same content, in order of discovery."""
    group, seen = [start], {start}
    for cell in group:  # grows while it is walked
        for other in board.near[cell]:
            if content[other] == content[start] and other not in seen:
                seen.add(other)
                group.append(other)
    return group


def rows(board: Board, stones: Container[int]) -> Iterator[list[int]]:
    """Return every straight, unbroken row of two stones or more."""
    axes = board.grid.axes
    for direction in range(axes):
        for cell in range(len(board)):
            if cell not in stones or board.around[cell][direction] in stones:
                continue
            row = [cell]
            while (beside := board.around[row[-1]][direction + axes]) in stones:
                row.append(beside)
            if len(row) > 1:
                yield row


def joints(board: Board, stones: Container[int]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the two ends of each row that `rows` finds."""
    return ((board.xy[row[0]], board.xy[row[-1]]) for row in rows(board, stones))
