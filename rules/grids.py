"""The grids of boards: where the neighbours of a cell lie, and the shape of a cell in a drawing.

Places are (x, y): x counts half columns, so that neighbours in a row are 2 apart, and y grows downwards.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

from rules.looks import RADIUS

Place = tuple[int, int]
Point = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Grid:
    """One kind of grid. All sizes are in units of the drawing."""

    around: tuple[Place, ...]
    """The steps to the neighbours, clockwise. The opposite of a step stands half of the list behind it."""
    unit: Point
    """The width of half a column and the height of a row."""
    corners: tuple[Point, ...]
    """The corners of a cell about its middle."""
    steps: Callable[[Place, Place], int]
    """Two places -> the number of steps from neighbour to neighbour between them."""
    by_columns: bool = False
    """True if cells touch in columns and not in rows."""

    @property
    def axes(self) -> int:
        """The number of straight lines through a cell."""
        return len(self.around) // 2

    def offset(self, place: Place) -> int:
        """Return 0 or 1. Two places of one board overlap in a drawing unless their offsets are equal."""
        rows_are_shifted = any(across % 2 for across, _ in self.around)
        return (place[0] + place[1] * rows_are_shifted) % 2

    def shrunk(self, inset: float) -> tuple[Point, ...]:
        """Return the corners of a cell whose outermost corner lies `inset` nearer to the middle."""
        size = max(abs(value) for corner in self.corners for value in corner)
        return tuple((x * (size - inset) / size, y * (size - inset) / size) for x, y in self.corners)


def _hex_steps(one: Place, other: Place) -> int:
    across, down = abs(one[0] - other[0]), abs(one[1] - other[1])
    return max(down, (across + down) // 2)


def _flat_steps(one: Place, other: Place) -> int:
    return _hex_steps(one[::-1], other[::-1])


def _square_steps(one: Place, other: Place) -> int:
    return abs(one[0] - other[0]) // 2 + abs(one[1] - other[1])


def _eight_steps(one: Place, other: Place) -> int:
    return max(abs(one[0] - other[0]) // 2, abs(one[1] - other[1]))


_HALF, _SIDE = RADIUS * sqrt(3) / 2, 18.0
_POINTED = (
    (0, -RADIUS),
    (_HALF, -RADIUS / 2),
    (_HALF, RADIUS / 2),
    (0, RADIUS),
    (-_HALF, RADIUS / 2),
    (-_HALF, -RADIUS / 2),
)
_CORNERS = ((-_SIDE, -_SIDE), (_SIDE, -_SIDE), (_SIDE, _SIDE), (-_SIDE, _SIDE))

HEX = Grid(((-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1)), (_HALF, RADIUS * 1.5), _POINTED, _hex_steps)
"""Hexes that stand on a corner."""
FLAT = Grid(
    ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)),
    (RADIUS * 1.5, _HALF),
    tuple((y, x) for x, y in _POINTED),
    _flat_steps,
    by_columns=True,
)
"""Hexes that stand on a side."""
SQUARE = Grid(((-2, 0), (0, -1), (2, 0), (0, 1)), (_SIDE, 2 * _SIDE), _CORNERS, _square_steps)
"""Squares with four neighbours."""
EIGHT = Grid(
    ((-2, 0), (-2, -1), (0, -1), (2, -1), (2, 0), (2, 1), (0, 1), (-2, 1)),
    SQUARE.unit,
    _CORNERS,
    _eight_steps,
)
"""Squares with eight neighbours."""
