"""A report as one HTML page with drawings, light and dark, without scripts."""

import re
from collections.abc import Iterator
from html import escape

from rules.lab.plots import plot_svg
from rules.lab.report import Report, Section, Table
from rules.looks import COLOURS

_CODE = re.compile(r"`([^`]+)`")


def as_html(report: Report) -> str:
    """Return the whole page, which needs no other file."""
    sections = "\n".join(_section(section) for section in report.sections)
    title = escape(report.title)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{_style()}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{title}</h1>\n{_paragraph(report.words)}\n{sections}\n</main>\n</body>\n</html>\n"
    )


def _style() -> str:
    used = ("paper", "ink", "faint", "rule", "grid", "shade", "shut", "red", "blue", "green")
    light, dark = ("".join(f"--{name}:{COLOURS[name][shade]};" for name in used) for shade in (0, 1))
    return (
        f":root{{color-scheme:light dark;{light}}}\n"
        f"@media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
        "body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}\n"
        "main{max-width:44rem;margin:0 auto;padding:1rem}\n"
        "h1{font-size:1.6rem;line-height:1.2}h2{font-size:1.2rem;margin-top:2.5rem}\n"
        "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
        "th,td{padding:.2rem .8rem .2rem 0;text-align:right}\n"
        "th:first-child{text-align:left;font-weight:400}\n"
        "thead th{border-bottom:1px solid var(--grid);font-weight:600}\n"
        "figure{margin:1.5rem 0}figcaption{font-weight:600}\n"
        "svg{display:block;width:100%;height:auto;margin:.5rem 0}.plot{max-width:32rem}\n"
        "code{font-family:ui-monospace,monospace}\n"
    )


def _code(text: str) -> str:
    return _CODE.sub(r"<code>\1</code>", escape(text))


def _paragraph(words: tuple[str, ...]) -> str:
    return f"<p>{_code(' '.join(words))}</p>"


def _section(section: Section) -> str:
    parts = [f"<h2>{_code(section.title)}</h2>", _paragraph(section.words)]
    if section.table:
        parts.append(_table(section.table))
    parts += _plots(section)
    if section.after:
        parts.append(_paragraph(section.after))
    return "<section>\n" + "\n".join(parts) + "\n</section>"


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.head)
    rows = "\n".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in table.rows
    )
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"


def _plots(section: Section) -> Iterator[str]:
    for plot in section.plots:
        yield f"<figure>\n<figcaption>{_code(plot.title)}</figcaption>\n{plot_svg(plot)}\n</figure>"
