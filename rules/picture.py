"""The picture of a position, as text and table. A third form, SVG, is in `rules.svg`.

The picture lies on one of the grids of `rules.grids`, which says what a place (x, y) is.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import compress
from typing import Any, Literal

from rules.grids import HEX, Grid, Point


@dataclass(frozen=True)
class Spot:
    """One field of the board, with its content."""

    name: str
    x: int
    y: int
    glyph: str
    """One 7-bit character, or several if the game's labels have several."""
    look: str
    """A key of `LOOKS` that the SVG draws. A table may choose its colours by it."""
    words: str
    """The content in words: `empty`, `a block`."""
    marks: frozenset[str] = frozenset()
    """Some of `last`, `legal` (may be played now), `win` (part of what won), `chosen` (being composed)."""
    ground: str = ""
    """The look of the hex itself, if it is not that of `look`: a key of `HEXES` and `LOOKS`."""


@dataclass(frozen=True)
class Label:
    """Lettering round the board."""

    kind: Literal["row", "column", "diagonal", "island", "number", "text"]
    """`row` and `column` are headings; `number` and `diagonal` are not (rows bend, lines slant).

    An `island` is not drawn in SVG.
    """
    text: str
    x: int
    y: int
    at: Point | None = None
    """The place in a drawing, if it is another than in `text`."""


@dataclass(frozen=True)
class Line:
    """A line over the grid. A broad line with a text on its middle is an island."""

    look: Literal["edge", "row", "way", "route", "island", "joined", "dark-side", "light-side"]
    """A side that matters, stones that count, a way that lost, a winning way, an island, a reached island.

    The last two are sides or islands that belong to a colour of stones.
    """
    points: tuple[Point, ...]
    text: str = ""


@dataclass(frozen=True)
class Picture:
    """Everything that is shown of one position."""

    game: str
    """The game's key, which is a class name in the SVG."""
    title: str
    description: str
    spots: tuple[Spot, ...]
    labels: tuple[Label, ...] = ()
    lines: tuple[Line, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()
    """Glyphs and their meanings: `("x", "a block")`."""
    pitch: int = 1
    grid: Grid = HEX
    scored: bool = False
    """True if `text` tells everything in `Position.scores`, so that no table need stand below it."""
    names: Mapping[str, Spot] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", {spot.name: spot for spot in self.spots})


def title(game: str, ply: int, *, first: str = "the first move") -> str:
    return f"{game} after move {ply}" if ply else f"{game} before {first}"


def describe(stones: Iterable[tuple[str, Sequence[str]]]) -> str:
    return " ".join(f"{label}: {' '.join(names)}." for label, names in stones)


@cache
def mark_set(last: bool, legal: bool, win: bool) -> frozenset[str]:
    return frozenset(compress(("last", "legal", "win"), (last, legal, win)))


def text(picture: Picture, *, last: bool = False) -> str:
    """Return the board in 7-bit text. `last` puts the last ply in brackets and moves all one column right."""
    canvas: dict[int, dict[int, str]] = {}
    strings = [(label.x, label.y, label.text) for label in picture.labels if label.kind != "island"]
    strings += _islands(picture)
    strings += [(spot.x, spot.y, spot.glyph) for spot in picture.spots]
    for x, y, string in strings:
        line = canvas.setdefault(y, {})
        for offset, character in enumerate(string):
            line[x * picture.pitch + offset] = character
    marked = {(spot.x, spot.y): spot for spot in picture.spots if last and "last" in spot.marks}
    for (x, y), spot in marked.items():
        column = x * picture.pitch
        if (x - 2, y) not in marked:
            canvas[y][column - 1] = "("
        if (x + 2, y) not in marked:
            canvas[y][column + len(spot.glyph)] = ")"
    left = min(-1 if last else 0, *(min(line) for line in canvas.values()))
    lines = []
    for y in range(min(canvas), max(canvas) + 1):
        line = canvas.get(y, {})
        lines.append("".join(line.get(column, " ") for column in range(left, max(line, default=left) + 1)))
    return "\n".join(line.rstrip() for line in lines)


def _islands(picture: Picture) -> list[tuple[int, int, str]]:
    """Return islands in brackets, without the rows' numbers: `[4]` beside a row, `[ 1 | 2 ]` above one."""
    placed = {(label.x, label.y): label.text for label in picture.labels if label.kind == "island"}
    beside = {spot.y: spot.x for spot in picture.spots}
    strings = [
        (x - len(name) - 1 if x < beside[y] else x, y, f"[{name}]")
        for (x, y), name in placed.items()
        if y in beside
    ]
    for y in {y for _, y in placed} - {*beside}:
        columns = sorted(x for x, row in placed if row == y)
        names = [placed[x, y] for x in columns]
        widths = [(name, 2 * names.count(name) - 1) for name in dict.fromkeys(names)]
        within = "|".join(f"{name:^{width}}" for name, width in widths)
        if any(width < len(name) for name, width in widths):
            within = f"{names[0]}-{names[-1]}".center(len(columns) * 2 - 1)
        strings.append((columns[0] - 1, y, f"[{within}]"))
    return strings


def stone_lines(stones: Iterable[tuple[str, Sequence[str]]], width: int = 72) -> list[str]:
    """Return labelled lists of cells as lines. Continued lines are indented and begin with `and`.

    No line begins with a cell, so no quoted line is read as a move.
    """
    lines = []
    for label, names in stones:
        line = f"{label}:"
        for name in names:
            if len(line) + 1 + len(name) > width:
                lines.append(line)
                line = "    and"
            line += f" {name}"
        lines.append(line)
    return lines


def score_lines(scores: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return `Position.scores()` as lines with a column for each side, or [] for a game without scores."""
    if not scores:
        return []
    counted = list(dict.fromkeys(name for table in scores.values() for name in table))
    first = max(map(len, counted))
    widths = {
        side: max(len(side), *(len(str(value)) for value in table.values())) for side, table in scores.items()
    }
    heads = "".join(f"   {side:>{widths[side]}}" for side in scores)
    lines = [f"{'':{first}}{heads}"]
    for name in counted:
        values = "".join(f"   {scores[side].get(name, '')!s:>{widths[side]}}" for side in scores)
        lines.append(f"{name:{first}}{values}")
    return [line.rstrip() for line in lines]


@dataclass(frozen=True)
class Cell:
    """One table cell, `span` half columns wide: a field, a header's text, or a gap (neither)."""

    span: int
    spot: Spot | None = None
    text: str = ""
    look: Literal["letter", "island"] = "letter"


@dataclass(frozen=True)
class Row:
    """One row of the board's table. `header` is its label, or ""."""

    header: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class CellTable:
    """The board as a table. A diagonal's letter is a cell with a text."""

    width: int
    """The width in half columns."""
    head: tuple[tuple[Cell, ...], ...]
    """Two lines of column headers, one for odd and one for even rows; or no lines."""
    rows: tuple[Row, ...]


def cell_table(picture: Picture) -> CellTable:
    placed = [(spot.x, spot.y, Cell(2, spot)) for spot in picture.spots]
    foot = max(spot.y for spot in picture.spots)
    feet = {spot.name[0]: spot.x for spot in picture.spots if spot.y == foot}
    for label in picture.labels:
        if label.kind in ("diagonal", "island"):
            x, y = label.at or (label.x, label.y)
            if label.kind == "diagonal" and y > foot:  # without strokes it stands straight below its line
                x = feet.get(label.text, x)
            look: Literal["letter", "island"] = "island" if label.kind == "island" else "letter"
            placed.append((round(x), round(y), Cell(2, None, label.text, look)))
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
    return CellTable(width, tuple(head), tuple(rows))


def _row_cells(placed: Iterable[tuple[int, Cell]], left: int, width: int) -> tuple[Cell, ...]:
    """Return cells in order of x with gaps between, `width` half columns in all."""
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
