"""Whether a line may be the rest of the one above it, broken off by a mail program. Values only."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

WRAPPED_BEYOND = 60
"""Columns; a program that breaks lines may have broken one that would be wider with the next word on it."""
SOFT = " "
"""At the end of a line: it goes on in the next one, as in format=flowed (RFC 3676 4.2)."""

WORDS_MET = 5
"""Words on each side of a line's end by which it is found in another part."""


def runs_on(above: str, text: str) -> bool:
    """Whether `text` may be the rest of the line directly above it."""
    if not above.strip() or not text.strip():
        return False
    return above.endswith(SOFT) or width(above.strip()) + 1 + width(text.split()[0]) > WRAPPED_BEYOND


def may_run_on(words: str) -> bool:
    """Whether any line stands directly below another."""
    lines = words.split("\n")
    return any(above.strip() and line.strip() for above, line in pairwise(lines))


def with_soft_ends(words: str, shown: str) -> str:
    """The words, with a space at the end of each line that goes on in the next one where they are `shown`."""
    paragraphs = "\n".join(f" {' '.join(line.split())} " for line in shown.split("\n") if line.strip())
    lines = words.split("\n")
    for at, (above, line) in enumerate(pairwise(lines)):
        met = [*above.split()[-WORDS_MET:], *line.split()[:WORDS_MET]]
        if above.strip() and line.strip() and f" {' '.join(met)} " in paragraphs:
            lines[at] = f"{above}{SOFT}"
    return "\n".join(lines)


def width(text: str) -> int:
    """Columns that a text takes: signs of Chinese, Japanese and Korean take two."""
    return len(text) + sum(unicodedata.east_asian_width(sign) in "WF" for sign in text if sign > "\u10ff")
