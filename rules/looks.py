"""The looks of a drawing by name: colours, hexes and stones, each drawn about (0, 0)."""

import re
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from math import sqrt

Point = tuple[float, float]

RADIUS = 20.0
"""The distance from a hex's middle to its corner, in units of the viewBox."""

COLOURS = {  # name: (light, dark); ink at 55 % and 15 % over paper give faint and rule
    "paper": ("#FBF8F1", "#14161A"),
    "ink": ("#1D2430", "#E8E4DA"),
    "faint": ("#696C73", "#96948F"),
    "rule": ("#CBC8C2", "#45474C"),
    "grid": ("#73706B", "#8F9196"),  # 3:1 on every ground of a cell
    "shade": ("#ECE8DF", "#202328"),
    "shut": ("#E3DDD0", "#2A2E35"),
    "red": ("#C8102E", "#FF6B6B"),
    "blue": ("#1F4E8C", "#7FB2FF"),
    "green": ("#2E7D5B", "#6FCFA5"),
    "light": ("#FFFEFA", "#EFEBE1"),
    "dark": ("#1C222D", "#666A73"),  # in the dark 3:1 to the board
    "rim": ("#1B212C", "#B4B1A9"),
    "inset": ("#DAD6CD", "#C4C0B5"),  # the ring in a light stone
    "bagel": ("#A34E00", "#F0A35E"),  # each suit's icon, then its tile
    "bagel-tile": ("#F8EADB", "#2B211A"),
    "baguette": ("#6F6100", "#D9C55B"),
    "baguette-tile": ("#F3EFCF", "#282514"),
    "cup": ("#006C86", "#66C9E0"),
    "cup-tile": ("#DEEFF2", "#16272C"),
    "croissant": ("#8A3A94", "#DDA0E6"),
    "croissant-tile": ("#F4E4F4", "#2A1F2D"),
    "day": ("#F5E4B3", "#4B4226"),  # Light's land and Dark's
    "night": ("#C3CFE2", "#243044"),
    "grain": ("#A07818", "#D9BC6A"),  # the dots on one, the hatching on the other
    "furrow": ("#5B6F92", "#62799F"),
    "buy-tint": ("#FBEBC0", "#37301A"),  # a tint a kind of hex
    "sell-tint": ("#F8DFDA", "#372220"),
    "change-tint": ("#E9E3F5", "#282338"),
    "pounds-tint": ("#DBE9F5", "#1A2836"),
    "dollars-tint": ("#DDF0DD", "#1B2D20"),
    "house": ("#B8552B", "#E58C5E"),
    "roof": ("#8C3B19", "#B9623A"),
}

Paint = Callable[[str], str]


def number(value: float) -> str:
    """Return a number with at most one decimal: 17.32 -> `17.3`, 20.0 -> `20`."""
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


_KINDS = {
    key + below: ("shade" if key == "visiting" else f"{key}-tint", "grid", "1")
    for key in ("buy", "sell", "change", "visiting", "pounds", "dollars")
    for below in ("", "-below")
}
"""Lettered hexes. With `-below` the letters stand at the foot, since something stands in the middle."""

_SUITS = ("bagel", "baguette", "cup", "croissant")

HEXES = {
    "cut": ("shut", "shut", "1"),
    "shut": ("shut", "grid", "1"),
    "empty": ("paper", "grid", "1"),
    "light-land": ("day", "grid", "1"),
    "dark-land": ("night", "grid", "1"),
    "block": ("paper", "ink", "1.6"),
    **{suit: (f"{suit}-tile", "grid", "1") for suit in _SUITS},
    "start-ring": ("paper", "ink", "2.4"),
    "start-disc": ("paper", "ink", "2.4"),
    **_KINDS,
}
"""The hexes in the order drawn: faint cells below, inked edges above their neighbours' thin ones."""

DOT_AT: dict[str, Point] = {
    **dict.fromkeys(_SUITS, (0, 14.2)),
    **{key: (12, -6) if key.endswith("-below") else (0, 10.6) for key in _KINDS},
}
"""The place of the dot of a cell that may be played, if the cell's middle is taken."""


def _corners(radius: float) -> list[Point]:
    """Return a pointed hexagon's corners about (0, 0), clockwise from the top."""
    x, y = radius * sqrt(3) / 2, radius / 2
    return [(0, -radius), (x, -y), (x, y), (0, radius), (-x, y), (-x, -y)]


def _hatching(radius: float, step: float) -> str:
    """Draw slanting lines clipped to a hexagon, since a pattern would need an id."""
    parts = []
    count = int(radius * 1.4 / step)
    for k in (number * step for number in range(-count, count + 1)):  # the line y = k - x
        sides = [(radius * sqrt(3) / 2, 1, 0), (radius, 1 - 1 / sqrt(3), k), (radius, 1 + 1 / sqrt(3), k)]
        left = max((middle - far) / slope for far, slope, middle in sides)
        right = min((middle + far) / slope for far, slope, middle in sides)
        parts.append(f"M{number(right)} {number(k - right)}L{number(left)} {number(k - left)}")
    return "".join(parts)


@cache
def outline(corners: tuple[Point, ...], middle: Point = (0.0, 0.0)) -> str:
    """Return the path round a cell with these corners about its middle."""
    x, y = corners[0]
    return f"M{number(middle[0] + x)} {number(middle[1] + y)}{_sides(corners)}"


@cache
def _sides(corners: tuple[Point, ...]) -> str:
    steps = [(x2 - x1, y2 - y1) for (x1, y1), (x2, y2) in pairwise(corners)]
    return "l" + " ".join(f"{number(dx)} {number(dy)}" for dx, dy in steps) + "z"


DOTS = "M0 0h0" + "".join(f"M{number(x / 2)} {number(y / 2)}h0" for x, y in _corners(RADIUS))
HATCH = _hatching(RADIUS - 1, 6.0)
INSET = 1.7
"""The distance between a cell's edge and the ring of the last ply, if the ring follows the edge."""


_RING = '<circle r="8.5" fill="{paper}" stroke="{ink}" stroke-width="4"/>'
_DISC = '<circle r="10.5" fill="{ink}"/><circle r="3" fill="{paper}"/>'
_START = '<circle r="14.5" fill="none" stroke="{ink}" stroke-width="1.6"/>'
_DARK = '<circle r="12" fill="{dark}" stroke="{rim}" stroke-width="1.5"/>'
_EDGE = 'stroke="{rim}" stroke-width="1.2" stroke-linejoin="round"'


def _icon(colour: str, *paths: str) -> str:
    lines = "".join(f'<path d="{path}"/>' for path in paths)
    return (
        f'<g fill="none" stroke="{{{colour}}}" stroke-width="1.9" stroke-linecap="round"'
        f' stroke-linejoin="round">{lines}</g>'
    )


def _letters(lines: tuple[str, ...], size: float, middle: float) -> str:
    top = middle - (len(lines) - 1) * size * 0.55
    texts = "".join(
        f'<text y="{number(top + row * size * 1.1)}">{line}</text>' for row, line in enumerate(lines)
    )
    return (
        f'<g fill="{{ink}}" font-size="{number(size)}" font-weight="500" letter-spacing="0.3"'
        f' text-anchor="middle" font-family="system-ui,sans-serif" aria-hidden="true">{texts}</g>'
    )


def _pawn(colour: str) -> str:
    paint = f'fill="{{{colour}}}" stroke="{{rim}}" stroke-width="1.4" stroke-linejoin="round"'
    return f'<path d="{PAWN}" {paint}/><circle cy="-9.8" r="4.2" {paint}/>'


PAWN = (
    "M-8.6 8.2h17.2v-2.2c0-2-1.6-2.8-3.2-3.4-1.8-.8-2.6-2.6-3-7.2h-4.8"
    "c-.4 4.6-1.2 6.4-3 7.2-1.6.6-3.2 1.4-3.2 3.4z"
)

LOOKS = {
    "empty": "",
    "cut": "",
    "shut": '<path d="M-4.5 0h9" stroke="{faint}" stroke-width="2.2" stroke-linecap="round"/>',
    "block": f'<path d="{HATCH}" fill="none" stroke="{{ink}}" stroke-width="1.6"/>',
    "ring": _RING,
    "disc": _DISC,
    "start-ring": _START + _RING,
    "start-disc": _START + _DISC,
    "light": _DARK.replace("dark", "light")
    + '<circle r="8" fill="none" stroke="{inset}" stroke-width="1.4"/>',
    "dark": _DARK,
    "light-land": f'<path d="{DOTS}" fill="none" stroke="{{grain}}" stroke-width="2.6"'
    ' stroke-linecap="round"/>',
    "dark-land": f'<path d="{HATCH}" fill="none" stroke="{{furrow}}" stroke-width="1.1"/>',
    "bagel": _icon("bagel", "M9 0a9 9 0 1 1-18 0a9 9 0 1 1 18 0", "M3 0a3 3 0 1 1-6 0a3 3 0 1 1 6 0"),
    "baguette": _icon(
        "baguette",
        "M-10.4-5.3a3.6 3.6 0 0 1 5.1-5.1L10.4 5.3a3.6 3.6 0 0 1-5.1 5.1z",
        "M-4.6-5.4l-.8 3.8M-.2-1l-.8 3.8M4.2 3.4l-.8 3.8",
    ),
    "cup": _icon(
        "cup",
        "M-8.5-3.8H4.8v5a6 6 0 0 1-6 6h-1.3a6 6 0 0 1-6-6z",
        "M4.8-2h1.6a3.2 3.2 0 0 1 0 6.4H4",
        "M-4.2-10v2.6M.5-10v2.6",
    ),
    "croissant": _icon(
        "croissant",
        "M-10.5 7C-12-2.5-6.5-8.5 0-8.5S12-2.5 10.5 7C9 8.5 6.5 7.5 6 5.5"
        "C5 2 3 .8 0 .8S-5 2-6 5.5C-6.5 7.5-9 8.5-10.5 7z",
        "M-3.4-7.9L-2.6.9M3.4-7.9L2.6.9M-9.4-2.6L-5.2 3M9.4-2.6L5.2 3",
    ),
    "thing": f'<path d="M-7-3.6V7.4H7V-3.6z" fill="{{house}}" {_EDGE}/>'
    f'<path d="M-9.6-3.2L0-12.4L9.6-3.2z" fill="{{roof}}" {_EDGE}/>',
    "white-pawn": _pawn("light"),
    "black-pawn": _pawn("dark"),
}
"""The content of a hex, as SVG with names of colours in braces."""

for _key, _lines, _size in (
    ("buy", ("BUY",), 9),
    ("sell", ("SELL",), 9),
    ("change", ("CHANGE",), 6.8),
    ("visiting", ("JUST", "VISITING"), 6),
    ("pounds", ("£10",), 11),
    ("dollars", ("$20",), 11),
):
    LOOKS[_key] = _letters(_lines, _size, _size * 0.36)
    LOOKS[f"{_key}-below"] = _letters(_lines[-1:], 5.2 if len(_lines) == 1 else 4.2, 14)

_COLOUR = re.compile(r"\{([a-z-]+)\}")


@cache
def drawing(look: str, paint: Paint) -> str:
    return _COLOUR.sub(lambda found: paint(found[1]), LOOKS[look])
