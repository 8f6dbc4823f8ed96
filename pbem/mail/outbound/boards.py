"""A board in a letter: characters in the text part, an HTML table with headers.

Every table cell holds its character, so a mail program that makes text of the table shows the board of the
text part. Labels name each stone for screen readers and pointers. What a board does not show, or a reader
does not see, is listed below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby

from rules.picture import Cell, Grid, Picture, Row, Spot, grid, text

InlineStyles = Mapping[str, str]
"""A look's name -> its inline style; `empty` is the default."""


COORDINATE_LABELS = frozenset({"row", "column", "diagonal", "number"})
"""Labels that are coordinates; their strokes are removed with them."""
STROKE = "\\"

_CELL = re.compile(r"([A-Za-z]+)(\d+)")


def without_coordinates(picture: Picture) -> Picture:
    """Return the picture without coordinates."""
    kept = (one for one in picture.labels if one.kind not in COORDINATE_LABELS and one.text != STROKE)
    return replace(picture, labels=tuple(kept))


def draw_in_text(picture: Picture, room: int) -> list[str]:
    """Draw the board in characters.

    Text labels that make it wider than `room` columns are left out, if the list of stones has their content
    (`Picture.scored`): a phone would break every line.
    """
    lines = text(picture).split("\n")
    if max(map(len, lines)) <= room or not picture.scored:
        return lines
    kept = (one for one in picture.labels if one.kind != "text")
    return text(replace(picture, labels=tuple(kept))).split("\n")


def punctuate_rows(stones: Iterable[tuple[str, Sequence[str]]]) -> list[tuple[str, list[str]]]:
    """Put a comma after each row: `g1 i1, f2 h2 F2, g3`.

    Screen readers then pause between rows. A row is a letter or a number, whichever the list follows; other
    lists stay as they are.
    """
    return [(label, _comma_at_row_ends(list(names))) for label, names in stones]


def _comma_at_row_ends(names: list[str]) -> list[str]:
    cells = [_CELL.fullmatch(name) for name in names]
    found = [cell for cell in cells if cell is not None]
    if len(found) < len(cells):
        return names
    by = min((1, 2), key=lambda part: len([*groupby(found, key=lambda cell: cell[part])]))
    ends = [[cell[0] for cell in row] for _, row in groupby(found, key=lambda cell: cell[by])]
    return [f"{name}," if name == row[-1] and row is not ends[-1] else name for row in ends for name in row]


def board_table(picture: Picture, dress: InlineStyles, caption: str = "") -> str:
    """Return the board as an HTML table, one cell a line: lines must be short."""
    shown = grid(picture)
    named = "" if caption else f' aria-label="{escape(picture.title)}"'  # a label would hide the caption
    return "\n".join(
        [
            f'<table class="board" style="{dress["board"]}" cellpadding="0" cellspacing="0"{named}>',
            *([f'<caption style="{dress["caption"]}">{escape(caption)}</caption>'] if caption else []),
            f'<colgroup><col style="width:22px"><col span="{shown.width}"></colgroup>',
            *_head(shown, dress),
            "<tbody>",
            *(cell for row in shown.rows for cell in _row(row, dress)),
            "</tbody></table>",
        ]
    )


def _head(shown: Grid, dress: InlineStyles) -> Iterator[str]:
    """Yield two rows of column letters, each letter centred over its cells."""
    if not shown.head:
        return
    yield "<thead>"
    for cells in shown.head:
        yield "<tr><td></td>"
        for cell in cells:
            letter = f'<th scope="col"{_span(cell)} style="{dress["letter"]}">{escape(cell.text)}</th>'
            yield letter if cell.text else f"<td{_span(cell)}></td>"
        yield "</tr>"
    yield "</thead>"


def _row(row: Row, dress: InlineStyles) -> Iterator[str]:
    yield f'<tr><th scope="row" style="{dress["row"]}">{escape(row.header)}</th>'
    for cell in row.cells:
        yield _lettering(cell, dress) if cell.spot is None else _field(cell, cell.spot, dress)
    yield "</tr>"


def _lettering(cell: Cell, dress: InlineStyles) -> str:
    """Return a cell outside the board: a diagonal's letter, an island's number, or nothing."""
    if not cell.text:
        return f"<td{_span(cell)}></td>"
    return f'<td{_span(cell)} style="{dress["letter"]}">{escape(cell.text)}</td>'


def _field(cell: Cell, spot: Spot, dress: InlineStyles) -> str:
    """Return one cell: its look, a red edge for the last ply, blue for a win."""
    marks = "".join(f";{dress[mark]}" for mark in ("last", "win") if mark in spot.marks)
    words = escape(f"{spot.name}: {spot.words}")
    look = spot.ground if spot.look == "empty" and spot.ground in dress else spot.look
    style = dress.get(look, dress["empty"]) + marks
    return f'<td{_span(cell)} style="{style}" title="{words}" aria-label="{words}">{escape(spot.glyph)}</td>'


def _span(cell: Cell) -> str:
    return f' colspan="{cell.span}"' if cell.span > 1 else ""
