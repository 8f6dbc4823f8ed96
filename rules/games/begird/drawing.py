"""The picture of a Begird position: stones, islands round them, and what won."""

from collections.abc import Iterator, Sequence
from functools import cache

from rules.board import AROUND, joints
from rules.coordinates import slanted_labels
from rules.games.begird.ground import GLYPHS, Ground, Place
from rules.games.begird.position import BegirdPosition
from rules.picture import Label, Line, Picture, Point
from rules.stone_placement import draw as draw_stones

NEARER = 0.84
"""The place of an island between the cells that touch it (0) and its places in the ring (1)."""

STRAIT = 0.36
"""Between an island's end and the middle of the cell that it shares with the next, in steps."""


def draw(position: BegirdPosition) -> Picture:
    """The picture of a position, with the winning group and its islands at the end."""
    ground = position.ground
    lines = [
        *_islands(ground, position.joined),
        *(Line("route", ends) for ends in joints(ground.board, position.won)),
    ]
    return draw_stones(position, {"x": "dark", "o": "light"}, _legend(position), lines, _labels(ground))


def _legend(position: BegirdPosition) -> list[tuple[str, str]]:
    count = len(position.ground.islands)
    legend = [("X", "a black stone"), ("O", "a white stone"), (f"1-{min(count, 9)}", "islands")]
    if count > 9:
        skipped = ", no I and no O" if count > 17 else ""
        legend.append((f"A-{GLYPHS[count - 1]}", f"islands 10 to {count}{skipped}"))
    if position.outcome:
        side, glyph = position.players[position.last_colour]
        legend.append((glyph.lower(), f"a {side.lower()} stone outside the winning group"))
    return legend


@cache
def _labels(ground: Ground) -> tuple[Label, ...]:
    """Rows and letters outside the ring, and each island's glyph on each of its places."""
    glyphs = (
        Label("island", glyph, x, y)
        for glyph, island in zip(GLYPHS, ground.islands, strict=False)
        for x, y in island
    )
    return (*slanted_labels(ground.board, room=1), *glyphs)


def _islands(ground: Ground, joined: int) -> Iterator[Line]:
    for index, ends in enumerate(_coasts(ground)):
        yield Line("joined" if joined >> index & 1 else "island", ends, str(index + 1))


@cache
def _coasts(ground: Ground) -> tuple[tuple[Point, Point], ...]:
    """The two ends of each island in a drawing: short of the cells that it shares."""
    cells = frozenset(ground.board.xy)
    return tuple(_coast(island, cells) for island in ground.islands)


def _coast(island: Sequence[Place], cells: frozenset[Place]) -> tuple[Point, Point]:
    (first_x, first_y), (last_x, last_y) = island[0], island[-1]
    beside = [(dx, dy) for dx, dy in AROUND if (first_x + dx, first_y + dy) in cells]
    if beside == [AROUND[0], AROUND[5]]:  # `AROUND` is clockwise and begins between these two
        beside.reverse()
    (far_x, far_y), (near_x, near_y) = beside  # along the ring the second is met first
    in_x, in_y = ((near + far) / 2 * (1 - NEARER) for near, far in ((near_x, far_x), (near_y, far_y)))
    on_x, on_y = ((far - near) * (0.5 - STRAIT) for near, far in ((near_x, far_x), (near_y, far_y)))
    return (first_x + in_x - on_x, first_y + in_y - on_y), (last_x + in_x + on_x, last_y + in_y + on_y)
