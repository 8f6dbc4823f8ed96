"""A letter in the mailroom: its text with links, and its answers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import unquote, urlencode

from markupsafe import Markup, escape

from pbem.mail.person.mailbox import Letter
from pbem.store import mailroom

WIDTH = 72
"""Columns of a letter's text."""
INDENTS = (2, 4, 6)
"""Columns by which our letters indent; the style sheet knows each."""
BOARD_LINES = 4
"""Indented lines in a row that count as a board."""

_COMPOSER = re.compile(r"https?://[^\s<>\"]+/games/[0-9]+/compose/[a-z2-7]+")

USUAL_ANSWERS = {
    "confirm": ("confirm",),
    "proof": ("confirm",),
    "resign": ("confirm",),
    "challenge": ("accept", "decline"),
    "receipt": ("show",),
}
"""Usual answers by kind of letter, beside those of its buttons."""
NEVER_FIRST = "resign"
"""The answer that is never offered first."""


@dataclass(frozen=True)
class Mailto:
    """The parts of a `mailto:` link (RFC 6068)."""

    to: str
    subject: str = ""
    body: str = ""


@dataclass(frozen=True)
class Block:
    """A piece of a letter: a board, or words that may wrap."""

    is_board: bool
    html: Markup


@dataclass(frozen=True)
class LetterView:
    """A letter with the answers that it offers."""

    row: mailroom.Letter
    letter: Letter
    blocks: tuple[Block, ...]
    answers: tuple[str, ...]
    """Texts that the letter's buttons would send to its reply address."""
    composer: str = ""
    """The page on which to compose the move, "" without one."""

    @property
    def subject(self) -> str:
        return self.letter.header("Subject")

    @property
    def reply_to(self) -> str:
        return self.letter.header("Reply-To") or self.letter.header("From")

    @property
    def references(self) -> str:
        """The References header of an answer (RFC 5322 3.6.4)."""
        return f"{self.letter.header('References')} {self.letter.header('Message-ID')}".strip()

    @property
    def reply_subject(self) -> str:
        subject = self.subject
        return subject if subject.lower().startswith("re:") else f"Re: {subject}"


def sheet(row: mailroom.Letter, host: str, site: str, examples: Sequence[str] = ()) -> LetterView:
    """A letter as the mailroom shows it.

    Links to `host` and `site` lead to this server. `examples` are moves to offer as answers.
    """
    letter = Letter(row.raw)
    links = Links(host, site, row.recipient)
    reply_to = letter.header("Reply-To")
    offered = [link.body for link in mailto_links(letter.html) if link.body and link.to in reply_to]
    answers = dict.fromkeys((*examples, *offered, *USUAL_ANSWERS.get(row.kind, ())))
    page = _COMPOSER.search(letter.text) or _COMPOSER.search(letter.html)
    composer = links.resolve_target(page[0]) if page and page[0].startswith(site) else ""
    return LetterView(
        row,
        letter,
        tuple(blocks(letter.text, links)),
        tuple(sorted(answers, key=NEVER_FIRST.__eq__)),
        composer,
    )


def subject(raw: bytes) -> str:
    return Letter(raw.partition(b"\r\n\r\n")[0]).header("Subject")


@dataclass(frozen=True)
class Links:
    """Targets of links in a letter to `reader`."""

    host: str
    site: str
    reader: str

    def live(self, text: str) -> Markup:
        """The text with its page and mail addresses as links."""
        pattern = re.compile(
            rf"https?://[^\s<>\"]*[^\s<>\".,;:!?)]|[\w.+-]+@{re.escape(self.host)}(?![\w.-]*\w)"
        )
        parts, place = [Markup("")], 0
        for match in pattern.finditer(text):
            parts.append(escape(text[place : match.start()]))
            parts.append(Markup('<a href="{}">{}</a>').format(self.resolve_target(match[0]), match[0]))
            place = match.end()
        return Markup("").join([*parts, escape(text[place:])])

    def resolve_target(self, target: str) -> str:
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
        if end == len(lines) or _is_indented(lines[end]) != _is_indented(lines[start]):
            yield _block(lines[start:end], links)
            start = end


def _is_indented(line: str) -> bool:
    return line.startswith("  ")


def _block(lines: list[str], links: Links) -> Block:
    is_board = _is_indented(lines[0]) and len(lines) >= BOARD_LINES and "://" not in "".join(lines)
    after = "\n" if not lines[-1] else ""  # HTML drops a single newline at the end of `pre`
    if is_board:
        return Block(True, links.live("\n".join(lines) + after))
    return Block(
        False, Markup("\n").join(_indented_line(line, links) for line in join_wrapped_lines(lines)) + after
    )


def _indented_line(line: str, links: Links) -> Markup:
    """A line; if it is indented, its continuation is indented too."""
    bare = line.lstrip(" ")
    indent = len(line) - len(bare)
    if not bare or indent not in INDENTS:
        return links.live(line)
    return Markup('<span class="in{}">{}</span>').format(indent, links.live(bare))


def join_wrapped_lines(lines: Sequence[str]) -> list[str]:
    """The lines with wrapped paragraphs joined.

    A line ends a paragraph if the next word would have fitted.
    """
    found: list[str] = []
    before = ""
    for line in lines:
        if found and _continues_paragraph(before, line):
            found[-1] += " " + line.strip()
        else:
            found.append(line)
        before = line
    return found


def _continues_paragraph(before: str, line: str) -> bool:
    """True if `line` continues the paragraph.

    Its first word did not fit on the line before, and the margins are the same.
    """
    if not before.strip() or not line.strip():
        return False
    full = len(before) + 1 + len(line.split(maxsplit=1)[0]) > WIDTH
    return full and len(before) - len(before.lstrip()) == len(line) - len(line.lstrip())


def mailto_links(html: str) -> list[Mailto]:
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
    """Read a `mailto:` link; `+` is a plus there, not a blank."""
    to, _, query = link.removeprefix("mailto:").partition("?")
    fields = dict(part.partition("=")[::2] for part in query.split("&"))
    subject, body = (unquote(fields.get(name, "")) for name in ("subject", "body"))
    return Mailto(unquote(to), subject, body.replace("\r\n", "\n"))
