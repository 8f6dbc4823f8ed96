"""Stamps and postmarks of finished games, in the page's own colours.

A game's emblem is `templates/web/emblems/<key>.svg`, the inside of a 40 by 40 drawing.
"""

from datetime import datetime
from functools import cache, lru_cache
from math import cos, radians, sin

from markupsafe import Markup

from pbem.mail.outbound.times import MONTHS
from rules.looks import number as n

WIDTH, HEIGHT, TOOTH = 60, 72, 6
MAX_NAME = 10
RING = 31.0


def initial(name: str) -> Markup:
    return Markup(
        '<path d="M20 3 34.7 11.5v17L20 37 5.3 28.5v-17z" fill="none" stroke="var(--ink)" '
        'stroke-width="1.6"/>'
        '<text x="20" y="27" text-anchor="middle" class="initial">{}</text>'
    ).format(name[:1])


def stamp(name: str, inside: Markup) -> Markup:
    return Markup(
        '<svg class="stamp" viewBox="0 0 {} {}" aria-hidden="true">'
        '<path class="edge" d="{}"/><path class="frame" d="M6 6h48v60H6z"/>'
        '<g transform="translate(10 {})">{}</g>{}</svg>'
    ).format(WIDTH, HEIGHT, _perforated_edge(), 9 if len(name) <= MAX_NAME else 7, inside, _name_text(name))


def _name_text(name: str) -> Markup:
    """The name at the foot of a stamp: a short one in one line, a long word set narrower."""
    lines = [name] if len(name) <= MAX_NAME else name.split()
    first = 61.5 - 6 * (len(lines) - 1)
    parts = []
    for row, word in enumerate(lines):
        close = Markup(' textLength="42" lengthAdjust="spacingAndGlyphs"') if len(word) > 7 else ""
        text = Markup('<text x="30" y="{}" class="name"{}>{}</text>')
        parts.append(text.format(n(first + 6.8 * row), close, word.upper()))
    return Markup("").join(parts)


@cache
def _perforated_edge() -> str:
    """The outline, with a half-round hole every `TOOTH` units."""
    gap, bite = n(TOOTH / 4), n(TOOTH / 2)

    def side(length: int, step: str, end: str) -> str:
        return f"{step}{gap}a1.5 1.5 0 0 0 {end}{step}{gap}" * (length // TOOTH)

    right, left = side(WIDTH, "h", f"{bite} 0"), side(WIDTH, "h-", f"-{bite} 0")
    down, up = side(HEIGHT, "v", f"0 {bite}"), side(HEIGHT, "v-", f"0 -{bite}")
    return f"M0 0{right}{down}{left}{up}z"


@lru_cache(256)
def postmark(place: str, moment: datetime, below: str) -> Markup:
    """A postmark: host at the top, date inside, `below` at the foot."""
    return Markup(
        '<svg class="postmark" viewBox="-78 -40 120 80" aria-hidden="true">'
        '<g fill="none" stroke="currentColor" stroke-width="1.3">'
        '<circle r="38"/><circle r="24.5"/>{}</g>'
        '<g fill="currentColor" text-anchor="middle" class="lettering">{}{}'
        '<text y="-6">{}</text><text y="5.5" class="year">{}</text><text y="15.5">{}</text></g></svg>'
    ).format(
        Markup(_waves()),
        _circle_text(place.upper()[:20], -90, 1),
        _circle_text(below.upper()[:10], 90, -1),
        f"{moment.day} {MONTHS[moment.month - 1][:3].upper()}",
        moment.year,
        f"{moment:%H:%M}",
    )


def _waves() -> str:
    line = "q3-4 6 0t6 0 6 0 6 0 6 0"
    return "".join(f'<path d="M{n(x)} {y}{line}"/>' for x, y in ((-76, -14), (-78, -5), (-78, 4), (-76, 13)))


def _circle_text(text: str, middle: float, way: int) -> Markup:
    """Letters on a circle, centred at `middle` degrees, clockwise from the right."""
    step = min(13.5, 200 / max(len(text), 1))
    parts = []
    for place, letter in enumerate(text):
        angle = middle + way * step * (place - (len(text) - 1) / 2)
        if letter != " ":
            x, y, turn = RING * cos(radians(angle)), RING * sin(radians(angle)), angle + 90 * way
            drawn = Markup('<text transform="translate({} {}) rotate({})" dy=".35em">{}</text>')
            parts.append(drawn.format(n(x), n(y), n(turn), letter))
    return Markup("").join(parts)
