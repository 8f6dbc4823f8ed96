"""Recognition of lines that a mail program has wrapped."""

import unicodedata
from collections.abc import Iterable
from itertools import pairwise

WRAPPED_BEYOND = 60
"""In columns. A program may have wrapped a line that the next word would make wider."""
SOFT_END = " "
"""The end of a line that continues (format=flowed, RFC 3676 4.2)."""
WORDS_COMPARED = 5
"""Words on each side of a line's end that identify it elsewhere."""


def may_continue(above: str, text: str) -> bool:
    if not above.strip() or not text.strip():
        return False
    return above.endswith(SOFT_END) or width(above.strip()) + 1 + width(text.split()[0]) > WRAPPED_BEYOND


def has_adjacent_lines(words: str) -> bool:
    lines = words.split("\n")
    return any(above.strip() and line.strip() for above, line in pairwise(lines))


def mark_soft_ends(words: str, shown: str) -> str:
    """The words, with a space where lines continue in `shown`."""
    paragraphs = "\n".join(f" {' '.join(line.split())} " for line in shown.split("\n") if line.strip())
    lines = words.split("\n")
    for at, (above, line) in enumerate(pairwise(lines)):
        met = [*above.split()[-WORDS_COMPARED:], *line.split()[:WORDS_COMPARED]]
        if above.strip() and line.strip() and f" {' '.join(met)} " in paragraphs:
            lines[at] = f"{above}{SOFT_END}"
    return "\n".join(lines)


def has_words_of(words: str, pieces: Iterable[str]) -> bool:
    """True if a piece stands in `words`, at whatever spaces."""
    whole = f" {' '.join(words.split())} "
    return any(f" {' '.join(piece.split())} " in whole for piece in pieces if piece.strip())


def width(text: str) -> int:
    """The columns of a text: Chinese, Japanese and Korean signs take two."""
    return len(text) + sum(unicodedata.east_asian_width(sign) in "WF" for sign in text if sign > "\u10ff")
