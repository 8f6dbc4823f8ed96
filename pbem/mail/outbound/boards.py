"""A board in a letter: characters in text, a table in HTML.

Every table cell holds its character, so a mail program that makes text of the table shows the board of the
text part. Labels name each stone for screen readers and pointers.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from html import escape
from itertools import groupby
from operator import itemgetter
from textwrap import dedent

from pbem.mail.outbound.inline_css import Styles
from rules.contract import Position
from rules.picture import Cell, Grid, Picture, Spot, grid, text

SHUT = frozenset({"shut", "cut"})
"""Looks of empty fields on which no stone may be placed."""

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


def count_shut(position: Position) -> list[tuple[str, list[str]]]:
    """Return a position's lists, in which fields closed to stones are counted instead of named."""
    fields = position.picture().names
    return [
        (label, [f"{len(names)} cells"] if _are_shut(names, fields) else names)
        for label, names in position.stones()
    ]


def _are_shut(names: Iterable[str], fields: Mapping[str, Spot]) -> bool:
    return all(name in fields and fields[name].look in SHUT for name in names)


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


def board_table(picture: Picture, styles: Styles, caption: str = "") -> str:
    """Return the board as an HTML table, one cell a line. Lines must be short."""
    shown = grid(picture)
    named = "" if caption else f' aria-label="{escape(picture.title)}"'  # a label would hide the caption
    lines = [f'<table class="board" style="{styles["board"]}" cellpadding="0" cellspacing="0"{named}>']
    if caption:
        lines.append(f'<caption style="{styles["caption"]}">{escape(caption)}</caption>')
    lines += [
        f'<colgroup><col style="width:22px"><col span="{shown.width}"></colgroup>',
        *_head(shown, styles),
    ]
    lines.append("<tbody>")
    for row in shown.rows:
        lines.append(f'<tr><th scope="row" style="{styles["row"]}">{escape(row.header)}</th>')
        lines += (
            _field(cell, cell.spot, styles) if cell.spot else _lettering(cell, styles) for cell in row.cells
        )
        lines.append("</tr>")
    return "\n".join([*lines, "</tbody></table>"])


def _head(shown: Grid, styles: Styles) -> Iterator[str]:
    """Yield two rows of column letters, each letter centred over its cells."""
    if shown.head:
        yield "<thead>"
        for cells in shown.head:
            yield "<tr><td></td>"
            yield from (_lettering(cell, styles, 'th scope="col"') for cell in cells)
            yield "</tr>"
        yield "</thead>"


def _lettering(cell: Cell, styles: Styles, tag: str = "td") -> str:
    if not cell.text:
        return f"<td{_span(cell.span)}></td>"
    return f'<{tag}{_span(cell.span)} style="{styles[cell.look]}">{escape(cell.text)}</{tag[:2]}>'


def _field(cell: Cell, spot: Spot, styles: Styles) -> str:
    """Return one cell with its look. The last ply has a red edge, a win a blue one."""
    look = spot.ground if spot.look == "empty" and spot.ground in styles else spot.look
    style = styles.get(look, styles["empty"])
    if spot.marks:
        style += "".join(f";{styles[mark]}" for mark in ("last", "win") if mark in spot.marks)
    return _field_html(cell.span, style, spot.name, spot.words, spot.glyph)


@lru_cache(4096)  # most fields stay as they are from move to move
def _field_html(span: int, style: str, name: str, content: str, glyph: str) -> str:
    words, across = escape(f"{name}: {content}"), _span(span)
    return f'<td{across} style="{style}" title="{words}" aria-label="{words}">{escape(glyph)}</td>'


def _span(columns: int) -> str:
    return f' colspan="{columns}"' if columns > 1 else ""
