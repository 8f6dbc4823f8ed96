"""Turns rendered text into a letter's lines: filled, narrow and harmless.

Prose at the left margin is filled to 72 columns; an indented line is wrapped under itself where it is too
long; a line after KEPT stays. No line, quoted back, reads as an order, begins a quotation, or is mangled.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from pbem.core.parsing.commands import GAME
from pbem.core.parsing.line import MoveReader, read_line
from rules.notation import is_prose

WIDTH, NARROW = 72, 40
"""Columns of a letter, and of one for a line of braille."""
LAID_OUT = 60
"""Maximum columns of boards and tables, to fit a telephone held sideways and a mail program's pane."""
NARROWEST = 44
"""Widths tried, from 72 down, until no line of a paragraph could be taken for an order."""
HARD_BREAK = 60
"""A player's line of this length was broken by the mail program, if it does not end a paragraph."""

KEPT, LINE_END = "\x01\x08"
"""Begins a rendered line that is to stay as it is, and stands for line ends in it; no text from outside
holds them."""

MANGLED = ("From ", ".", ">", "|", "--")
"""Beginnings that no line may have: mbox files, SMTP, mail programs or our reader change or misread them."""

BULLET = "* "
HANGING = 4
"""Extra indent, in columns, of the continuation of a long line that has the least indent."""

MAX_CELL = 6
"""Maximum characters of a cell's name on any board."""

SAFE_LABEL = "here:"
"""Stands before a line that would be an order at every width: a list of nothing but cells."""

LIKE_A_PLAN = re.compile(r"if\b.{1,900}\bthen\b", re.IGNORECASE)
"""Text that may be a plan in some game; only a reader of that game's moves can tell."""

JOINED = "\x02"
"""Stands for a space at which no line is broken."""
MAX_LINK = 200
"""Columns of a link that is not broken where lines are narrow."""
LINK = re.compile(r"https?://|mailto:")
LABEL = re.compile(r"([^\s:][^:]{0,24}:)( {2,})")
"""The label of a line in a list of facts, with the gap that aligns its words with those of other lines."""
_QUOTATION = re.compile(r'"[^"]{1,40}"')

_ASCII_CONTROLS = bytes(n for n in (*range(32), 127) if n not in b"\t\n")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


def clean(text: str) -> str:
    """`text` without controls, newlines and tabs apart."""
    if text.isascii():  # most are, and this takes a fifth of the time
        raw = text.encode()
        return text if len(raw.translate(None, _ASCII_CONTROLS)) == len(raw) else _CONTROLS.sub("", text)
    return text if text.replace("\n", "").isprintable() else _CONTROLS.sub("", text)


def page(rendered: str, reader: MoveReader | None, width: int = WIDTH) -> str:
    """Return a rendered letter's lines laid out, without double blank lines, and with a final newline."""
    lines: list[str] = []
    for kind, group in groupby(rendered.split("\n"), _kind):
        if kind == "prose":
            lines += _paragraph(" ".join(line.strip() for line in group), reader, width)
        elif kind == "blank":
            lines += [""] if lines else []
        elif kind == "kept":
            kept = LINE_END.join(line.removeprefix(KEPT) for line in group)
            lines += [line.rstrip() for line in kept.split(LINE_END)]
        else:
            lines += [set_line for item in _items(group) for set_line in _indented(item, reader, width)]
    return "\n".join(lines).replace(JOINED, " ").rstrip("\n") + "\n"


@lru_cache(1024)  # letters share most of their paragraphs
def _paragraph(text: str, reader: MoveReader | None, width: int) -> Sequence[str]:
    return tuple(wrap_harmless(text, reader, width))


def _kind(line: str) -> str:
    return {KEPT: "kept", "": "blank", " ": "indented"}.get(line.rstrip()[:1], "prose")


def _items(group: Iterable[str]) -> list[str]:
    """Return indented lines, joining to each `* ` item the lines that continue it below."""
    items: list[str] = []
    for line in group:
        if items and items[-1].lstrip().startswith(BULLET) and _indent(line) > _indent(items[-1]):
            items[-1] += f" {line.strip()}"
        else:
            items.append(line.rstrip())
    return items


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _indented(line: str, reader: MoveReader | None, width: int) -> list[str]:
    """Wrap a too long indented line under its own indent, without breaking a link."""
    if columns(line) <= width:
        return [line]
    bare = line.strip()
    if LINK.search(bare) and " " not in bare:
        return [line]
    bullet = BULLET if bare.startswith(BULLET) else ""
    indent = " " * _indent(line)
    under = indent + " " * (len(bullet) or (HANGING if len(indent) == 2 else 0))
    gap = width > NARROW  # there is no room to align words with those of other lines
    bare = LABEL.sub(
        lambda label: label[1] + (JOINED * len(label[2]) if gap else " "), bare.removeprefix(bullet), count=1
    )
    first, *rest = wrap_harmless(bare, reader, width - len(under))
    return [f"{indent}{bullet}{first}", *(f"{under}{text}" for text in rest)]


def wrap_harmless(text: str, reader: MoveReader | None, width: int = WIDTH) -> list[str]:
    """Wrap `text` at `width` columns without lines like orders.

    A break can cut an example out of its sentence (`write` / `f2 f4`); the first width without that counts.
    """
    text, whole = _QUOTATION.sub(lambda found: found[0].replace(" ", JOINED), text), width <= NARROW
    for narrower in range(width, min(width, NARROWEST) - 1, -1):
        lines = [line.replace(JOINED, " ") for line in wrap_at_spaces(text, narrower, whole=whole)]
        if all(_is_harmless(line, reader) for line in lines):
            return lines
    short = wrap_at_spaces(text.replace(JOINED, " "), width - len(SAFE_LABEL) - 1, whole=whole)
    return [safe_label(line, reader) + line for line in short]


def safe_label(line: str, reader: MoveReader | None) -> str:
    """Return a label if the line could be an order, or ""."""
    return "" if _is_harmless(line, reader) else f"{SAFE_LABEL} "


@lru_cache(4096)  # a paragraph is tried at many widths, and letters share most of their lines
def _is_harmless(line: str, reader: MoveReader | None) -> bool:
    """True if nobody takes the line for an order. Without a reader any line of cells may be one."""
    if line.startswith(MANGLED) or GAME.fullmatch(line) or read_line(line, reader) is not None:
        return False
    if reader is None and LIKE_A_PLAN.match(line):
        return False
    return reader is not None or any(is_prose(word) or len(word) > MAX_CELL for word in line.split())


def wrap_at_spaces(text: str, width: int, *, whole: bool = False) -> list[str]:
    """Wrap `text` at `width` columns, at spaces. A longer word breaks wherever it must, no `whole` link."""
    lines: list[str] = []
    line, used = "", 0
    for word, size in _pieces(text, width, whole=whole):
        if line and used + 1 + size > width:
            lines.append(line)
            line, used = "", 0
        line, used = (f"{line} {word}", used + 1 + size) if line else (word, size)
    return [*lines, line] if line else lines


def _pieces(text: str, width: int, *, whole: bool) -> Iterator[tuple[str, int]]:
    for word in text.split():
        size = columns(word)
        if size <= width or (whole and size <= MAX_LINK and LINK.match(word)):
            yield word, size
            continue
        piece, used = "", 0
        for sign in word:
            wide = columns(sign)
            if used + wide > width:
                yield piece, used
                piece, used = "", 0
            piece, used = piece + sign, used + wide
        yield piece, used


def columns(text: str) -> int:
    """Return the width of `text` in columns. A wide East Asian sign has two, a combining mark none."""
    if text.isascii():
        return len(text)
    shown = (sign for sign in text if not unicodedata.combining(sign))
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in shown)


def label_for(name: str) -> str:
    """Return the label before each line: `Bill:` or `f2 says:`. `f2:` could begin a move."""
    return f"{name} says:" if any(map(str.isdigit, name)) else f"{name}:"


def labelled(text: str, label: str, width: int = LAID_OUT - 2) -> list[str]:
    """Put `label` on every line of a player's text, so that none is an order; diagrams stay as they are."""
    room = width - columns(label) - 1
    lines: list[str] = []
    for paragraph in unbroken(text):
        fits = "  " in paragraph and columns(paragraph) <= room
        parts = [paragraph] if fits else wrap_at_spaces(paragraph, room, whole=width <= NARROW)
        lines += [f"{label} {part}" for part in parts] or [""]
    return lines


def unbroken(text: str) -> list[str]:
    """Return the lines as a player typed them, with single blank lines and none at the ends."""
    joined: list[str] = []
    goes_on = False
    for line in clean(text).split("\n"):
        line = line.expandtabs(4).rstrip()
        if goes_on and line and not line.startswith((" ", "-", "*")) and "  " not in line:
            joined[-1] += f" {line}"
        elif line or any(joined[-1:]):
            joined.append(line)
        goes_on = columns(line) >= HARD_BREAK and "  " not in line
    return joined if any(joined[-1:]) else joined[:-1]


def indented(lines: Sequence[str], indent: str = "  ") -> str:
    return "\n".join(f"{indent}{line}".rstrip() for line in lines)
