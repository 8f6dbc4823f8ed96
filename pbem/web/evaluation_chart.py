"""Draws the chances in a finished game as SVG. Pure functions."""

from collections.abc import Sequence

from markupsafe import Markup, escape

from pbem.core.exercises.analysis import smooth
from pbem.core.game.game import Game
from pbem.web.charts import WIDE, chart_svg

HIGH = 132
LEFT, RIGHT, TOP, BOTTOM = 4, 6, 20, 20
"""The names of the players stand above and below the line."""


def evaluation_chart(game: Game, values: Sequence[float], n: int) -> Markup:
    """Draw the first player's chances after each ply. A dot is at `n`."""
    first, second = (seat.name for seat in game.seats)
    spots = [(_x(i, len(values)), _y(value)) for i, value in enumerate(smooth(values))]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
    middle, (at, height) = _y(0.5), spots[n]
    area = f"{LEFT},{middle} {line} {WIDE - RIGHT},{middle}"
    parts = [
        f'<rect class="ground" x="{LEFT}" y="{TOP}" width="{WIDE - LEFT - RIGHT}" '
        f'height="{HIGH - TOP - BOTTOM}"/>',
        f'<polygon class="area" points="{area}"/>',
        f'<line class="half" x1="{LEFT}" x2="{WIDE - RIGHT}" y1="{middle}" y2="{middle}"/>',
        f'<polyline class="line" points="{line}"/>',
        f'<line class="here" x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{HIGH - BOTTOM}"/>',
        f'<circle class="dot" cx="{at:.1f}" cy="{height:.1f}" r="4"/>',
        f'<text class="mark" x="{LEFT}" y="{TOP - 7}">{escape(first)} wins</text>',
        f'<text class="mark" x="{LEFT}" y="{HIGH - 6}">{escape(second)} wins</text>',
        f'<text class="mark" x="{WIDE - RIGHT}" y="{HIGH - 6}" text-anchor="end">'
        f"move {len(values) - 1}</text>",
    ]
    words = _in_words(first, smooth(values), n)
    return chart_svg("chances", "The chances after each move", words, HIGH, parts, name="chances")


def _in_words(first: str, values: Sequence[float], n: int) -> str:
    start, here, end = (f"{100 * value:.0f}" for value in (values[0], values[n], values[-1]))
    return f"In 100 chances {first} had {start} at the start, {here} after move {n}, and {end} at the end."


def _x(i: int, count: int) -> float:
    return LEFT + (WIDE - LEFT - RIGHT) * i / max(1, count - 1)


def _y(value: float) -> float:
    return TOP + (HIGH - TOP - BOTTOM) * (1 - value)
