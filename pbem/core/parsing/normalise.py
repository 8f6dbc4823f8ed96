"""Plain text from the body of a mail. No later pattern takes long on text of this size."""

import re
import unicodedata

MAX_LINES = 400
MAX_LINE = 998  # RFC 5322 2.1.1
MAX_PARTS = 20
"""Maximum parts of a longer line. A whole paragraph is one line in format=flowed and HTML."""
QUOTE_MARK = re.compile(r"\s{0,8}[>|]")
_SPACES = "\t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_INVISIBLE = (
    "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e\u206f"
    "\ufeff\ufff9\ufffa\ufffb\ufffc\ufffe\uffff"
)
_SMART = {
    "'": "\u2018\u2019\u201a\u201b\u2032",
    '"': "\u201c\u201d\u201e\u201f\u2033",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
    "...": "\u2026",
    "<=": "\u2264",
}
_BREAKS = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_BOLD = re.compile(r"(?<![\w*])\*(\S(?:[^*\n]{0,200}\S)?)\*(?![\w*])")
_LONE_DASH = re.compile("(?m)^[\u2014\u2015] ?$")


_PLAIN: dict[int, str | None] = {
    **dict.fromkeys([*range(10), *range(11, 32), *range(127, 160), *map(ord, _INVISIBLE)]),
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
    **dict.fromkeys(map(ord, _SPACES), " "),
    **{ord(sign): plain for plain, signs in _SMART.items() for sign in signs},
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},  # full-width ASCII
}
"""Spaces become ` `, smart punctuation and full-width letters ASCII; invisible signs and controls go."""


def normalise(text: str) -> str:
    """Return at most 400 lines of 998 plain signs. The stars of `*bold*` are removed."""
    lines = _BREAKS.sub("\n", text).split("\n", MAX_LINES)[:MAX_LINES]
    capped = "\n".join([part for line in lines for part in _split_long_line(line)][:MAX_LINES])
    capped = _LONE_DASH.sub("--", capped)
    plain = unicodedata.normalize("NFC", capped).translate(_PLAIN)
    plain = _BOLD.sub(r"\1", plain)
    return "\n".join(line[:MAX_LINE].rstrip() for line in plain.split("\n"))


def _split_long_line(line: str) -> list[str]:
    """A line, or its parts if too long. A quoted line, or one without spaces, is cut."""
    if len(line) <= MAX_LINE or QUOTE_MARK.match(line):
        return [line[:MAX_LINE]]
    rest = line[: MAX_LINE * MAX_PARTS]
    parts: list[str] = []
    while len(rest) > MAX_LINE and (space := rest.rfind(" ", 1, MAX_LINE)) > 0:
        parts.append(rest[:space])
        rest = rest[space:].lstrip(" ")
    parts.append(rest[:MAX_LINE])
    return parts
