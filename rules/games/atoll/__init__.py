"""Atoll, by Mark Steere, January 2008: join two of your islands that lie opposite each other."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from rules.board import Board, slanted, slanted_labels
from rules.games.atoll.lessons import LESSONS
from rules.grids import Place, Point
from rules.joining import Figure, Goals, Joining, bits, draw, with_goals
from rules.option import Option, choice_option
from rules.picture import Label
from rules.search.joining import KNOWLEDGE
from rules.stone_placement import one_stone

SIZES = ("7", "11", "15", "19")
"""The numbers of rows for which the middle row is a long one."""
BLACK, WHITE = 0b10101010, 0b01010101
"""The islands of each colour. Island 1 is the first bit, and White's."""


def _islands_at(size: int, x: int, y: int) -> int:
    """Return the islands that a cell touches. Each side of the board is halved at its middle."""
    top, bottom, left, right = y == 0, y == size - 1, x < 2, x > 2 * size - 6
    west, east, north, south = x <= size - 2, x >= size - 2, y <= size // 2, y >= size // 2
    above = (top, west), (top, east), (right, north), (right, south)
    below = (bottom, east), (bottom, west), (left, south), (left, north)
    return bits(island for island, is_there in enumerate((*above, *below)) if all(is_there))


def _islands(size: int) -> Iterator[tuple[tuple[Place, ...], tuple[Point, Point]]]:
    """Yield the places of the four islands on top and right, and their ends, then those opposite."""
    far, foot, half = 2 * size - 4, size - 1, size // 2
    above = range(2, size - 2, 2), range(size - 1, far - 1, 2)
    beside = range(half), range(half + 1, size)
    found = [(tuple((x, -1) for x in xs), ((xs[0] - 0.28, -0.84), (xs[-1] + 0.28, -0.84))) for xs in above]
    for ys, first, last in zip(beside, (-0.2, half + 0.42), (half - 0.42, foot + 0.2), strict=True):
        places = tuple((far + 2 - (y + 1) % 2, y) for y in ys)
        found.append((places, ((far + 1.7, first), (far + 1.7, last))))
    yield from found
    for places, ((x1, y1), (x2, y2)) in found:  # half a turn round the middle
        turned = tuple((far - x, foot - y) for x, y in places)
        yield turned, ((far - x1, foot - y1), (far - x2, foot - y2))


def _labels(board: Board, far: int) -> Iterator[Label]:
    """Yield numbers and letters. A letter whose diagonal ends at the right stands behind the island there."""
    foot = board.xy[-1][1]
    for label in slanted_labels(board, 1):
        beside = label.y - (2 if label.kind == "text" else 3)  # the row of the diagonal's last cell
        if label.kind == "row":
            yield replace(label, x=label.x - 2, at=(-3.45, label.y))
        elif beside == foot:
            yield label
        elif label.kind == "diagonal":
            yield Label("text", "\\", far + 5, beside + 1)
            yield Label("diagonal", label.text, far + 7, beside + 1, (far + 3.4, beside + 1.0))


@cache
def _goals(size: int) -> Goals:
    board = slanted([(row // 2, row // 2 + size - 3 + row % 2) for row in range(size)])
    islands, coasts = zip(*_islands(size), strict=True)
    pairs = [(island, island + 4, (island % 2, 1 - island % 2)) for island in range(4)]
    return with_goals(
        board,
        [_islands_at(size, x, y) for x, y in board.xy],
        Goals,
        islands=islands,
        coasts=coasts,
        figures=tuple(
            Figure(f"a chain from island {one + 1} to island {other + 1}", bits((one, other)), value)
            for one, other, value in pairs
        ),
        owners=(BLACK, WHITE),
        linked=True,
        legend=(("[1]", "an island of odd number: White's"), ("[2]", "one of even number: Black's")),
        labels=tuple(_labels(board, 2 * size - 4)),
    )


@dataclass(frozen=True)
class AtollPosition(Joining):
    """Black joins island 2 with 6 or 4 with 8, White 1 with 5 or 3 with 7."""

    @staticmethod
    def goals_of(options: Mapping[str, Any]) -> Goals:
        return _goals(options["size"])


def _size(text: str) -> int:
    if text not in SIZES:
        raise ValueError(text)
    return int(text)


RULES = one_stone(
    AtollPosition,
    key="atoll",
    name="Atoll",
    designer="Mark Steere",
    year=2008,
    terms=(
        "Free to publish and to program, without licence or fee, as long as name and rules stay as they are"
        " and the game is attributed to Mark Steere (marksteeregames.com)."
    ),
    family="connection",
    summary="Four islands round the board are yours; join two that lie opposite each other with your stones.",
    turn="A move is one empty cell, such as d4, or swap as the second move of the game.",
    options=(
        Option("size", "rows of the board", 11, _size, "7, 11, 15 or 19", rated=(11, 19)),
        choice_option("pie", "whether the second move may be swap", "yes", ("yes", "no")),
    ),
    draw=draw,
    knowledge=KNOWLEDGE,
    lessons=LESSONS,
)
