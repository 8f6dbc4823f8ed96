"""A report as text of at most 78 columns."""

from collections.abc import Iterator
from textwrap import wrap

from rules.lab.report import Bars, Report, Section, Table, Whiskers
from rules.lab.swap_map import SwapMap

WIDTH = 78
BAR = 40


def as_text(report: Report) -> str:
    """Return the whole report, ending with a newline."""
    lines = [report.title, "=" * len(report.title), "", *_paragraph(report.words)]
    for section in report.sections:
        lines += ["", "", *_section(section)]
    return "\n".join(lines) + "\n"


def _section(section: Section) -> Iterator[str]:
    title = section.title.replace("`", "")
    yield from (title, "-" * len(title), "", *_paragraph(section.words))
    if section.table:
        yield from ("", *table_lines(section.table))
    for plot in section.plots:
        yield from _plot(plot)
    if section.after:
        yield from ("", *_paragraph(section.after))


def _paragraph(words: tuple[str, ...]) -> list[str]:
    return wrap(" ".join(words).replace("`", ""), WIDTH)


def table_lines(table: Table) -> list[str]:
    """Return a table with one line for each row, its first column aligned left, the others right."""
    rows = [table.head, *table.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.head))]
    lines = []
    for row in rows:
        first, *others = (
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("   ".join([first, *others]).rstrip())
    return [lines[0], "-" * max(map(len, lines)), *lines[1:]]


def _plot(plot: Bars | Whiskers | SwapMap) -> Iterator[str]:
    if isinstance(plot, SwapMap):
        yield from ("", plot.as_text())
    elif isinstance(plot, Bars):
        most = max((count for _, count in plot.rows), default=0)
        wide = max((len(name) for name, _ in plot.rows), default=0)
        yield from ("", f"{plot.title}:")
        for name, count in plot.rows:
            bar = "#" * round(BAR * count / max(most, 1))
            yield f"{name:>{wide}}  {bar}{' ' if bar else ''}{count}"
