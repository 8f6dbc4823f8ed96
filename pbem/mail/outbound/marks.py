"""A rendered letter with its marks -> its text and its HTML.

A template is laid out as the text part is: paragraphs stand apart by blank lines, set-in lines are a
list. What text cannot show is marked, and docs/mail.md lists the marks. They become control signs as
a template is loaded, so that nothing a player wrote can be one. Values only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from textwrap import wrap
from urllib.parse import quote

from jinja2.ext import Extension
from markupsafe import Markup, escape

from pbem.core.parsing.line import MoveReader, any_reader
from pbem.core.parsing.reply_text import MARKER
from pbem.mail.outbound.inline_css import Dress, dressed
from pbem.mail.outbound.text_layout import BULLET, KEPT, LIKE_A_PLAN, as_is, clean, guarded
from rules import RULES

TITLE, PART, FOOT, PAPER, SCREEN = "\x03", "\x04", "\x05", "\x06", "\x07"
"""Begin a line: the letter's heading, one of its parts', where the foot begins, what only the text has
and what only the HTML has."""
WRITE, WROTE, MOVE, MOVED, STRONG, WEAK, LOUD, QUIET = "\x0e\x0f\x10\x11\x12\x13\x14\x15"
LINK, NAMED, LINKED, SUBJECT = "\x16\x17\x18\x19"
JOINED, SMALL, PRESS = "\x1a\x1b\x1c"
"""SMALL begins a line that our own small letter begins, PRESS a link that only the HTML has."""

_TOKENS = re.compile(r"\{[{%#].*?[}%#]\}|`|\*\*|^(?=[a-z])", re.DOTALL | re.MULTILINE)
_LINES = ((r"## ", PART), (r"# ", TITLE), (r"\| ", PAPER), (r"---$", FOOT))
_ADDRESS = re.compile(r"\{\{ site \}\}(?:/(?:\{\{[^}]*\}\}|\w+))*")
_CAPITALS = re.compile(f"([{TITLE}{PART}{STRONG}])([A-Z]{{2,}}(?: [A-Z]{{2,}})*)\\b")
_LINK = re.compile(f"{LINK}(.*?){NAMED}(?:https?://)?(.*?){LINKED}", re.DOTALL)
_PRESS = re.compile(f"{PRESS}.*?{LINKED}", re.DOTALL)
_UNBROKEN = re.compile(f"[{WRITE}{MOVE}{LINK}][^{WROTE}{MOVED}{LINKED}]*")
_PAGE = re.compile(r"([^:]+): +(https?://(\S+))")
_PLY = re.compile(r"(ply|plan|left with a ply)\b[^:]*:")
_FACT = re.compile(r"[^\s:][^:]{0,24}: {2,}")
_UNSEEN = MOVE + MOVED + STRONG + WEAK + LOUD + QUIET + SMALL
_QUOTES = str.maketrans({WRITE: '"', WROTE: '"'} | dict.fromkeys(_UNSEEN))
_APART = re.compile(r"(?m)^(  \* .*(?:\n    .*)*)\n{2,}(?=  \* )")
"""The point of a list, and blank lines between it and the next."""
HTML_WIDTH = 72
"""Columns of a line of HTML before its tags are in it; a line must not be long (RFC 5322 2.1.1)."""


class Marking(Extension):
    """Turns the marks of a template into control signs as it is loaded."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return marked(source)


def marked(source: str) -> str:
    """The source of a template with a control sign for each mark."""
    pairs = {"`": (WRITE, WROTE), "**": (STRONG, WEAK)}
    opened = dict.fromkeys(pairs, 0)

    def sign(found: re.Match[str]) -> str:
        if found[0] not in pairs:
            return found[0] or SMALL
        opened[found[0]] ^= 1
        return pairs[found[0]][1 - opened[found[0]]]

    source = _ADDRESS.sub(lambda found: link(found[0], found[0]), source)
    for mark, control in _LINES:
        source = re.sub(f"(?m)^{mark}", control, source)
    return _CAPITALS.sub(f"\\1{LOUD}\\2{QUIET}", _TOKENS.sub(sign, source))


# ----------------------------------------------------------------------- what templates may call


def move(ply: object) -> str:
    """A played move: plain in the text, set off in HTML."""
    return f"{MOVE}{ply}{MOVED}"


def loud(words: str) -> str:
    """Words in capitals in the text, with one capital in HTML."""
    return f"{LOUD}{words.upper()}{QUIET}"


def write(words: object) -> str:
    """Words that a reader may write, as between backticks."""
    return f"{WRITE}{words}{WROTE}"


def link(name: object, address: str) -> str:
    """Words that are a link in HTML."""
    return f"{LINK}{address}{NAMED}{name}{LINKED}"


def press(name: object, address: str) -> str:
    """A link behind a sentence, for the HTML alone."""
    return f"{PRESS} {link(name, address)}"


def both(text: str, html: str) -> str:
    """One thing in two forms, each of which stays as it is."""
    return f"{as_is(text)}\n{screen(html)}"


def screen(html: str) -> str:
    """Lines for the HTML part only."""
    return "\n".join(f"{SCREEN}{line}" for line in html.split("\n"))


def paper(text: str) -> str:
    """Prose that only the text part has."""
    return "\n".join(f"{PAPER}{line}" for line in text.split("\n"))


# ------------------------------------------------------------------------------------- both forms


def text_of(rendered: str) -> str:
    """The text part before its lines are set."""
    lines = (line for line in rendered.split("\n") if not line.startswith((SCREEN, FOOT)))
    bare = "\n".join(line.lstrip(TITLE + PART + PAPER) for line in lines)
    return re.sub(f"{LINK}.*?{NAMED}|{LINKED}", "", _PRESS.sub("", bare)).translate(_QUOTES)


def html_of(rendered: str, subject: str, reader: MoveReader | None, rules: Dress) -> tuple[Markup, Markup]:
    """The letter and its foot; the subject is the heading where the letter has none of its own."""
    one_list = _APART.sub(r"\1\n", rendered)
    lines = [line for line in one_list.split("\n") if not line.startswith((KEPT, PAPER, MARKER))]
    end = lines.index(FOOT) if FOOT in lines else len(lines)
    if not any(line.startswith(TITLE) for line in lines):
        lines[:0], end = [TITLE + subject], end + 1
    letter, foot = (
        Markup("\n".join(_blocks(some, reader, rules))) for some in (lines[:end], lines[end + 1 :])
    )
    return letter, foot


def piece_of_html(rendered: str, rules: Dress) -> Markup:
    """The HTML form of what one call gave, for a template that is HTML itself."""
    lines = [line for line in rendered.split("\n") if not line.startswith((KEPT, PAPER))]
    if any(line.startswith(SCREEN) for line in lines):
        return Markup("\n".join(_blocks(lines, None, rules)))
    return Markup(dressed(_inline("\n".join(lines)), rules))


def finished(html: str, subject: str) -> str:
    """The HTML part with its subject in the links that begin an answer, and without controls."""
    return clean(html.replace(SUBJECT, quote(f"Re: {subject}", safe="")))


def _blocks(lines: Iterable[str], reader: MoveReader | None, rules: Dress) -> Iterator[str]:
    """Each block as HTML, dressed. A paragraph goes on from a heading with a capital."""
    goes_on = False
    for kind, group in groupby(lines, _kind):
        if kind == "screen":
            yield from (line.removeprefix(SCREEN) for line in group)
        elif kind in ("h1", "h2"):
            for line in group:
                goes_on = line.endswith(":")
                yield dressed(f"<{kind}>{_guarded(line[1:].rstrip(':. '), reader)}</{kind}>", rules)
        elif kind == "p":
            words = " ".join(group)
            if goes_on and words.startswith(SMALL):
                words = words[1].upper() + words[2:]
            yield dressed(f"<p>{_guarded(words, reader)}</p>", rules)
        elif kind == "list":
            yield dressed(_list(list(group), reader), rules)
        goes_on &= kind in ("h1", "h2")


def _kind(line: str) -> str:
    if not line.strip():
        return "blank"
    signs = {SCREEN: "screen", TITLE: "h1", PART: "h2", " ": "list"}
    return signs.get(line[0], "p")


def _guarded(words: str, reader: MoveReader | None) -> str:
    """Words as HTML, with a label before what could be taken for an order.

    A word to write that they begin with stands in quotation marks. In a letter about no game, what looks
    like a plan is one only if a game that is played here reads it.
    """
    said = text_of(words)
    if reader is None and LIKE_A_PLAN.match(said):
        reader = _reader_of_all_games()
    words = re.sub(f"^{WRITE}[^{WROTE}]*{WROTE}", r'"\g<0>"', words.replace(SMALL, ""))
    return _inline(guarded(said, reader).removesuffix(said) + words)


@cache
def _reader_of_all_games() -> MoveReader:
    return any_reader([rules.start().read for rules in RULES.values()])


def _inline(words: str) -> str:
    """One line of words as HTML, in lines that are not long."""
    joined = _UNBROKEN.sub(lambda found: found[0].replace(" ", JOINED), words)
    lines = wrap(joined, HTML_WIDTH, break_long_words=False, break_on_hyphens=False)
    html = str(escape("\n".join(lines))).replace(JOINED, " ")
    html = re.sub(f"{LOUD}(.*?){QUIET}", lambda found: found[1].capitalize(), html)
    html = _LINK.sub(r'<a href="\1">\2</a>', html.replace(PRESS, ""))
    for signs, tag in ((WRITE + MOVE, "<code>"), (WROTE + MOVED, "</code>"), (STRONG, "<b>"), (WEAK, "</b>")):
        html = re.sub(f"[{signs}]", tag, html)
    return html


def _list(lines: list[str], reader: MoveReader | None) -> str:
    """Set-in lines as a list: of points, of plies, or of facts with their labels."""
    items = _items(lines)
    if all(item[0].startswith(BULLET) for item in items):
        return _points([_guarded(" ".join(item).removeprefix(BULLET), reader) for item in items])
    first, shown = text_of(items[0][0]), [_item(item, reader) for item in items]
    if _PLY.match(first):
        return _points(shown, "moves", "ply")
    return _points(shown, "facts" if _FACT.match(first) else "")


def _items(lines: list[str]) -> list[list[str]]:
    """Lines that stand further in than the first belong to the one above."""
    items: list[list[str]] = []
    least = min(len(line) - len(line.lstrip()) for line in lines)
    for line in lines:
        if items and line[least] == " " and not line.lstrip().startswith(BULLET):
            items[-1].append(line.strip())
        else:
            items.append([line.strip()])
    return items


def _item(lines: list[str], reader: MoveReader | None) -> str:
    page = _PAGE.fullmatch(lines[0])
    first = f"{page[1]}: {link(page[3], page[2])}" if page else _in_one_row(lines[0])
    return "<br>\n".join(_guarded(words, reader) for words in (first, " ".join(lines[1:])) if words)


def _in_one_row(line: str) -> str:
    """A line of columns with commas between them."""
    return re.sub(r"(?<![:.]) {2,}", ", ", re.sub(r"(?<=[:.]) {2,}", " ", line))


def _points(items: Iterable[str], kind: str = "", each: str = "") -> str:
    opened, item = (f' class="{name}"' if name else "" for name in (kind, each))
    return "\n".join([f"<ul{opened}>", *(f"<li{item}>{words}</li>" for words in items), "</ul>"])
