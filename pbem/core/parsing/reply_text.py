"""The player's own words in a mail.

Quotes, signatures and our letters are removed. A line is cut to 998 characters and a text to 400 lines before
any pattern is applied, and all patterns are anchored and linear, so that no text can take long. Phrases of
mail programs are in `pbem.core.parsing.client_phrases`.
"""

import re
import unicodedata
from collections.abc import Sequence

from pbem.core.parsing.client_phrases import (
    ADDRESS,
    ATTRIBUTION_OPENINGS,
    DISCLAIMER_WORDS,
    FOOTER,
    FOOTER_SHORTEST,
    FORWARDED_LINES_PATTERN,
    HEADER_LABELS,
    MACHINE_NAMES,
    MOMENT,
    PIECE_SEPARATORS,
    PIECE_WORDS,
    SIGNATURE,
    SIGNATURE_LONGEST,
    WROTE_VERBS,
)
from pbem.core.redact import without_secrets

MARKER = "##- write your move above this line -##"
"""The marker line in both parts of all our letters."""

MAX_LINES = 400
MAX_LINE = 998  # RFC 5322 2.1.1
MAX_PARTS = 20
"""Maximum parts of a longer line. A whole paragraph is one line in format=flowed and HTML."""

# Normalising.

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


def _plain_signs() -> dict[int, str | None]:
    table: dict[int, str | None] = dict.fromkeys([*range(10), *range(11, 32), *range(127, 160)])
    table |= dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
    table |= {ord(sign): " " for sign in _SPACES}
    table |= {ord(sign): None for sign in _INVISIBLE}
    table |= {ord(sign): plain for plain, signs in _SMART.items() for sign in signs}
    table |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}  # full-width ASCII
    return table


_PLAIN = _plain_signs()


def normalise(text: str) -> str:
    """At most 400 lines of 998 characters, with plain signs.

    No-break and other spaces become spaces, invisible signs and controls go, smart punctuation and full-width
    letters become ASCII, `*bold*` loses its stars. Case and spacing stay.
    """
    lines = _BREAKS.sub("\n", text).split("\n", MAX_LINES)[:MAX_LINES]
    capped = "\n".join([part for line in lines for part in _split_long_line(line)][:MAX_LINES])
    capped = _LONE_DASH.sub("--", capped)
    plain = unicodedata.normalize("NFC", capped).translate(_PLAIN)
    plain = _BOLD.sub(r"\1", plain)
    return "\n".join(line[:MAX_LINE].rstrip() for line in plain.split("\n"))


def _split_long_line(line: str) -> list[str]:
    """A line, or its parts if too long. A quoted line, or one without spaces, is cut."""
    if len(line) <= MAX_LINE or _QUOTED.match(line):
        return [line[:MAX_LINE]]
    rest = line[: MAX_LINE * MAX_PARTS]
    parts: list[str] = []
    while len(rest) > MAX_LINE and (space := rest.rfind(" ", 1, MAX_LINE)) > 0:
        parts.append(rest[:space])
        rest = rest[space:].lstrip(" ")
    parts.append(rest[:MAX_LINE])
    return parts


# The player's own words.


OWN = ""
QUOTED = "quoted"
INTRODUCES = "introduces the quote below it"
LETTER = "introduces a letter that is not marked as quoted: it and all below it are left out"
AT_MARKER = "our marker line: it and all below it are our letter"
SIGNS = "a signature or footer: it and all below it are left out"
SIGNS_ABOVE = "a signature above a quote"
BELOW = "below what ends the words"
"""Kinds of lines; `""` is the player's own."""


def split_words(text: str) -> tuple[str, str, bool]:
    """(the player's own words, words lost to a signature, marker found).

    The second holds words in or below a signature that are neither a machine's nor a letter's: nobody gets
    them, so the player is told of them.
    """
    sorted_out, marked = classify_lines(text)
    words = _tidy([line if why == OWN else "" for line, why in sorted_out if why in (OWN, QUOTED)])
    at = next((n for n, (_, why) in enumerate(sorted_out) if why in (SIGNS, SIGNS_ABOVE)), len(sorted_out))
    return (
        words,
        _lost_words([line for line, why in sorted_out[at:] if why in (SIGNS, SIGNS_ABOVE, BELOW)]),
        marked,
    )


def _lost_words(lines: Sequence[str]) -> str:
    kept: list[str] = []
    markers, width = _markers(lines), _wrap_column(lines)
    at, why = 0, OWN
    while at < len(lines) and why not in (LETTER, AT_MARKER):
        after, why = _classify_line(lines, at, markers, width, True)
        if why == OWN or _is_disclaimer(lines, at):
            kept += lines[at:after]
        at = after
    return _tidy(kept)


def classify_lines(text: str) -> tuple[list[tuple[str, str]], bool]:
    """Every line with its kind, and True if a marker was found."""
    lines = _with_usual_marks([line[:MAX_LINE].rstrip() for line in text.split("\n", MAX_LINES)[:MAX_LINES]])
    markers, width = _markers(lines), _wrap_column(lines)
    found: list[tuple[str, str]] = []
    any_own, why = False, OWN
    at = 0
    while at < len(lines) and why not in ENDS:
        after, why = _classify_line(lines, at, markers, width, any_own)
        if why == AT_MARKER and (before := lines[at].partition("##")[0]):
            found.append((before, OWN))
        found += [(line, why) for line in lines[at:after]]
        any_own = any_own or (why == OWN and bool(lines[at]))
        at = after
    return found + [(line, BELOW) for line in lines[at:]], bool(markers)


ENDS = frozenset({LETTER, AT_MARKER, SIGNS})


def _classify_line(
    lines: Sequence[str], at: int, markers: dict[int, int], width: int, any_own: bool
) -> tuple[int, str]:
    after = _after_quote(lines, at, markers, width)
    if after is not None:
        return after, QUOTED
    if at in markers:
        return markers[at], AT_MARKER
    after = _introduction(lines, at)
    if after > at:
        return after, INTRODUCES if _quote_follows(lines, after) else LETTER
    if not _is_signature(lines, at):
        return at + 1, OWN
    below = next((n for n in range(at, len(lines)) if _is_quoted(lines[n])), None)
    if any_own or (below is None and lines[at].strip() == "--"):
        return at + 1, SIGNS
    return (at + 1 if below is None else below), SIGNS_ABOVE


def _tidy(lines: Sequence[str]) -> str:
    """The lines without blank ones at both ends or two together."""
    kept: list[str] = []
    for line in lines:
        if line.strip() or (kept and kept[-1]):
            kept.append(line.rstrip())
    return "\n".join(kept).strip("\n")


def first_lines(words: str, most: int = 5) -> list[str]:
    """The first lines with text, cut to 72 characters each. They show a player what was found."""
    filled = [line.strip() for line in without_secrets(words).split("\n") if line.strip()]
    return [line if len(line) <= 72 else f"{line[:69]}..." for line in filled[:most]]


# Marker and quotes.

_QUOTED = re.compile(r"\s{0,8}[>|]")
_GROUPWISE = re.compile(r">>> ?[^>].{2,300}[^>] ?>>>$")
_SQUASHED_OUT = re.compile(r"[\s>|*_]+")
_SQUASHED_MARKER = "-writeyourmoveabovethisline-"
WRAPPED_AT = 70
"""Programs that wrap quoted lines do so here or farther right."""
LETTER_WIDTH = 78
NARROW_QUOTE, NARROWEST, NARROW = 5, 20, 44
"""The size of a quote that reveals its program's wrapping width.

Lines in it, its widest line at least and at most. Our letters are wider.
"""


def _markers(lines: Sequence[str]) -> dict[int, int]:
    """Beginnings of marker lines with the next line after each. They may be wrapped, quoted or indented."""
    found: dict[int, int] = {}
    for at, line in enumerate(lines):
        if "##" not in line and "write" not in line.lower():
            continue
        squashed = [_SQUASHED_OUT.sub("", part).lower() for part in lines[at : at + 4]]
        start = "".join(squashed).find(_SQUASHED_MARKER)
        if not 0 <= start < len(squashed[0]):
            continue
        end, length = at, 0
        while length < start + len(_SQUASHED_MARKER):
            length += len(squashed[end - at])
            end += 1
        while end < len(lines) and end - at < 4 and _SQUASHED_OUT.sub("", lines[end]) in ("#", "##"):
            end += 1
        found[at] = end
    return found


_INITIALS = re.compile(r"\s{0,8}([^\W\d_][\w.-]{0,19}>) ?##- write", re.IGNORECASE)


def _with_usual_marks(lines: list[str]) -> list[str]:
    """The lines, with prefixes such as `B> ` replaced by `>`.

    The Bat! and Supercite quote so; our own marker line shows which prefix this mail has.
    """
    found = next(filter(None, map(_INITIALS.match, lines)), None)
    if found is None:
        return lines
    mark = found[1]
    return [f">{bare[len(mark) :]}" if (bare := line.lstrip()).startswith(mark) else line for line in lines]


def _is_quoted(line: str) -> bool:
    return _QUOTED.match(line) is not None


def _after_quote(lines: Sequence[str], at: int, markers: dict[int, int], width: int) -> int | None:
    """The line after the quoted one at `at`, or None.

    A wrapped marker in a quote may continue without a quote mark; so may the last words of a long quoted
    line: short lines between two quoted ones.
    """
    line = lines[at]
    if not _is_quoted(line):
        return None
    if _GROUPWISE.match(line) and not _quote_follows(lines, at + 1):
        return len(lines)
    after = max(at + 1, markers.get(at, 0))
    for always in (True, False) if width <= NARROW else (False,):
        end = _after_wrapped_rest(lines, after, line, width, always)
        closed = end < len(lines) and _is_quoted(lines[end])
        if closed or (width < WRAPPED_AT and not always):
            return end
    return after


def _after_wrapped_rest(lines: Sequence[str], at: int, line: str, width: int, always: bool) -> int:
    last, long = line, len(line.lstrip("> |"))
    while at < len(lines) and _is_wrapped(last, lines[at], long, 0 if always else width):
        last = lines[at]
        long += 1 + len(last)
        at += 1
    return at


def _wrap_column(lines: Sequence[str]) -> int:
    """The column where the quoting program wraps: its widest quoted line."""
    widths = [len(line) for line in lines if _is_quoted(line) and " " in line.strip("> |")]
    if len(widths) < NARROW_QUOTE or max(widths) < NARROWEST:
        return WRAPPED_AT
    return min(WRAPPED_AT, max(widths))


def _is_wrapped(line: str, rest: str, long: int, width: int) -> bool:
    """True if `rest` looks like the wrapped end of a quoted `line`.

    It does if its first word would have made the line too wide, and all together (`long`: so far) fit the
    width of our letters. Text below a full stop cannot be told from a line that was broken there. In a quote
    narrower than our boards (`width` 0) it always does.
    """
    if not rest.strip() or _is_quoted(rest) or long + 1 + len(rest) > LETTER_WIDTH:
        return False
    return len(line) + 1 + len(rest.split(maxsplit=1)[0]) > width


def _quote_follows(lines: Sequence[str], at: int) -> bool:
    for line in lines[at:]:
        if line.strip():
            return _is_quoted(line)
    return False


# Introductions of letters.

_RULE = re.compile(r"\s*_{20,}\s*$")
_SEPARATOR = re.compile(r"\s{0,4}([-=~_]{3,}) ?\"?[^\W_]")
_ADDRESS_ALONE = re.compile(r"\s{0,8}[^\s<>@]{1,64}@[^\s<>@]{1,253}$")
_SEPARATOR_ENDS = ("--", "==", "~~", "__")
_LABEL = re.compile(r"[\s*]{0,6}([^\W\d_][^:\n@]{0,30}?)\s{0,2}\*?:\*?(\s|$)?")
HEADER_LINES = 14
ATTRIBUTION_LINES = 3
ATTRIBUTION_LONGEST = 400


def _introduction(lines: Sequence[str], at: int) -> int:
    """The line after an introduction of a letter at `at`, else `at`."""
    line = lines[at]
    if not line.strip():
        return at
    below = next((n for n in range(at + 1, len(lines)) if lines[n].strip()), len(lines))
    if _is_separator(line):
        return max(at + 1, _after_headers(lines, below), _after_attribution(lines, below))
    if _ADDRESS_ALONE.match(line):  # Foxmail puts the writer's own above the header lines
        after = _after_headers(lines, below)
        return after if after > below else at
    return max(_after_headers(lines, at), _after_attribution(lines, at))


def _is_separator(line: str) -> bool:
    """True for separators like `-----Original Message-----`, in any language.

    Also for 20 underscores and `Begin forwarded message:`.
    """
    if _RULE.match(line) or FORWARDED_LINES_PATTERN.match(line.lstrip()):
        return True
    match = _SEPARATOR.match(line)
    if match is None or len(line) > ATTRIBUTION_LONGEST or not line.rstrip(": ").endswith(_SEPARATOR_ENDS):
        return False
    return len(match[1]) > 3 or " message" in line.lower() or WROTE_VERBS.search(line) is not None


def _after_headers(lines: Sequence[str], at: int) -> int:
    """The line after a header block (From, Von, 发件人 …), else `at`."""
    known = labels = loose = 0
    address = False
    end = at
    for number in range(at, min(at + HEADER_LINES, len(lines))):
        line = lines[number][:300]
        match = _LABEL.match(line)
        is_known = bool(match) and match is not None and match[1].strip(" *").lower() in HEADER_LABELS
        if match is not None and (is_known or (match[2] is not None and match[1].count(" ") < 3)):
            known += is_known
            labels += 1
            address = address or "@" in line
            loose = 0
            end = number + 1
        elif number == at or _is_quoted(line) or loose > 1:
            break
        else:
            loose += 1
            end = number + 1 if line.strip() and lines[number - 1].strip() else end
    if known >= 2 or (address and labels >= 2 and (known or labels >= 3)):
        return end
    return at


def _after_attribution(lines: Sequence[str], at: int) -> int:
    """The line after `On … wrote:` at `at`, else `at`. It may take three lines."""
    for count in range(1, ATTRIBUTION_LINES + 1):
        group = lines[at : at + count]
        if len(group) < count or not group[-1].strip() or _is_quoted(group[-1]):
            return at
        if count > 1 and not _may_open_attribution(group[0]):
            return at
        quote_follows = _quote_follows(lines, at + count)
        opens = [ATTRIBUTION_OPENINGS.match(each.lstrip()) for each in group[:2]]
        if count > 1 and opens[1] and not opens[0] and _is_attribution(group[1:], quote_follows):
            return at
        if _is_attribution(group, quote_follows):
            return at + count
    return at


def _may_open_attribution(line: str) -> bool:
    line = line[:300].strip()
    if ATTRIBUTION_OPENINGS.match(line) or ADDRESS.search(line) or line.endswith("<"):
        return True
    return MOMENT.search(line) is not None and ("," in line or "#" in line)


def _is_attribution(group: Sequence[str], quote_follows: bool) -> bool:
    text = " ".join(line.strip() for line in group)
    if len(text) > ATTRIBUTION_LONGEST or not text.endswith((":", ">")):
        return False
    address = ADDRESS.search(text) is not None
    moment = MOMENT.search(text) is not None
    if text.endswith(">"):
        return address and moment and quote_follows
    if (quote_follows and (address or moment)) or (address and moment):
        return True
    return (quote_follows or address or moment) and WROTE_VERBS.search(text) is not None


# Signatures.

PARAGRAPH_LINES = 12


def _is_signature(lines: Sequence[str], at: int) -> bool:
    """True for `-- ` (RFC 3676 4.3), telephones' footers, and disclaimers."""
    bare = lines[at].strip()
    return bare == "--" or is_machine_line(bare) or _is_disclaimer(lines, at)


def is_machine_line(bare: str) -> bool:
    """True if telephones or mail programs wrote the whole line. Each piece of it must name one."""
    if len(bare) > SIGNATURE_LONGEST or not SIGNATURE.match(bare):
        return False
    pieces = [piece for piece in PIECE_SEPARATORS.split(bare) if piece.strip()]
    return all(MACHINE_NAMES.search(piece) and len(piece.split()) <= PIECE_WORDS for piece in pieces)


def _is_disclaimer(lines: Sequence[str], at: int) -> bool:
    bare = lines[at].strip()
    if len(bare) < FOOTER_SHORTEST or not FOOTER.match(bare[:200]):
        return False
    return any(DISCLAIMER_WORDS.search(line[:400]) for line in _paragraph(lines, at))


def _paragraph(lines: Sequence[str], at: int) -> Sequence[str]:
    end = next(
        (n for n in range(at, min(len(lines), at + PARAGRAPH_LINES)) if not lines[n].strip()), len(lines)
    )
    return lines[at : min(end, at + PARAGRAPH_LINES)]
