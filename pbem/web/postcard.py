"""The postcard of a game: 1200 by 630 units, the size in which others show a link's picture.

It is a file of its own, always on light paper, and a PNG where the library for that is installed.
"""

from __future__ import annotations

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
    """The drawing with the light colours in place of a page's custom properties."""
    return _COLOUR.sub(lambda found: _MORE.get(found[1]) or COLOURS[found[1]][0], drawn)


def fitting(words: str, width: float, size: float, letter: float = 0.56) -> str:
    """The size of the letters in which `words` fit into one line of `width`, at most `size`."""
    return f"{min(size, width / (letter * max(len(words), 1))):.1f}"


def folded(words: str, width: int, most: int) -> list[str]:
    """`words` in at most `most` lines, with an ellipsis where they are longer."""
    lines = wrap(words, width)
    return lines if len(lines) <= most else [*lines[: most - 1], lines[most - 1][: width - 2] + " …"]


@cache
def in_dots() -> bool:
    """Whether the library is installed that draws in dots."""
    return find_spec("resvg_py") is not None


def raster(drawn: str) -> bytes:
    """A PNG of a drawing; wants `in_dots`."""
    resvg = import_module("resvg_py")
    return bytes(
        resvg.svg_to_bytes(
            svg_string=drawn,
            serif_family="DejaVu Serif",
            sans_serif_family="DejaVu Sans",
            monospace_family="DejaVu Sans Mono",
        )
    )
