"""The picture of a Bipod position, with Runner's two routes, or Blocker's wall, where they have won."""

from functools import cache

from rules.board import LETTERS, Board, joints
from rules.games.bipod.paths import BLOCK, LEFT, LEFT_START, RIGHT, RIGHT_START
from rules.games.bipod.position import BipodPosition
from rules.picture import Label, Line, Picture, Point
from rules.stone_placement import draw as draw_stones

_LOOKS = {
    ":": "cut",
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
    board = position.board
    lines = (
        Line("edge", _short_sides(board)),
        *(Line("route", tuple(board.xy[cell] for cell in route)) for route in position.routes),
        *(Line("route", ends) for ends in joints(board, position.wall)),
    )
    return draw_stones(position, _LOOKS, _LEGEND, lines, _labels(board))


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
