"""The drawing of a picture as one SVG element, in a page's colours or as a file of its own."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

from rules import looks
from rules.grids import FLAT, Point
from rules.looks import Paint, drawing, plain
from rules.looks import number as n
from rules.picture import Label, Picture, Spot


class Link(NamedTuple):
    """A cell's link: its address, and the words for its effect, which screen readers say."""

    address: str
    label: str


def svg(
    picture: Picture,
    *,
    coordinates: bool = True,
    links: Mapping[str, Link] | None = None,
    legal: bool = False,
    standalone: bool = False,
) -> str:
    """Return the board as one SVG element without ids, so that a page may contain any number of them.

    `standalone` makes a whole file: plain colours, a background, and a style sheet with dark colours for
    readers who prefer them. `links` turns cells into links. Linked cells, or with `legal` all open cells,
    have a green dot. If `links` is given, even empty, screen readers find each cell at its place.
    """
    paint = plain if standalone else looks.themed
    heard = "" if links is None else _spell(picture, links)
    parts = [
        *_head(picture, coordinates, "group" if heard else "img", standalone),
        _coordinates(picture, paint) if coordinates else "",
        *_hexes(picture, paint, merged=bool(heard)),
        heard,
        *strokes(picture, paint, coordinates),
        _stones(picture, paint),
        _marks(picture, paint, links or {}, legal),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def _head(picture: Picture, coordinates: bool, role: str, standalone: bool) -> Iterable[str]:
    left, top, width, height = map(n, frame_of(picture, coordinates))
    size = f' width="{width}" height="{height}"' if standalone else ""
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board {escape(picture.game)}"'
        f' viewBox="{left} {top} {width} {height}"{size} role="{role}"'
        f' aria-label="{escape(picture.title)}">'
    )
    yield f"<title>{escape(picture.title)}</title><desc>{escape(picture.description)}</desc>"
    if standalone:
        yield f"<style>{looks.style()}</style>"
        yield f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="{plain("paper")}"/>'


def at(picture: Picture, x: float, y: float) -> Point:
    across, down = picture.grid.unit
    return x * across, y * down


def frame_of(picture: Picture, coordinates: bool) -> tuple[float, float, float, float]:
    """Return (left, top, width, height) round all cells and, if asked, the lettering."""
    wide, high = (max(values) for values in zip(*picture.grid.corners, strict=True))
    boxes = [(*at(picture, spot.x, spot.y), wide, high) for spot in picture.spots]
    broad = [line for line in picture.lines if line.look in _BROAD]
    boxes += [(*at(picture, *point), 10.0, 10.0) for line in broad for point in line.points]
    if coordinates:
        boxes += [(*_label_at(picture, label), 8.0, 9.0) for label in picture.labels if label.kind in _DRAWN]
    margin = 4.0
    left = min(x - w for x, _, w, _ in boxes) - margin
    top = min(y - h for _, y, _, h in boxes) - margin
    right = max(x + w for x, _, w, _ in boxes) + margin
    bottom = max(y + h for _, y, _, h in boxes) + margin
    return left, top, right - left, bottom - top


_DRAWN = ("row", "column", "diagonal", "number")


def _label_at(picture: Picture, label: Label) -> Point:
    return at(picture, *(label.at or (label.x, label.y)))


def _coordinates(picture: Picture, paint: Paint) -> str:
    width = frame_of(picture, False)[2]
    size = 11 if width < 400 else 14 if width < 560 else 16  # a small board is drawn larger
    parts = [
        f'<g class="coordinates" fill="{paint("faint")}" font-size="{size}"'
        ' text-anchor="middle" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace"'
        ' aria-hidden="true">'
    ]
    for label in picture.labels:
        if label.kind in _DRAWN:
            x, y = _label_at(picture, label)
            parts.append(f'<text x="{n(x)}" y="{n(y + 5)}">{escape(label.text)}</text>')
        if label.kind == "diagonal":  # a tick between the last cell and its letter
            parts.append(f'<path d="M{n(x - 10)} {n(y - 17.3)}l4 6.9" stroke="{paint("faint")}"/>')
    return "".join(parts) + "</g>"


def strokes(picture: Picture, paint: Paint, numbers: bool) -> Iterable[str]:
    """Draw all lines over the grid, from below: sides, rows, routes and (numbered) islands."""
    for look, (colour, width) in _LINE.items():
        for line in (line for line in picture.lines if line.look == look):
            points = " ".join(f"{n(x)},{n(y)}" for x, y in (at(picture, *point) for point in line.points))
            yield (
                f'<polyline class="{look}" points="{points}" fill="none" stroke="{paint(colour)}"'
                f' stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round"/>'
            )
    yield from _islands(picture, paint, numbers)


_LINE = {"edge": ("faint", "3"), "row": ("faint", "5"), "way": ("blue", "3"), "route": ("blue", "9")}


_BROAD = {
    "island": ("faint", "shut", "ink"),
    "dark-side": ("rim", "dark", "paper"),
    "light-side": ("rim", "light", "ink"),
    "joined": ("blue", "blue", "paper"),
}
"""The colours of rim, filling and number of broad lines."""


def _islands(picture: Picture, paint: Paint, numbers: bool) -> Iterable[str]:
    for look, (rim, fill, ink) in _BROAD.items():
        lines = [line for line in picture.lines if line.look == look]
        if not lines:
            continue
        ends = [[at(picture, *point) for point in line.points] for line in lines]
        strokes = "".join("M" + "L".join(f"{n(x)} {n(y)}" for x, y in points) for points in ends)
        yield (
            f'<g class="{look}" fill="none" stroke-linecap="round">'
            f'<path d="{strokes}" stroke="{paint(rim)}" stroke-width="23"/>'
            f'<path d="{strokes}" stroke="{paint(fill)}" stroke-width="20"/></g>'
        )
        if numbers:
            yield (
                f'<g class="numbers" fill="{paint(ink)}" font-size="17" font-weight="700"'
                ' text-anchor="middle" font-family="system-ui,sans-serif" aria-hidden="true">'
                + "".join(map(_number, (line.text for line in lines), ends))
                + "</g>"
            )


def _number(text: str, points: Sequence[Point]) -> str:
    xs, ys = zip(*points, strict=True)
    return f'<text x="{n(sum(xs) / len(xs))}" y="{n(sum(ys) / len(ys) + 6)}">{escape(text)}</text>'


def _hexes(picture: Picture, paint: Paint, merged: bool) -> Iterable[str]:
    """Draw the hexes by looks. `merged` makes one path a look, below the cells for screen readers."""
    for key, (fill, edge, width) in looks.HEXES.items():
        spots = [spot for spot in picture.spots if hex_key(spot) == key]
        if spots:
            outlines = "".join(_outline(picture, spot) for spot in spots)
            cells = f'<path d="{outlines}"/>' if merged else "".join(_hex(picture, spot) for spot in spots)
            yield (
                f'<g class="cells {key}" fill="{paint(fill)}" stroke="{paint(edge)}"'
                f' stroke-width="{width}" stroke-linejoin="round">{cells}</g>'
            )


def _spell(picture: Picture, links: Mapping[str, Link]) -> str:
    """Put each cell in its place, invisible, for screen readers: a link, or a picture with words."""
    parts = []
    for spot in picture.spots:
        if link := links.get(spot.name):
            drawn = _hex(picture, spot)
            drawn = f'<a href="{escape(link.address)}" aria-label="{escape(link.label)}">{drawn}</a>'
        else:
            last = ", the last move" if "last" in spot.marks else ""
            drawn = _hex(picture, spot, ' role="img"', last)
        parts.append(drawn)
    return f'<g class="places" fill="none" pointer-events="all">{"".join(parts)}</g>'


def hex_key(spot: Spot) -> str:
    key = spot.ground or spot.look
    return key if key in looks.HEXES else "empty"


def _hex(picture: Picture, spot: Spot, role: str = "", more: str = "") -> str:
    return (
        f'<path data-cell="{escape(spot.name)}"{role} d="{_outline(picture, spot)}">'
        f"<title>{escape(spot.name)}: {escape(spot.words)}{more}</title></path>"
    )


def _outline(picture: Picture, spot: Spot) -> str:
    return looks.outline(picture.grid.corners, at(picture, spot.x, spot.y))


def _stones(picture: Picture, paint: Paint) -> str:
    parts = []
    for spot in picture.spots:
        for look in filter(None, (spot.ground, spot.look)):
            if drawn := drawing(look, paint):
                x, y = at(picture, spot.x, spot.y)
                parts.append(f'<g class="{look}" transform="translate({n(x)} {n(y)})">{drawn}</g>')
    return f'<g class="stones" pointer-events="none">{"".join(parts)}</g>'


def _marks(picture: Picture, paint: Paint, links: Mapping[str, Link], legal: bool) -> str:
    """Mark playable cells with green dots, the last ply with a red ring, and a win with blue rings."""
    parts = []
    is_flat, inner = picture.grid is FLAT, picture.grid.shrunk(looks.INSET)
    for spot in picture.spots:
        x, y = at(picture, spot.x, spot.y)
        if "legal" in spot.marks and (legal or spot.name in links):
            dx, dy = looks.DOT_AT.get(spot.ground or spot.look, (0, 0))
            dot = f'cx="{n(x + dx)}" cy="{n(y + dy)}" r="3.5"'
            parts.append(f'<circle class="legal" {dot} fill="{paint("green")}"/>')
        centre = f'cx="{n(x)}" cy="{n(y)}" r="15"'
        edge = f'd="{looks.outline(inner, (x, y))}"'
        round_, along = f'<circle class="{{}}" {centre}', f'<path class="{{}}" {edge}'
        rings = (
            ("chosen", "chosen", round_, "green", "3.5"),
            ("win", "won", along if is_flat else "", "blue", "3"),
            ("last", "last", "" if is_flat else round_, "paper", "5"),  # keeps red off the hatching
            ("last", "last", along if is_flat else round_, "red", "2.2"),
        )
        parts += [
            f'{tag.format(name)} fill="none" stroke="{paint(colour)}" stroke-width="{width}"/>'
            for mark, name, tag, colour, width in rings
            if tag and mark in spot.marks
        ]
    return f'<g class="marks" pointer-events="none">{"".join(parts)}</g>'
