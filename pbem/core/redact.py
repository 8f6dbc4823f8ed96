"""Removal, in linear time, of secrets and of mail hosts from texts for others."""

import re
from collections.abc import Callable, Sequence
from itertools import islice

_TOKEN_ADDRESS = re.compile(
    r"(?:play|bounce)(?:[+.=-]|%2B)[a-z0-9]{16,64}(?:\s?@\s?[^\s<>\"']{1,255})?", re.IGNORECASE
)
_SECRET_PAGE = re.compile(
    r"(?:(?:unsubscribe|compose|calendar|moments|join|settings/in)/|token_[0-9]{1,12}_)[a-z2-7]{16,64}",
    re.IGNORECASE,
)
_LINK = re.compile(r"\b(?:https?://|mailto:)[^\s<>\"']{1,998}", re.IGNORECASE)
_SECRET = re.compile(r"[A-Za-z0-9_=-]{20}")
_HOST_OF_ADDRESS = re.compile(r"(?<=[^\s@])@(?:[\w-]+\.)*[\w-]*\w")
"""The host of a mail address from `@` on, so that a long word without `@` costs no time."""
HIDDEN_ADDRESS, HIDDEN_LINK = "[address removed]", "[link removed]"


def without_secrets(text: str) -> str:
    """Return `text` without reply addresses and without links that hold a long secret."""
    text = _LINK.sub(lambda link: HIDDEN_LINK if _SECRET.search(link[0]) else link[0], text)
    return _SECRET_PAGE.sub(HIDDEN_LINK, _TOKEN_ADDRESS.sub(HIDDEN_ADDRESS, text))


_ESCAPE = re.compile("%[0-9A-Fa-f]{2}")
"""A sign in a link, such as `%2F`."""
_PIECE = re.compile(r"[A-Za-z2-7]{1,64}")
_KEY_LETTERS = range(16, 65)
"""Lengths of keys, in letters of base 32."""
_DIGIT = re.compile("[2-7]")
"""A digit of base 32. One key in three hundred has none, and is not found if broken into pieces."""
MAX_PIECES, PIECES_JOINED, GAP = 2_000, 64, 4
"""Maximum pieces tried in a text, maximum pieces of one key, maximum characters between two pieces."""


def without_keys(text: str, is_key: Callable[[str], bool]) -> str:
    """Return `text` without keys of reply addresses, also without keys broken by spaces or lines."""
    pieces = list(islice(_PIECE.finditer(_ESCAPE.sub("   ", text)), MAX_PIECES))
    kept, end, at = [], 0, 0
    while at < len(pieces):
        last = _end_of_key(text, pieces, at, is_key)
        if last is None:
            at += 1
            continue
        kept += [text[end : pieces[at].start()], HIDDEN_LINK]
        end, at = pieces[last].end(), last + 1
    return "".join([*kept, text[end:]])


def _end_of_key(
    text: str, pieces: Sequence[re.Match[str]], at: int, is_key: Callable[[str], bool]
) -> int | None:
    """Return the last piece of a key that begins at piece `at`, or None."""
    key = ""
    for number, piece in enumerate(pieces[at : at + PIECES_JOINED], at):
        if number > at and len(text[pieces[number - 1].end() : piece.start()]) > GAP:
            return None
        key += piece[0]
        likely = number == at or _DIGIT.search(key) is not None
        if len(key) in _KEY_LETTERS and likely and is_key(key.lower()):
            return number
        if len(key) >= _KEY_LETTERS.stop:
            return None
    return None


def mask_hosts(words: str) -> str:
    """Return the words without the hosts of mail addresses, since robots read public pages."""
    return _HOST_OF_ADDRESS.sub("@…", words)
