"""A picture as an HTML table: one cell a field, with row and column headers.

For the letters' HTML part. Every field holds its character, so that a mail program that makes text
of it shows the board of the text part; what lies there is said in words for ears and pointers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from rules.picture import Cell, Grid, Picture, Row, Spot, grid, text

Dress = Mapping[str, str]
"""A look's name -> its inline style; `empty` serves for a look that has none."""


def table(picture: Picture, dress: Dress) -> str:
    """The board as an HTML table; each cell stands on a line of its own, for lines must not be long."""
    shown = grid(picture)
    return "\n".join(
        [
            f'<table class="board" style="{dress["board"]}" cellpadding="0" cellspacing="0"'
            f' aria-label="{escape(picture.title)}">',
            f'<colgroup><col style="width:22px"><col span="{shown.width}"></colgroup>',
            *_head(shown, dress),
            "<tbody>",
            *(cell for row in shown.rows for cell in _row(row, dress)),
            "</tbody></table>",
        ]
    )


def signs(picture: Picture, dress: Dress, caption: str = "") -> str:
    """The board as the text part has it."""
    head = f'<p style="{dress["caption"]}">{escape(caption)}</p>\n' if caption else ""
    board = f'<pre style="{dress["pre"]}" aria-label="{escape(picture.title)}">{escape(text(picture))}</pre>'
    return head + board


def _head(shown: Grid, dress: Dress) -> Iterator[str]:
    """Two lines of column letters, those of every other row each, over the middle of their fields."""
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


def _row(row: Row, dress: Dress) -> Iterator[str]:
    yield f'<tr><th scope="row" style="{dress["row"]}">{escape(row.header)}</th>'
    for cell in row.cells:
        yield _lettering(cell, dress) if cell.spot is None else _field(cell, cell.spot, dress)
    yield "</tr>"


def _lettering(cell: Cell, dress: Dress) -> str:
    """A place without a field: a letter at the foot of its diagonal, an island's number, or nothing."""
    if not cell.text:
        return f"<td{_span(cell)}></td>"
    return f'<td{_span(cell)} style="{dress["letter"]}">{escape(cell.text)}</td>'


def _field(cell: Cell, spot: Spot, dress: Dress) -> str:
    """One field: its look, a red edge for the last ply, a blue one for what won."""
    marks = "".join(f";{dress[mark]}" for mark in ("last", "win") if mark in spot.marks)
    words = escape(f"{spot.name}: {spot.words}")
    style = dress.get(spot.look, dress["empty"]) + marks
    return f'<td{_span(cell)} style="{style}" title="{words}" aria-label="{words}">{escape(spot.glyph)}</td>'


def _span(cell: Cell) -> str:
    return f' colspan="{cell.span}"' if cell.span > 1 else ""


__all__ = ["Dress", "signs", "table"]
