"""How a drawing looks: colours, hexes, stones, each about (0, 0) in the units of the viewBox.

A look is a name that a `Spot` carries: `block`, `ring`. New games add theirs to `HEXES` and `LOOKS`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import sqrt

Point = tuple[float, float]

RADIUS = 20.0
"""From a hex's middle to its corner, in units of the viewBox."""

COLOURS = {  # name: (light, dark); ink at 55 % and 15 % over paper give faint and rule
    "paper": ("#FBF8F1", "#14161A"),
    "ink": ("#1D2430", "#E8E4DA"),
    "faint": ("#696C73", "#96948F"),
    "rule": ("#CBC8C2", "#45474C"),
    "shade": ("#ECE8DF", "#202328"),
    "red": ("#C8102E", "#FF6B6B"),
    "blue": ("#1F4E8C", "#7FB2FF"),
    "green": ("#2E7D5B", "#6FCFA5"),
    "light": ("#FFFEFA", "#EFEBE1"),  # stones keep their colour in the dark; the rim sets them off
    "dark": ("#1C222D", "#0A0C0F"),
    "rim": ("#1B212C", "#B4B1A9"),
    "soft": ("#DAD6CD", "#C4C0B5"),  # the ring in a light stone
}

Paint = Callable[[str], str]
"""A colour's name -> what stands in a `fill` or `stroke` attribute."""


def number(value: float) -> str:
    """A number with at most one decimal: 17.32 -> `17.3`, 20.0 -> `20`."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def plain(name: str) -> str:
    return COLOURS[name][0]


def themed(name: str) -> str:
    return f"var(--{name},{COLOURS[name][0]})"


def style() -> str:
    rules = "".join(
        f'[fill="{light}"]{{fill:{dark}}}[stroke="{light}"]{{stroke:{dark}}}'
        for light, dark in COLOURS.values()
    )
    return f"@media screen and (prefers-color-scheme:dark){{{rules}}}"


# How each look is drawn: its hex (fill, edge, edge width), then what lies in it, about (0, 0).

HEXES = {
    "cut": ("shade", "shade", "1.2"),
    "empty": ("paper", "rule", "1.2"),
    "block": ("paper", "ink", "1.6"),
    "start-ring": ("paper", "ink", "2.4"),
    "start-disc": ("paper", "ink", "2.4"),
}
"""In the order drawn: faint cells lie below, inked edges upon their neighbours' thin ones."""


def _ring(paint: Paint) -> str:
    return f'<circle r="8.5" fill="{paint("paper")}" stroke="{paint("ink")}" stroke-width="4"/>'


def _disc(paint: Paint) -> str:
    return f'<circle r="10.5" fill="{paint("ink")}"/><circle r="3" fill="{paint("paper")}"/>'


def _block(paint: Paint) -> str:
    return f'<path d="{HATCH}" fill="none" stroke="{paint("ink")}" stroke-width="1.6"/>'


def _light(paint: Paint) -> str:
    return (
        f'<circle r="12" fill="{paint("light")}" stroke="{paint("rim")}" stroke-width="1.5"/>'
        f'<circle r="8" fill="none" stroke="{paint("soft")}" stroke-width="1.4"/>'
    )


def _dark(paint: Paint) -> str:
    return f'<circle r="12" fill="{paint("dark")}" stroke="{paint("rim")}" stroke-width="1.5"/>'


def _ringed(inside: Callable[[Paint], str]) -> Callable[[Paint], str]:
    def draw(paint: Paint) -> str:
        ring = f'<circle r="14.5" fill="none" stroke="{paint("ink")}" stroke-width="1.6"/>'
        return ring + inside(paint)

    return draw


def _nothing(paint: Paint) -> str:
    return ""


LOOKS: dict[str, Callable[[Paint], str]] = {
    "empty": _nothing,
    "cut": _nothing,
    "block": _block,
    "ring": _ring,
    "disc": _disc,
    "start-ring": _ringed(_ring),
    "start-disc": _ringed(_disc),
    "light": _light,
    "dark": _dark,
}


def _corners(radius: float) -> list[Point]:
    """A pointed hexagon's corners about (0, 0), clockwise from the top."""
    half = radius * sqrt(3) / 2
    return [
        (0, -radius),
        (half, -radius / 2),
        (half, radius / 2),
        (0, radius),
        (-half, radius / 2),
        (-half, -radius / 2),
    ]


def _hatching(radius: float, step: float) -> str:
    """Slanting lines clipped to a hexagon: drawn, not a pattern, for a pattern needs an id."""
    corners = _corners(radius)
    sides = list(zip(corners, corners[1:] + corners[:1], strict=True))
    parts = []
    count = int(radius * 1.4 / step)
    for offset in (k * step for k in range(-count, count + 1)):  # the line y = offset - x
        hits = []
        for (x1, y1), (x2, y2) in sides:
            a, b = x1 + y1 - offset, x2 + y2 - offset
            if (a < 0) != (b < 0):
                t = a / (a - b)
                hits.append((x1 + t * (x2 - x1), y1 + t * (y2 - y1)))
        if len(hits) == 2:
            (x1, y1), (x2, y2) = hits
            parts.append(f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}")
    return "".join(parts)


def _outline(radius: float) -> str:
    """The way from a hexagon's top corner round it, in relative steps."""
    corners = _corners(radius)
    steps = [(x2 - x1, y2 - y1) for (x1, y1), (x2, y2) in pairwise(corners)]
    return "l" + " ".join(f"{number(dx)} {number(dy)}" for dx, dy in steps) + "z"


HATCH = _hatching(RADIUS - 1, 6.0)
OUTLINE = _outline(RADIUS)
