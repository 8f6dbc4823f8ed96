"""A letter in the mailroom: its text with live links, and the answers that its own buttons offer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import unquote, urlencode

from markupsafe import Markup, escape

from pbem.store import mailboxes
from pbem.town import Letter

WIDTH = 72
"""The columns to which the words of a letter are filled."""
INDENTS = (2, 4, 6)
"""Columns by which our letters indent; the style sheet knows each."""
BOARD_LINES = 4
"""So many indented lines on end are a board, which must not be broken."""

_COMPOSER = re.compile(r"https?://[^\s<>\"]+/games/[0-9]+/compose/[a-z2-7]+")

USUAL_ANSWERS = {
    "confirm": ("confirm",),
    "proof": ("confirm",),
    "resign": ("confirm",),
    "challenge": ("accept", "decline"),
    "receipt": ("show",),
}
"""By kind of letter: what is usually answered, should its buttons not say."""
LAST = "resign"
"""Never the first that is offered."""


@dataclass(frozen=True)
class Mailto:
    """A `mailto:` link (RFC 6068) taken apart."""

    to: str
    subject: str = ""
    body: str = ""


@dataclass(frozen=True)
class Block:
    """A piece of a letter's text: a board, or words that may be broken anywhere."""

    is_board: bool
    html: Markup


@dataclass(frozen=True)
class Sheet:
    """A letter ready to be read and answered."""

    row: mailboxes.Letter
    letter: Letter
    blocks: tuple[Block, ...]
    answers: tuple[str, ...]
    """Single words or lines that the letter's buttons would send to its reply address."""
    composer: str = ""
    """The page on which the letter's move can be clicked together, if it names one."""

    @property
    def subject(self) -> str:
        return self.letter.header("Subject")

    @property
    def reply_to(self) -> str:
        return self.letter.header("Reply-To") or self.letter.header("From")

    @property
    def references(self) -> str:
        """The References of an answer (RFC 5322 3.6.4)."""
        return f"{self.letter.header('References')} {self.letter.header('Message-ID')}".strip()

    @property
    def reply_subject(self) -> str:
        subject = self.subject
        return subject if subject.lower().startswith("re:") else f"Re: {subject}"


def sheet(row: mailboxes.Letter, host: str, site: str, examples: Sequence[str] = ()) -> Sheet:
    """A letter as the mailroom shows it; `host` and `site` are ours, whose links lead back here.

    `examples` are moves that may be played now, to be offered as answers.
    """
    letter = Letter(row.raw)
    links = Links(host, site, row.recipient)
    reply_to = letter.header("Reply-To")
    offered = [link.body for link in choices(letter.html) if link.body and link.to in reply_to]
    answers = dict.fromkeys((*examples, *offered, *USUAL_ANSWERS.get(row.kind, ())))
    page = _COMPOSER.search(letter.text) or _COMPOSER.search(letter.html)
    composer = links.leads_to(page[0]) if page and page[0].startswith(site) else ""
    return Sheet(
        row, letter, tuple(blocks(letter.text, links)), tuple(sorted(answers, key=LAST.__eq__)), composer
    )


def subject(raw: bytes) -> str:
    """A letter's Subject, its body left alone."""
    return Letter(raw.partition(b"\r\n\r\n")[0]).header("Subject")


@dataclass(frozen=True)
class Links:
    """Where links in a letter to `reader` lead: to our pages, or to a new mail in the mailroom."""

    host: str
    site: str
    reader: str

    def live(self, text: str) -> Markup:
        """The text with its addresses of pages and of mail as links."""
        pattern = re.compile(
            rf"https?://[^\s<>\"]*[^\s<>\".,;:!?)]|[\w.+-]+@{re.escape(self.host)}(?![\w.-]*\w)"
        )
        parts, place = [Markup("")], 0
        for match in pattern.finditer(text):
            parts.append(escape(text[place : match.start()]))
            parts.append(Markup('<a href="{}">{}</a>').format(self.leads_to(match[0]), match[0]))
            place = match.end()
        return Markup("").join([*parts, escape(text[place:])])

    def leads_to(self, target: str) -> str:
        if target == self.site or target.startswith(f"{self.site}/"):
            return target.removeprefix(self.site) or "/"
        if "://" in target:
            return target
        return f"/mailroom/new?{urlencode({'from': self.reader, 'to': target})}"


def blocks(text: str, links: Links) -> Iterator[Block]:
    """The text in pieces, boards apart from words."""
    lines = text.rstrip().split("\n")
    start = 0
    for end in range(1, len(lines) + 1):
        if end == len(lines) or _indented(lines[end]) != _indented(lines[start]):
            yield _block(lines[start:end], links)
            start = end


def _indented(line: str) -> bool:
    return line.startswith("  ")


def _block(lines: list[str], links: Links) -> Block:
    is_board = _indented(lines[0]) and len(lines) >= BOARD_LINES and "://" not in "".join(lines)
    after = "\n" if not lines[-1] else ""  # or `pre` would swallow the blank line at its end
    if is_board:
        return Block(True, links.live("\n".join(lines) + after))
    return Block(False, Markup("\n").join(_hung(line, links) for line in flowed(lines)) + after)


def _hung(line: str, links: Links) -> Markup:
    """A line; one that is indented goes on under itself where it is broken."""
    bare = line.lstrip(" ")
    indent = len(line) - len(bare)
    if not bare or indent not in INDENTS:
        return links.live(line)
    return Markup('<span class="in{}">{}</span>').format(indent, links.live(bare))


def flowed(lines: Sequence[str]) -> list[str]:
    """The lines with paragraphs made whole: a line ends for good where the next word would have fitted."""
    found: list[str] = []
    before = ""
    for line in lines:
        if found and _goes_on(before, line):
            found[-1] += " " + line.strip()
        else:
            found.append(line)
        before = line
    return found


def _goes_on(before: str, line: str) -> bool:
    """Whether `line` continues the paragraph: no word of it would have fitted before, same margin."""
    if not before.strip() or not line.strip():
        return False
    full = len(before) + 1 + len(line.split(maxsplit=1)[0]) > WIDTH
    return full and len(before) - len(before.lstrip()) == len(line) - len(line.lstrip())


def choices(html: str) -> list[Mailto]:
    """The `mailto:` links of a letter's HTML part, in order."""
    finder = _Finder()
    finder.feed(html)
    return [read_mailto(link) for link in finder.found]


class _Finder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        target = dict(attrs).get("href") if tag == "a" else None
        if target and target.startswith("mailto:"):
            self.found.append(target)


def read_mailto(link: str) -> Mailto:
    """What a `mailto:` link says; `+` is a plus there, not a blank."""
    to, _, query = link.removeprefix("mailto:").partition("?")
    fields = dict(part.partition("=")[::2] for part in query.split("&"))
    subject, body = (unquote(fields.get(name, "")) for name in ("subject", "body"))
    return Mailto(unquote(to), subject, body.replace("\r\n", "\n"))
