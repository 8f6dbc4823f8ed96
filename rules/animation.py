"""A game as an animated SVG file, driven by CSS. A reader without motion sees the final position."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from rules.grids import FLAT
from rules.looks import HEXES, INSET, drawing, outline, plain, style
from rules.looks import number as n
from rules.picture import Picture, Spot
from rules.svg import at, frame_of, hex_key, strokes

Span = tuple[int, int]
"""The first frame that shows something, and the first frame that does not show it any more."""

Box = tuple[float, float, float, float]
PACE, MAX_SECONDS, MIN_FRAME = 1.1, 50.0, 0.2
"""Seconds of a frame; most seconds of a film without its end; least seconds of a frame in a long film."""
REST = 5.0
"""Seconds for which the last board stays before the film starts again."""
HEAD, FOOT = 30.0, 40.0
HEADING, WORDS = 16, 14


@dataclass(frozen=True)
class Frame:
    """One board of a film, and a line to stand below it."""

    picture: Picture
    words: str


def film(frames: Sequence[Frame], heading: str) -> str:
    """Return the whole animation as a file. All boards belong to one game, so they have the same outline."""
    last = frames[-1].picture
    left, top, width, height = frame_of(last, coordinates=False)
    box = (left, top - HEAD, width, height + HEAD + FOOT)
    layers = (
        *_hexes(frames),
        _layer(frames, "", lambda picture: strokes(picture, plain, True)),
        _layer(frames, "", _stones),
        _layer(frames, "", lambda picture: _rings(picture, "win", "won") if picture.grid is FLAT else ()),
        _layer(frames, ' fill="none" stroke-width="2.2"', lambda picture: _rings(picture, "last", "last")),
        _words(frames, box),
    )
    tag = f'font-size="{HEADING}" font-family="serif" text-anchor="middle" fill="{plain("ink")}"'
    small = _small(heading, width, HEADING)
    return "\n".join(
        (
            _head(frames, heading, box),
            f"<style>{_motion(len(frames), layers)}{style()}</style>",
            f"<defs>{_shapes(frames)}</defs>",
            f'<rect x="{n(left)}" y="{n(box[1])}" width="{n(width)}" height="{n(box[3])}"'
            f' fill="{plain("paper")}"/>',
            f"<g {tag}>{_text(heading, left + width / 2, box[1] + HEAD - 8, small)}</g>",
            *(layer.drawn(len(frames)) for layer in layers),
            _progress(box),
            "</svg>",
        )
    )


@dataclass(frozen=True)
class Layer:
    """Pieces that are drawn together in one SVG group, each with its time span."""

    tag: str
    pieces: tuple[tuple[Span, str], ...]

    def drawn(self, count: int) -> str:
        pieces = "".join(
            piece if span == (0, count) else f'<g class="{_class(span, count)}">{piece}</g>'
            for span, piece in self.pieces
        )
        return f"<g{self.tag}>{pieces}</g>"


def _class(span: Span, count: int) -> str:
    """Return class `p5` for a piece shown from frame 5 on, `o2-5` for one shown from 2 until before 5."""
    first, end = span
    return f"p{first}" if end == count else f"o{first}-{end}"


def _layer(frames: Sequence[Frame], tag: str, pieces: Callable[[Picture], Iterable[str]]) -> Layer:
    """Draw each piece once for its span of frames, and put pieces with the same span together."""
    begun: dict[str, int] = {}
    spans: defaultdict[Span, list[str]] = defaultdict(list)
    shown = (frozenset(pieces(frame.picture)) for frame in frames)
    for number, here in enumerate((*shown, frozenset[str]())):
        for gone in [each for each in begun if each not in here]:
            spans[begun.pop(gone), number].append(gone)
        for each in here:
            begun.setdefault(each, number)
    return Layer(tag, tuple((span, "".join(sorted(spans[span]))) for span in sorted(spans)))


@lru_cache(4096)
def _use(shape: str, x: float, y: float) -> str:
    return f'<use href="#{shape}" x="{n(x)}" y="{n(y)}"/>'


def _hexes(frames: Sequence[Frame]) -> Iterator[Layer]:
    present = {hex_key(spot) for frame in frames for spot in frame.picture.spots}
    for key in (key for key in HEXES if key in present):
        fill, edge, width = HEXES[key]

        def fields(picture: Picture, key: str = key) -> Iterator[str]:
            return (_use("h", *at(picture, spot.x, spot.y)) for spot in picture.spots if hex_key(spot) == key)

        tag = f' fill="{plain(fill)}" stroke="{plain(edge)}" stroke-width="{width}" stroke-linejoin="round"'
        yield _layer(frames, tag, fields)


def _looks(spot: Spot) -> list[str]:
    return [look for look in (spot.ground, spot.look) if look and drawing(look, plain)]


def _stones(picture: Picture) -> Iterator[str]:
    return (_use(look, *at(picture, spot.x, spot.y)) for spot in picture.spots for look in _looks(spot))


def _rings(picture: Picture, mark: str, shape: str) -> Iterator[str]:
    return (_use(shape, *at(picture, spot.x, spot.y)) for spot in picture.spots if mark in spot.marks)


def _words(frames: Sequence[Frame], box: Box) -> Layer:
    middle, foot = box[0] + box[2] / 2, box[1] + box[3] - 18
    tag = f' font-size="{WORDS}" font-family="sans-serif" text-anchor="middle" fill="{plain("ink")}"'
    lines = [
        ((number, number + 1), _text(frame.words, middle, foot, _small(frame.words, box[2], WORDS)))
        for number, frame in enumerate(frames)
    ]
    return Layer(tag, tuple(lines))


def _text(words: str, x: float, y: float, more: str) -> str:
    return f'<text x="{n(x)}" y="{n(y)}"{more}>{escape(words)}</text>'


def _small(words: str, width: float, size: float) -> str:
    """Return an attribute that shrinks a text longer than `width`, or ""."""
    fits = (width - 12) / (0.56 * max(len(words), 1))  # the width of a letter, in its own size
    return f' font-size="{n(max(fits, 4))}"' if fits < size else ""


def _head(frames: Sequence[Frame], heading: str, box: Box) -> str:
    wide, last = max(box[2], 480.0), frames[-1]
    high = wide * box[3] / box[2]
    told = f"{last.words}. {last.picture.description}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board {escape(last.picture.game)}"'
        f' viewBox="{" ".join(map(n, box))}" width="{n(wide)}" height="{n(high)}" role="img">'
        f"<title>{escape(heading)}</title><desc>{escape(told)}</desc>"
    )


def _shapes(frames: Sequence[Frame]) -> str:
    picture = frames[-1].picture
    looks = sorted({look for frame in frames for spot in frame.picture.spots for look in _looks(spot)})
    round_ = f'd="{outline(picture.grid.shrunk(INSET))}"'
    won = f'<path id="won" {round_} fill="none" stroke="{plain("blue")}" stroke-width="3"/>'
    ring = (
        f'{won}<path id="last" {round_} stroke="{plain("red")}"/>'
        if picture.grid is FLAT
        else f'<g id="last"><circle r="15" stroke="{plain("paper")}" stroke-width="5"/>'
        f'<circle r="15" stroke="{plain("red")}"/></g>'
    )
    drawn = "".join(f'<g id="{look}">{drawing(look, plain)}</g>' for look in looks)
    return f'<path id="h" d="{outline(picture.grid.corners)}"/>{ring}{drawn}'


def _progress(box: Box) -> str:
    left, top, width, height = box
    foot = top + height - 4
    return (
        f'<path d="M{n(left)} {n(foot)}h{n(width)}" stroke="{plain("rule")}" stroke-width="2"/>'
        f'<g transform="translate({n(left)} {n(foot)})"><path class="t" d="M0 0h{n(width)}"'
        f' stroke="{plain("red")}" stroke-width="3"/></g>'
    )


def _motion(count: int, layers: Iterable[Layer]) -> str:
    spans = sorted({span for layer in layers for span, _ in layer.pieces} - {(0, count)})
    frame = max(MIN_FRAME, min(PACE, MAX_SECONDS / count))
    whole = frame * count + REST

    def moment(number: int) -> str:
        return f"{number * frame / whole * 100:.2f}".rstrip("0").rstrip(".") + "%"

    keys = ""
    for first, end in spans:
        steps = f"0%{{opacity:0}}{moment(first)}{{opacity:1}}" if first else "0%{opacity:1}"
        steps += "" if end == count else f"{moment(end)}{{opacity:0}}"
        keys += f"@keyframes {_class((first, end), count)}{{{steps}}}"
    played = "".join(f".{name}{{animation-name:{name}}}" for name in (_class(s, count) for s in spans))
    return (
        "[class^=o]{opacity:0}"
        "@media(prefers-reduced-motion:no-preference){"
        f"[class^=o],[class^=p],.t{{animation:{whole:.1f}s step-end infinite}}"
        f".t{{animation-name:t;animation-timing-function:linear}}{played}}}"
        f"@keyframes t{{0%{{transform:scaleX(0)}}{moment(count - 1)}{{transform:none}}}}{keys}"
    )
