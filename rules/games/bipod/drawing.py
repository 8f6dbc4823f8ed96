"""The picture of a Bipod position, with Runner's two routes, or Blocker's wall, where they have won."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from rules.board import LETTERS, Board, joints
from rules.games.bipod.paths import (
    BLOCK,
    EMPTY,
    LEFT,
    LEFT_START,
    RIGHT,
    RIGHT_START,
    outermost,
    reached,
    shortest_chain,
)
from rules.picture import Label, Line, Picture, Point, Spot, described, marks, title

if TYPE_CHECKING:
    from rules.games.bipod.position import BipodPosition

_LOOKS = {
    EMPTY: "empty",
    BLOCK: "block",
    LEFT: "ring",
    RIGHT: "disc",
    LEFT_START: "start-ring",
    RIGHT_START: "start-disc",
}

_LEGEND = (
    ("x", "a block"),
    ("@", "the left start"),
    ("o", "Runner's stone for the left start"),
    ("Q", "the right start"),
    ("O", "Runner's stone for the right start"),
    (":", "an empty cell that is cut off"),
)


def draw(position: BipodPosition) -> Picture:
    """The picture of a position, with the winning routes at the end."""
    board = position.ground.board
    routes = _routes(position)
    wall = _wall(position)
    won = {cell for route in routes for cell in route} | wall
    may = not position.outcome
    spots = []
    for cell, content in enumerate(position.cells):
        is_open = position.open[cell]
        is_cut = content == EMPTY and not is_open
        spots.append(
            Spot(
                board.names[cell],
                *board.xy[cell],
                glyph=":" if is_cut else content,
                look="cut" if is_cut else _LOOKS[content],
                words=position.words(cell),
                marks=marks(
                    last=bool(position.ply) and position.laid[cell] == position.ply,
                    legal=may and is_open,
                    win=cell in won,
                ),
            )
        )
    return Picture(
        game="bipod",
        title=title("Bipod", position.ply),
        description=described(position.stones()),
        spots=tuple(spots),
        labels=_labels(board),
        lines=(
            Line("edge", _short_sides(board)),
            *(Line("route", tuple(board.xy[cell] for cell in route)) for route in routes),
            *(Line("route", ends) for ends in joints(board, frozenset(wall))),
        ),
        legend=_LEGEND,
    )


def _routes(position: BipodPosition) -> list[list[int]]:
    """Runner's two winning chains, none in any other position."""
    if not position.outcome or position.outcome.side != "Runner":
        return []
    chains = [shortest_chain(position.ground, position.cells, colour) for colour in (LEFT, RIGHT)]
    return [chain for chain in chains if chain]


def _wall(position: BipodPosition) -> set[int]:
    """What Blocker has won with: all that stands round a start from which no way is left to the edge."""
    if not position.outcome or position.outcome.side != "Blocker":
        return set()
    ground, cells, wall = position.ground, position.cells, set[int]()
    for colour in (LEFT, RIGHT):
        if outermost(ground, cells, colour) is None:
            inside = reached(ground, cells, colour)
            near = (
                cell for start, within in enumerate(inside) if within for cell in ground.board.near[start]
            )
            wall.update(cell for cell in near if not inside[cell])
    return wall


@cache
def _labels(board: Board) -> tuple[Label, ...]:
    """A rule over the long side, letters under the board (a drawing has them on top), row numbers."""
    rows = board.xy[-1][1] + 1
    width = max(x for x, _ in board.xy) + 1
    return (
        Label("text", "_" * width, 0, -1),
        *(Label("row", str(y + 1), width + 3, y, (width + 0.7 - y, y)) for y in range(rows)),
        *(Label("column", LETTERS[x], x, rows, (x, -0.95)) for x in range(width)),
    )


@cache
def _short_sides(board: Board) -> tuple[Point, ...]:
    """The outline of the three short sides, from the top left corner down, along and up."""
    rows = board.xy[-1][1] + 1
    right = max(x for x, _ in board.xy)
    down = [(y - 1.0, y + step) for y in range(rows) for step in (-1 / 3, 1 / 3)]
    bottom = [
        (x + 0.0, y)
        for x in range(rows - 1, right - rows + 2)
        for y in (rows - 1 + (2 / 3 if (x - rows + 1) % 2 == 0 else 1 / 3),)
    ]
    up = [(right - x, y) for x, y in reversed(down)]
    return (*down, *bottom, *up)
