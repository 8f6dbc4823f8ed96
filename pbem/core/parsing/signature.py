"""The signature that a player's program adds to each mail, known by its coming twice."""

import re

MAX_LINES, MAX_LETTERS = 6, 300
_SIGN = re.compile(r"@|www\.|https?:|\d{4}|\+\d|[|\u2022\u00b7]")
"""What a signature has and a greeting has not: an address, a number, a mark between two titles."""


def split_signature(comment: str) -> tuple[str, str]:
    """Split a comment into the words and a last paragraph that may be a signature, or ""."""
    words, _, last = comment.rpartition("\n\n")
    lines = last.strip("\n").split("\n")
    if not 2 <= len(lines) <= MAX_LINES or len(last) > MAX_LETTERS or not _SIGN.search(last):
        return comment, ""
    return words, last.strip("\n")
