"""What to draw of a position, and the three ways to draw it: text, SVG and table.

A `Picture` lies on the doubled hex grid: neighbours are (±2, 0) and (±1, ±1), y grows downwards.
`text` puts a glyph at column x · pitch, line y; `svg` puts a hexagon at (x · √3/2, y · 3/2); `grid`
gives every field two half columns. On a `flat` board hexes stand on a side: neighbours are (0, ±2) and
(±1, ±1), and `svg` puts them at (x · 3/2, y · √3/2). Values only: no I/O, and nothing knows any game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from math import sqrt
from typing import Literal, NamedTuple

from rules.looks import (
    DOT_AT,
    FLAT_OUTLINE,
    FLAT_RING,
    HEXES,
    INSET,
    LOOKS,
    OUTLINE,
    RADIUS,
    Paint,
    plain,
    style,
    themed,
)
from rules.looks import number as n

Point = tuple[float, float]
"""(x, y) on the doubled grid; the corners of the hex at (x, y) are (x, y ± 2/3), (x ± 1, y ± 1/3)."""


@dataclass(frozen=True)
class Spot:
    """One field of the board and what lies on it."""

    name: str
    x: int
    y: int
    glyph: str
    """One 7-bit character, or as many as the game's labels have."""
    look: str
    """A key of `LOOKS`: how the SVG draws it; a table may choose its colours by it."""
    words: str
    """What lies here, in words: `empty`, `a block`."""
    marks: frozenset[str] = frozenset()
    """Any of `last` (the last ply), `legal` (may be played now), `win` (part of what won), `chosen` (in a
    ply that is being composed)."""
    ground: str = ""
    """What the hex itself is where that is not its look's own: a key of `HEXES` and `LOOKS`."""


@dataclass(frozen=True)
class Label:
    """Lettering round the board. `kind` is `row`, `column`, `diagonal` (a letter at the foot of a
    slanted line, in a place of its own and no heading), `island` (a place of one: not in a drawing,
    which has a `Line` for the whole), `number` (a row's, where rows bend: no heading either), or `text`
    (for `text` alone)."""

    kind: Literal["row", "column", "diagonal", "island", "number", "text"]
    text: str
    x: int
    y: int
    at: Point | None = None
    """Where a drawing puts it, if elsewhere than `text` does."""


@dataclass(frozen=True)
class Line:
    """A line over the grid: `edge` (a side that matters), `row` (stones that count), `route` (what won),
    `island` (a broad one beside the board, with a text on its middle) or `joined` (an island that the
    winner has reached)."""

    look: Literal["edge", "row", "route", "island", "joined"]
    points: tuple[Point, ...]
    text: str = ""


@dataclass(frozen=True)
class Picture:
    """Everything there is to see of one position."""

    game: str
    """The game's key; a class name in the SVG."""
    title: str
    description: str
    """The whole board in words, for ears."""
    spots: tuple[Spot, ...]
    labels: tuple[Label, ...] = ()
    lines: tuple[Line, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()
    """Glyphs and what they stand for: `("x", "a block")`."""
    pitch: int = 1
    """Characters a half column is wide in `text`."""
    flat: bool = False
    """Whether the hexes stand on a side."""
    scored: bool = False
    """Whether `text` tells all that `Position.scores` does, so that no table need stand below it."""
    names: Mapping[str, Spot] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", {spot.name: spot for spot in self.spots})


# ---------------------------------------------------------------------------------------------- text


def text(picture: Picture, *, last: bool = False) -> str:
    """The board in 7-bit text, lines without trailing spaces, no newline at the end.

    `last=True` puts the stones of the last ply in brackets, `. (x) .`, which
    moves everything one column to the right.
    """
    canvas: dict[int, dict[int, str]] = {}
    for x, y, string in _strings(picture):
        line = canvas.setdefault(y, {})
        for offset, character in enumerate(string):
            line[x * picture.pitch + offset] = character
    if last:
        _bracket(picture, canvas)
    left = min(-1 if last else 0, *(min(line) for line in canvas.values()))
    lines = []
    for y in range(min(canvas), max(canvas) + 1):
        line = canvas.get(y, {})
        lines.append("".join(line.get(column, " ") for column in range(left, max(line, default=left) + 1)))
    return "\n".join(line.rstrip() for line in lines)


def _strings(picture: Picture) -> Iterable[tuple[int, int, str]]:
    yield from ((label.x, label.y, label.text) for label in picture.labels)
    yield from ((spot.x, spot.y, spot.glyph) for spot in picture.spots)


def _bracket(picture: Picture, canvas: dict[int, dict[int, str]]) -> None:
    last = {(spot.x, spot.y): spot for spot in picture.spots if "last" in spot.marks}
    for (x, y), spot in last.items():
        column = x * picture.pitch
        if (x - 2, y) not in last:
            canvas[y][column - 1] = "("
        if (x + 2, y) not in last:
            canvas[y][column + len(spot.glyph)] = ")"


def stone_lines(stones: Iterable[tuple[str, Sequence[str]]], width: int = 72) -> list[str]:
    """Labelled lists of cells as lines of at most `width`, each beginning with its label.

    No line begins with a cell, so that none can be taken for a move when it is quoted back.
    """
    lines = []
    for label, names in stones:
        line = f"{label}:"
        for name in names:
            if len(line) + 1 + len(name) > width:
                lines.append(line)
                line = f"{label}, more:"
            line += f" {name}"
        lines.append(line)
    return lines


# --------------------------------------------------------------------------------------------- table


@dataclass(frozen=True)
class Cell:
    """One table cell: `span` half columns wide; a field, a header's text, or a gap (neither)."""

    span: int
    spot: Spot | None = None
    text: str = ""


@dataclass(frozen=True)
class Row:
    """One line of the board; `header` is its row label, `""` where it has none."""

    header: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Grid:
    """The board as a table `width` half columns wide.

    Letters of columns stand over the middle of their own fields, which lie on half columns, so there
    are two lines of column headers: `head[0]` for the fields of every first, `head[1]` of every second
    row. Both are empty where columns have no labels. A diagonal's letter is a cell with a text.
    """

    width: int
    head: tuple[tuple[Cell, ...], ...]
    rows: tuple[Row, ...]


def grid(picture: Picture) -> Grid:
    """The board as rows of a table, every field two half columns wide."""
    placed = [(spot.x, spot.y, Cell(2, spot)) for spot in picture.spots]
    for label in picture.labels:
        if label.kind in ("diagonal", "island"):
            x, y = label.at or (label.x, label.y)
            placed.append((round(x), round(y), Cell(2, text=label.text)))
        if label.kind == "number":  # right of a field it stands in the last of the field's two halves
            behind = any((spot.x, spot.y) == (label.x - 1, label.y) for spot in picture.spots)
            placed.append((label.x + behind, label.y, Cell(1, text=label.text)))
    left = min(x for x, _, _ in placed)
    width = max(x + cell.span for x, _, cell in placed) - left
    headers = {label.y: label.text for label in picture.labels if label.kind == "row"}
    rows = []
    for y in sorted({y for _, y, _ in placed}):
        fields = [(x, cell) for x, row, cell in placed if row == y]
        rows.append(Row(headers.get(y, ""), _row_cells(fields, left, width)))
    letters = [(label.x, label.text) for label in picture.labels if label.kind == "column"]
    head = []
    for parity in (left % 2, 1 - left % 2):
        chosen = [(x, Cell(2, text=letter)) for x, letter in letters if x % 2 == parity]
        if chosen:
            head.append(_row_cells(chosen, left, width))
    return Grid(width, tuple(head), tuple(rows))


def _row_cells(placed: Iterable[tuple[int, Cell]], left: int, width: int) -> tuple[Cell, ...]:
    """The cells in order of x with gaps between them, `width` half columns in all."""
    cells = []
    column = left
    for x, cell in sorted(placed, key=lambda pair: pair[0]):
        if x > column:
            cells.append(Cell(x - column))
        cells.append(cell)
        column = x + cell.span
    if column < left + width:
        cells.append(Cell(left + width - column))
    return tuple(cells)


# ----------------------------------------------------------------------------------------------- SVG


class Link(NamedTuple):
    """Where a cell leads, and what that does, for those who hear the page."""

    address: str
    label: str


def svg(
    picture: Picture,
    *,
    coordinates: bool = True,
    links: Mapping[str, str | Link] | None = None,
    legal: bool = False,
    standalone: bool = False,
) -> str:
    """The board as one SVG element, without ids, so that any number may stand in one page.

    Colours are `var(--paper, #FBF8F1)` and so on for the names in `COLOURS`: the page's own where it
    defines them, else light. `standalone=True` makes a whole file instead: plain colours that any
    program draws, a paper ground, and a style sheet that turns it dark where the reader asks.
    `links` maps cell names to addresses; those cells become links with a green dot. `legal=True`
    draws the dot on every cell that may be played.
    """
    paint = plain if standalone else themed
    links = links or {}
    parts = [
        *_head(picture, coordinates, "group" if links else "img", standalone),
        _coordinates(picture, paint) if coordinates else "",
        *_hexes(picture, paint, links),
        *strokes(picture, paint, coordinates),
        _stones(picture, paint),
        _marks(picture, paint, links, legal),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def _head(picture: Picture, coordinates: bool, role: str, standalone: bool) -> Iterable[str]:
    """The opening tag, the words for ears and, in a file of its own, its ground and dark dress."""
    left, top, width, height = map(n, frame_of(picture, coordinates))
    size = f' width="{width}" height="{height}"' if standalone else ""
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board {escape(picture.game)}"'
        f' viewBox="{left} {top} {width} {height}"{size} role="{role}"'
        f' aria-label="{escape(picture.title)}">'
    )
    yield f"<title>{escape(picture.title)}</title><desc>{escape(picture.description)}</desc>"
    if standalone:
        yield f"<style>{style()}</style>"
        yield f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="{plain("paper")}"/>'


def at(picture: Picture, x: float, y: float) -> Point:
    """Grid to viewBox."""
    if picture.flat:
        return x * RADIUS * 1.5, y * RADIUS * sqrt(3) / 2
    return x * RADIUS * sqrt(3) / 2, y * RADIUS * 1.5


def frame_of(picture: Picture, coordinates: bool) -> tuple[float, float, float, float]:
    """(left, top, width, height) round all hexes and, if asked, the lettering."""
    wide, high = (RADIUS, RADIUS * 0.9) if picture.flat else (RADIUS * 0.9, RADIUS)
    boxes = [(*at(picture, spot.x, spot.y), wide, high) for spot in picture.spots]
    texts = [line for line in picture.lines if line.text]
    boxes += [(*at(picture, *point), 10.0, 10.0) for line in texts for point in line.points]
    if coordinates:
        boxes += [(*_label_at(picture, label), 8.0, 9.0) for label in picture.labels if label.kind in _DRAWN]
    margin = 4.0
    left = min(x - w for x, _, w, _ in boxes) - margin
    top = min(y - h for _, y, _, h in boxes) - margin
    right = max(x + w for x, _, w, _ in boxes) + margin
    bottom = max(y + h for _, y, _, h in boxes) + margin
    return left, top, right - left, bottom - top


_DRAWN = ("row", "column", "diagonal", "number")
"""Kinds of lettering that a drawing has too."""


def _label_at(picture: Picture, label: Label) -> Point:
    return at(picture, *(label.at or (label.x, label.y)))


def _coordinates(picture: Picture, paint: Paint) -> str:
    parts = [
        f'<g class="coordinates" fill="{paint("faint")}" font-size="{_lettering(picture)}"'
        ' text-anchor="middle" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace"'
        ' aria-hidden="true">'
    ]
    for label in picture.labels:
        if label.kind in _DRAWN:
            x, y = _label_at(picture, label)
            parts.append(f'<text x="{n(x)}" y="{n(y + 5)}">{escape(label.text)}</text>')
        if label.kind == "diagonal":  # a tick between the last cell and its letter
            parts.append(f'<path d="M{n(x - 10)} {n(y - 17.3)}l4 6.9" stroke="{paint("faint")}"/>')
    return "".join(parts) + "</g>"


def _lettering(picture: Picture) -> int:
    """The size of the coordinates: on a small board, which is drawn larger, smaller in its own units."""
    width = frame_of(picture, False)[2]
    return 11 if width < 400 else 14 if width < 560 else 16


def strokes(picture: Picture, paint: Paint, numbers: bool) -> Iterable[str]:
    """All lines over the grid, from below: sides, rows, routes, islands (with their numbers, if asked)."""
    for look in _LINE:
        yield from _lines(picture, look, paint)
    yield from _islands(picture, paint, numbers)


def _lines(picture: Picture, look: str, paint: Paint) -> Iterable[str]:
    for line in picture.lines:
        if line.look != look:
            continue
        points = " ".join(f"{n(x)},{n(y)}" for x, y in (at(picture, *point) for point in line.points))
        yield (
            f'<polyline class="{look}" points="{points}" fill="none" stroke="{paint(_LINE[look][0])}"'
            f' stroke-width="{_LINE[look][1]}" stroke-linecap="round" stroke-linejoin="round"/>'
        )


_LINE = {"edge": ("faint", "3"), "row": ("faint", "5"), "route": ("blue", "9")}


def _islands(picture: Picture, paint: Paint, numbers: bool) -> Iterable[str]:
    """Islands as broad strokes with their numbers: outlined stone, or blue where the winner arrived."""
    for look, rim, fill, ink in (("island", "faint", "shade", "ink"), ("joined", "blue", "blue", "paper")):
        lines = [line for line in picture.lines if line.look == look]
        if not lines:
            continue
        ends = [[at(picture, *point) for point in line.points] for line in lines]
        strokes = "".join("M" + "L".join(f"{n(x)} {n(y)}" for x, y in points) for points in ends)
        yield (
            f'<g class="{look}" fill="none" stroke-linecap="round">'
            f'<path d="{strokes}" stroke="{paint(rim)}" stroke-width="20"/>'
            f'<path d="{strokes}" stroke="{paint(fill)}" stroke-width="17.6"/></g>'
        )
        if numbers:
            texts = zip(lines, ends, strict=True)
            yield (
                f'<g class="numbers" fill="{paint(ink)}" font-size="12" font-weight="600"'
                ' text-anchor="middle" font-family="system-ui,sans-serif" aria-hidden="true">'
                + "".join(_number(line.text, points) for line, points in texts)
                + "</g>"
            )


def _number(text: str, points: Sequence[Point]) -> str:
    """The text in the middle of these points."""
    xs, ys = zip(*points, strict=True)
    return f'<text x="{n(sum(xs) / len(xs))}" y="{n(sum(ys) / len(ys) + 4.2)}">{escape(text)}</text>'


def _hexes(picture: Picture, paint: Paint, links: Mapping[str, str | Link]) -> Iterable[str]:
    """The fields, grouped by their paint; a field is a link where `links` has its name."""
    for key, (fill, edge, width) in HEXES.items():
        spots = [spot for spot in picture.spots if hex_key(spot) == key]
        if spots:
            cells = "".join(_hex(picture, spot, links.get(spot.name)) for spot in spots)
            yield (
                f'<g class="cells {key}" fill="{paint(fill)}" stroke="{paint(edge)}"'
                f' stroke-width="{width}" stroke-linejoin="round">{cells}</g>'
            )


def hex_key(spot: Spot) -> str:
    key = spot.ground or spot.look
    return key if key in HEXES else "empty"


def _hex(picture: Picture, spot: Spot, link: str | Link | None) -> str:
    x, y = at(picture, spot.x, spot.y)
    outline = f"M{n(x)} {n(y - RADIUS)}{OUTLINE}"
    if picture.flat:
        outline = f"M{n(x - RADIUS)} {n(y)}{FLAT_OUTLINE}"
    drawn = (
        f'<path data-cell="{escape(spot.name)}" d="{outline}">'
        f"<title>{escape(spot.name)}: {escape(spot.words)}</title></path>"
    )
    if link is None:
        return drawn
    if isinstance(link, str):
        link = Link(link, spot.name)
    return f'<a href="{escape(link.address)}" aria-label="{escape(link.label)}">{drawn}</a>'


def _stones(picture: Picture, paint: Paint) -> str:
    parts = []
    for spot in picture.spots:
        for look in filter(None, (spot.ground, spot.look)):
            if drawn := LOOKS[look](paint):
                x, y = at(picture, spot.x, spot.y)
                parts.append(f'<g class="{look}" transform="translate({n(x)} {n(y)})">{drawn}</g>')
    return f'<g class="stones" pointer-events="none">{"".join(parts)}</g>'


def _marks(picture: Picture, paint: Paint, links: Mapping[str, str | Link], legal: bool) -> str:
    """A green dot on a cell that may be played, a thin red ring on the last ply, a blue one for what won."""
    parts = []
    for spot in picture.spots:
        x, y = at(picture, spot.x, spot.y)
        centre = f'cx="{n(x)}" cy="{n(y)}"'
        if "legal" in spot.marks and (legal or spot.name in links):
            dx, dy = DOT_AT.get(spot.ground or spot.look, (0, 0))
            dot = f'cx="{n(x + dx)}" cy="{n(y + dy)}"'
            parts.append(f'<circle class="legal" {dot} r="3.5" fill="{paint("green")}"/>')
        if "chosen" in spot.marks:
            ring = f'fill="none" stroke="{paint("green")}" stroke-width="3.5"'
            parts.append(f'<circle class="chosen" {centre} r="15" {ring}/>')
        if "win" in spot.marks and picture.flat:
            ring = f'fill="none" stroke="{paint("blue")}" stroke-width="3"'
            parts.append(f'<path class="won" d="M{n(x - RADIUS + INSET)} {n(y)}{FLAT_RING}" {ring}/>')
        if "last" in spot.marks and picture.flat:
            ring = f'fill="none" stroke="{paint("red")}" stroke-width="2.2"'
            parts.append(f'<path class="last" d="M{n(x - RADIUS + INSET)} {n(y)}{FLAT_RING}" {ring}/>')
        elif "last" in spot.marks:
            for colour, width in (("paper", "5"), ("red", "2.2")):  # paper keeps it off the hatching
                ring = f'fill="none" stroke="{paint(colour)}" stroke-width="{width}"'
                parts.append(f'<circle class="last" {centre} r="15" {ring}/>')
    return f'<g class="marks" pointer-events="none">{"".join(parts)}</g>'
