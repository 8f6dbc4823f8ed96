"""Plots as SVG, for a page or as files: bars for numbers, dots with whiskers for shares."""

import re
from collections.abc import Sequence
from html import escape

from rules.lab.report import Bars, Report, Whiskers
from rules.lab.swap_map import SwapMap
from rules.looks import Paint, plain, style, themed
from rules.looks import number as n

WIDTH = 360
ROW = 20
LEFT = 96
RIGHT = 310
"""The right end of bars and shares, which begin at `LEFT`. Labels stand to the left, values to the right."""
GUIDES = (0.0, 0.25, 0.5, 0.75, 1.0)


Plot = Bars | Whiskers | SwapMap


def plot_svg(plot: Plot, *, standalone: bool = False) -> str:
    """Return one SVG element with words for screen readers, or with `standalone` a whole file."""
    if isinstance(plot, SwapMap):
        return plot.as_svg(standalone)
    paint = plain if standalone else themed
    drawn = _bars(plot, paint) if isinstance(plot, Bars) else _whiskers(plot, paint)
    return _drawing(plot.alt, *drawn, standalone)


def drawings(report: Report) -> dict[str, str]:
    """Return a report's plots as SVG files by name, such as `shares-of-games-won.svg`."""
    plots = [plot for section in report.sections for plot in section.plots]
    return {f"{_slug(plot.title)}.svg": plot_svg(plot, standalone=True) + "\n" for plot in plots}


def _slug(title: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", title.lower()))


def _bars(plot: Bars, paint: Paint) -> tuple[float, list[str]]:
    """Return the height of the drawing, and its parts."""
    most = max((count for _, count in plot.rows), default=0) or 1
    parts = []
    for row, (name, count) in enumerate(plot.rows):
        y = ROW * row
        parts.append(_words(LEFT - 8, y, name, "end"))
        width = n((RIGHT - LEFT) * count / most)
        parts.append(
            f'<rect x="{LEFT}" y="{y + 3}" width="{width}" height="{ROW - 6}" fill="{paint("blue")}"/>'
        )
        parts.append(_words(LEFT + float(width) + 6, y, str(count), "start"))
    return ROW * len(plot.rows), parts


def _whiskers(plot: Whiskers, paint: Paint) -> tuple[float, list[str]]:
    height = ROW * len(plot.rows)
    parts = [
        f'<path d="M{n(_at(share))} 0V{height}" stroke="{paint("faint" if share == 0.5 else "rule")}"/>'
        for share in GUIDES
    ]
    for row, (name, value, low, high) in enumerate(plot.rows):
        y = ROW * row
        parts.append(_words(LEFT - 8, y, name, "end"))
        parts.append(
            f'<path d="M{n(_at(low))} {y + 10}H{n(_at(high))}" stroke="{paint("blue")}" stroke-width="2"/>'
            f'<circle cx="{n(_at(value))}" cy="{y + 10}" r="4" fill="{paint("blue")}"/>'
        )
        parts.append(_words(RIGHT + 10, y, f"{100 * value:.0f}%", "start"))
    parts += [_words(_at(share), height, f"{100 * share:.0f}%", "middle") for share in (0, 0.5, 1)]
    return height + ROW, parts


def _at(share: float) -> float:
    return LEFT + (RIGHT - LEFT) * min(1.0, max(0.0, share))


def _words(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{n(x)}" y="{n(y + 14)}" text-anchor="{anchor}">{escape(words)}</text>'


def _drawing(alt: str, height: float, parts: Sequence[str], standalone: bool) -> str:
    paint = plain if standalone else themed
    size = f' width="{WIDTH}" height="{n(height)}"' if standalone else ""
    ground = f'<rect width="{WIDTH}" height="{n(height)}" fill="{paint("paper")}"/>\n'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {WIDTH} {n(height)}"{size}'
        f' role="img" aria-label="{escape(alt)}">\n'
        + (f"<style>{style()}</style>\n{ground}" if standalone else "")
        + f'<g fill="{paint("ink")}" font-size="12" font-family="system-ui,sans-serif">'
        f"{''.join(parts)}</g>\n</svg>"
    )
