"""SVG charts: a curve, bars, a share with its interval. Pure functions.

Colours are those of `standings.css`. Each chart has a title and a description in words, and fits a telephone.
"""

from collections.abc import Sequence
from datetime import datetime
from math import ceil, floor
from typing import NamedTuple

from markupsafe import Markup, escape

from pbem.core.ratings.statistics import Share
from pbem.mail.outbound.times import day

WIDE, HIGH = 360, 190
LEFT, RIGHT, TOP, BOTTOM = 40, 8, 10, 24
MIDDLE = (LEFT + WIDE - RIGHT) / 2
MAX_BAND = 120.0
"""Most rating points that the band reaches beyond the curve: a newcomer's whole band is too wide."""


class CurvePoint(NamedTuple):
    at: datetime
    value: float
    spread: float


class Bar(NamedTuple):
    label: str
    n: int


def curve_chart(key: str, title: str, spots: Sequence[CurvePoint]) -> Markup:
    """A line through the points with a band of uncertainty. A single point is a dot."""
    low = min(spot.value - min(spot.spread, MAX_BAND) for spot in spots)
    high = max(spot.value + min(spot.spread, MAX_BAND) for spot in spots)
    step = max(1.0, _step((high - low) / 5))
    bottom, top = floor(low / step) * step, ceil(high / step) * step
    begins, ends = spots[0].at, spots[-1].at
    length = (ends - begins).total_seconds()

    def x(at: datetime) -> float:
        if not length:
            return MIDDLE
        return LEFT + 4 + (WIDE - LEFT - RIGHT - 8) * (at - begins).total_seconds() / length

    def points(spreads: float, spots: Sequence[CurvePoint] = spots) -> str:
        """The curve, raised by so many spreads."""
        found = ((x(spot.at), _y(spot.value + spreads * spot.spread, bottom, top)) for spot in spots)
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in found)

    two = day(begins) != day(ends)
    dates = [(LEFT, begins, ""), (WIDE - RIGHT, ends, "end")] if two else [(MIDDLE, ends, "middle")]
    parts = [
        _grid(bottom, top, step, ".0f"),
        f'<polygon class="band" points="{points(1)} {points(-1, spots[::-1])}"/>',
        f'<polyline class="line" points="{points(0)}"/>',
        f'<circle class="dot" cx="{x(ends):.1f}" cy="{_y(spots[-1].value, bottom, top):.1f}" r="3.5"/>',
        *(_mark(f"{at}", HIGH - 8, day(date), anchor) for at, date, anchor in dates),
    ]
    words = (
        f"From {spots[0].value:.0f} on {day(begins)} to {spots[-1].value:.0f} on {day(ends)}; "
        f"the highest is {max(spot.value for spot in spots):.0f}."
    )
    return chart_svg(key, title, words, HIGH, parts)


def bar_chart(key: str, title: str, found: Sequence[Bar]) -> Markup:
    """A bar for each figure, with as many labels as fit."""
    most = max(bar.n for bar in found)
    step = max(1.0, _step(most / 4))
    top = ceil(most / step) * step
    slot = (WIDE - LEFT - RIGHT) / len(found)
    thick = min(slot * 0.76, 40)
    every = max(1, ceil(max(len(bar.label) for bar in found) * 7.2 / slot))
    parts = [_grid(0, top, step, ",.0f")]
    for i, bar in enumerate(found):
        middle, y = LEFT + slot * (i + 0.5), _y(bar.n, 0, top)
        if bar.n:
            parts.append(
                f'<rect class="bar" x="{middle - thick / 2:.1f}" y="{y:.1f}" width="{thick:.1f}" '
                f'height="{_y(0, 0, top) - y:.1f}"/>'
            )
        if i % every == 0:
            parts.append(_mark(f"{middle:.1f}", HIGH - 8, bar.label, "middle"))
    words = f"The most are {most:,}, at {max(found, key=lambda bar: bar.n).label}."
    return chart_svg(key, title, words, HIGH, parts)


def share_chart(key: str, title: str, found: Share) -> Markup:

    def x(rate: float) -> float:
        return 14 + (WIDE - 28) * rate

    low, up = found.interval
    parts = [
        f'<line class="axis" x1="{x(0)}" x2="{x(1)}" y1="30" y2="30"/>',
        *(
            f'<line class="axis" x1="{x(rate):.1f}" x2="{x(rate):.1f}" y1="26" y2="34"/>'
            for rate in (0, 0.25, 0.75, 1)
        ),
        f'<line class="half" x1="{x(0.5)}" x2="{x(0.5)}" y1="10" y2="44"/>',
        f'<rect class="interval" x="{x(low):.1f}" y="23" width="{max(x(up) - x(low), 1):.1f}" height="14"/>',
        f'<circle class="dot" cx="{x(found.rate):.1f}" cy="30" r="6"/>',
        *(
            _mark(f"{x(rate):.1f}", 58, f"{rate:.0%}", anchor)
            for rate, anchor in ((0, "start"), (0.5, "middle"), (1, "end"))
        ),
    ]
    words = f"{found.rate:.0%}, with 95 % certainty between {low:.0%} and {up:.0%}."
    return chart_svg(key, title, words, 66, parts)


def chart_svg(
    key: str, title: str, words: str, high: int, parts: Sequence[str], name: str = "chart"
) -> Markup:
    inside = Markup("").join(Markup(part) for part in parts)  # all texts in them are escaped already  # noqa: S704
    return Markup(
        '<svg class="{}" viewBox="0 0 {} {}" role="img" aria-labelledby="{}-t" aria-describedby="{}-d">'
        '<title id="{}-t">{}</title><desc id="{}-d">{}</desc>{}</svg>'
    ).format(name, WIDE, high, key, key, key, title, key, words, inside)


def _grid(bottom: float, top: float, step: float, form: str) -> str:
    drawn = ""
    for i in range(round((top - bottom) / step) + 1):
        value = bottom + step * i
        y = _y(value, bottom, top)
        drawn += f'<line class="rule" x1="{LEFT}" x2="{WIDE - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        drawn += _mark(f"{LEFT - 6}", f"{y + 4:.1f}", f"{value:{form}}", "end")
    return drawn


def _mark(x: str, y: object, words: str, anchor: str = "") -> str:
    aligned = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="mark" x="{x}" y="{y}"{aligned}>{escape(words)}</text>'


def _y(value: float, bottom: float, top: float) -> float:
    inside = min(max(value, bottom), top)
    return HIGH - BOTTOM - (HIGH - TOP - BOTTOM) * (inside - bottom) / (top - bottom)


def _step(rough: float) -> float:
    """Return the smallest step from `rough` on. Steps are 1, 2, 5, 10, 20, 50 …"""
    step = 1.0
    while step < rough:
        step *= 2.5 if str(step).startswith("2") else 2
    return step
