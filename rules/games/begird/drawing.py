"""The picture of a Begird position: stones, islands round them, and what won."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from rules.board import AROUND, joints
from rules.games.begird.ground import GLYPHS, Ground, Place
from rules.lettering import slanted_labels
from rules.picture import Label, Line, Picture, Point, Spot, described, title

if TYPE_CHECKING:
    from rules.games.begird.position import BegirdPosition

NEARER = 0.84
"""Where an island is drawn between the cells that touch it (0) and its places in the ring (1)."""

STRAIT = 0.36
"""Between an island's end and the middle of the cell that it shares with the next, in steps."""


def draw(position: BegirdPosition) -> Picture:
    """The picture of a position, with the winning group and its islands at the end.

    In text the winner's stones that are not of the winning group are small letters.
    """
    ground = position.ground
    won = position.winning
    return Picture(
        game="begird",
        title=title("Begird", position.ply),
        description=described(position.stones()) or "No stones yet.",
        spots=tuple(_spots(position, frozenset(won))),
        labels=_labels(ground),
        lines=(
            *_islands(ground, position.joined),
            *(Line("route", ends) for ends in joints(ground.board, frozenset(won))),
        ),
        legend=_legend(position),
    )


def _spots(position: BegirdPosition, won: frozenset[int]) -> Iterator[Spot]:
    board = position.ground.board
    last = position.last
    legal = frozenset() if position.outcome else frozenset({"legal"})
    for cell, (name, (x, y)) in enumerate(zip(board.names, board.xy, strict=True)):
        number = position.placed.find(cell)
        if number < 0:
            yield Spot(name, x, y, ".", "empty", "empty", legal)
            continue
        glyph, look = ("O", "light") if number % 2 else ("X", "dark")
        if won and cell not in won and number % 2 == position.winner:
            glyph = glyph.lower()
        marks = ({"last"} if cell == last else set()) | ({"win"} if cell in won else set())
        yield Spot(name, x, y, glyph, look, position.words(cell), frozenset(marks))


def _legend(position: BegirdPosition) -> tuple[tuple[str, str], ...]:
    count = len(position.ground.islands)
    legend = [("X", "a black stone"), ("O", "a white stone"), (f"1-{min(count, 9)}", "islands")]
    if count > 9:
        skipped = ", no I and no O" if count > 17 else ""
        legend.append((f"A-{GLYPHS[count - 1]}", f"islands 10 to {count}{skipped}"))
    if position.winner is not None:
        side = ("black", "white")[position.winner]
        legend.append(("xo"[position.winner], f"a {side} stone outside the winning group"))
    return tuple(legend)


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
    """Where each island begins and ends in a drawing: short of the cells that it shares."""
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
