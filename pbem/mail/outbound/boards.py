"""A board in a letter: characters in text, a table in HTML.

Every table cell holds its character, so a mail program that makes text of the table shows the board of the
text part. A title names each field that is not empty, for screen readers and pointers.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from html import escape
from itertools import groupby
from operator import itemgetter
from textwrap import dedent

from rules.board_words import FREE
from rules.contract import Position
from rules.picture import Cell, Picture, Spot, cell_table, text

COUNTED = FREE - {"light-land", "dark-land"}
"""Looks of fields that the list below a board counts; land is what a game is about."""
EDGES = frozenset({"last", "win"})
"""Marks that a field's edge shows."""
GAP = "<td class=gap"
BEFORE = "&nbsp;"
"""Space before a sign that stands alone, as filters count cells of one letter."""
LINE = 800
"""Characters of a line of a table; a line must not be long (RFC 5322 2.1.1)."""

_CELL = re.compile(r"([A-Za-z]+)(\d+)")


def draw_in_text(picture: Picture, room: int) -> list[str]:
    """Draw the board. Labels too wide for a phone (`room`) move to where a list has its content."""
    lines = _in_signs(picture)
    if max(map(len, lines)) <= room or not picture.scored:
        return lines
    kept = (one for one in picture.labels if one.kind != "text")
    return _in_signs(replace(picture, labels=tuple(kept)))


def _in_signs(picture: Picture) -> list[str]:
    """Draw the board with its last ply in brackets, which may need a column to the left of the board."""
    return dedent(text(picture, last=True)).split("\n")


def count_free(position: Position) -> list[tuple[str, list[str]]]:
    """Return a position's lists, in which free fields are counted instead of named: the board shows them."""
    fields = position.picture().names
    return [
        (label, [f"{len(names)} cells"] if _are_free(names, fields) else names)
        for label, names in position.stones()
    ]


def _are_free(names: Iterable[str], fields: Mapping[str, Spot]) -> bool:
    return all(name in fields and fields[name].look in COUNTED for name in names)


def punctuate_rows(stones: Iterable[tuple[str, Sequence[str]]]) -> list[tuple[str, list[str]]]:
    """Put a comma after each row, so that screen readers pause: `g1 i1, f2 h2 F2, g3`."""
    return [(label, _comma_at_row_ends(list(names))) for label, names in stones]


def _comma_at_row_ends(names: list[str]) -> list[str]:
    cells = [cell for name in names if (cell := _CELL.fullmatch(name))]
    if len(cells) < len(names):
        return names
    by_letter, by_number = ([list(row) for _, row in groupby(cells, itemgetter(part))] for part in (1, 2))
    rows = min(by_letter, by_number, key=len)
    return ", ".join(" ".join(cell[0] for cell in row) for row in rows).split()


def board_table(picture: Picture, caption: str = "") -> str:
    """Return the board as an HTML table, without the end tags that HTML can do without."""
    shown = cell_table(picture)
    named = "" if caption else f' aria-label="{escape(picture.title)}"'  # a label would hide the caption
    lines = [f'<table class=board style="table-layout:fixed;font-size:15px" width=100% cellspacing=0{named}>']
    if caption:
        lines.append(f"<caption>{escape(caption)}</caption>")
    lines.append("<col width=22>")
    if shown.head:
        lines.append("<thead>")
        lines += (
            _row(f"<tr>{GAP}>", (_lettering(cell, "th scope=col") for cell in cells)) for cells in shown.head
        )
    lines.append("<tbody align=center>")
    for row in shown.rows:
        fields = (_field(cell, cell.spot) if cell.spot else _lettering(cell) for cell in row.cells)
        lines.append(_row(f"<tr><th scope=row>{escape(row.header)}" if row.header else f"<tr>{GAP}>", fields))
    return "\n".join([*lines, "</table>"])


def _row(head: str, cells: Iterable[str]) -> str:
    """Return a row without the gap at its end, in lines that are not long."""
    parts = [head, *cells]
    if parts[-1].startswith(GAP):
        del parts[-1]
    lines, line = [], ""
    for part in parts:
        if len(line) + len(part) > LINE:
            lines.append(line)
            line = ""
        line += part
    return "\n".join([*lines, line])


def _lettering(cell: Cell, tag: str = "") -> str:
    if not cell.text:
        return f"{GAP}{_span(cell.span)}>"
    before = BEFORE if cell.look == "letter" else ""
    return f"<{tag or f'td class={cell.look}'}{_span(cell.span)}>{before}{escape(cell.text)}"


def _field(cell: Cell, spot: Spot) -> str:
    """Return one cell with its look. The last ply has a red edge, a win a blue one."""
    look = spot.ground if spot.look == "empty" and spot.ground else spot.look
    return _field_html(cell.span, look, spot.marks & EDGES, spot.name, spot.glyph)


@lru_cache(4096)  # most fields stay as they are from move to move
def _field_html(span: int, look: str, marks: frozenset[str], name: str, glyph: str) -> str:
    sign = escape(glyph)
    if look == "empty" and not marks:
        return f"<td{_span(span)}>{sign}"
    classes = f'"{" ".join([look, *sorted(marks)])}"' if marks else look
    return f"<td{_span(span)} class={classes} title={name}>{BEFORE if len(glyph) == 1 else ''}{sign}"


def _span(columns: int) -> str:
    return f" colspan={columns}" if columns > 1 else ""
