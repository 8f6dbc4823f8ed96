"""The postcard of a game for link previews, always in light colours: SVG, or PNG with its library."""

import re
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from textwrap import wrap

from rules.looks import COLOURS

WIDTH, HEIGHT = 1200, 630

_COLOUR = re.compile(r"var\(--([\w-]+)(?:,[^)]*)?\)")
_MORE = {"soft": "#474C57"}


def plain_colours(drawn: str) -> str:
    return _COLOUR.sub(lambda found: _MORE.get(found[1]) or COLOURS[found[1]][0], drawn)


def fitting_size(words: str, width: float, size: float, letter: float = 0.56) -> str:
    """The largest font size, up to `size`, at which `words` fit."""
    return f"{min(size, width / (letter * max(len(words), 1))):.1f}"


def wrap_lines(words: str, width: int, most: int) -> list[str]:
    """The words in at most `most` lines, cut with an ellipsis."""
    lines = wrap(words, width)
    return lines if len(lines) <= most else [*lines[: most - 1], lines[most - 1][: width - 2] + " …"]


@cache
def has_png_library() -> bool:
    return find_spec("resvg_py") is not None


def render_png(drawn: str) -> bytes:
    """A PNG of a drawing; needs the library of `has_png_library`."""
    resvg = import_module("resvg_py")
    return bytes(
        resvg.svg_to_bytes(
            svg_string=drawn,
            serif_family="DejaVu Serif",
            sans_serif_family="DejaVu Sans",
            monospace_family="DejaVu Sans Mono",
        )
    )
