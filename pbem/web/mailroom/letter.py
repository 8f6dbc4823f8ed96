"""A letter in the mailroom: its text with links, and its answers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import pairwise
from string import ascii_letters
from typing import NamedTuple
from urllib.parse import unquote, urlencode

from markupsafe import Markup, escape

from pbem.core.parsing.reply_text import MARKER
from pbem.mail.person.mailbox import ReceivedLetter
from pbem.store import mailroom

WIDTH = 72
INDENTS = (2, 4, 6)
"""Columns by which our letters indent; the style sheet knows each."""
BOARD_LINES = 4

COMPOSER = re.compile(r"https?://[^\s<>\"]+/games/[0-9]+/compose/[a-z2-7]+")
LABELLED = re.compile(r"  [^:]{1,24}: |      \S|$")
"""A line of a list such as `The game:  https://...`, or one that goes on with it."""
HREF = re.compile(r' href="([^"]*)"')
MAILTO = re.compile(r'<a [^>]*href="mailto:([^"]*)"')

USUAL_ANSWERS = {
    "proof": ("yes",),
    "resign": ("yes",),
    "challenge": ("accept", "decline"),
    "receipt": ("show",),
}
"""Usual answers by kind of letter, beside those of its buttons."""
NEVER_FIRST = "resign"


class Block(NamedTuple):
    """A letter's part: lines in columns, or words that may wrap."""

    in_columns: bool
    html: Markup
    board: str = ""
    """The board's name for those who hear the letter, "" where the piece is none."""


@dataclass(frozen=True)
class LetterView:
    """A letter with the answers that it offers."""

    row: mailroom.MailroomLetter
    letter: ReceivedLetter
    blocks: list[Block]
    answers: list[str]
    """Texts that the letter's buttons would send to its reply address."""
    composer: str = ""
    """The page on which to compose the move, "" without one."""

    @property
    def reply_to(self) -> str:
        return self.letter.header("Reply-To") or self.letter.header("From")


def sheet(row: mailroom.MailroomLetter, host: str, site: str, examples: Sequence[str] = ()) -> LetterView:
    """Return a letter with local links as the mailroom shows it. `examples` are moves to offer."""
    letter = ReceivedLetter(row.raw)
    links = Links(host, site, row.recipient)
    reply_to = letter.header("Reply-To")
    offered = [body for to, body in mailto_links(letter.html) if body and to in reply_to]
    answers = dict.fromkeys((*examples, *offered, *USUAL_ANSWERS.get(row.kind, ())))
    page = COMPOSER.search(letter.text) or COMPOSER.search(letter.html)
    composer = links.resolve_target(page[0]) if page and page[0].startswith(site) else ""
    last_resign = sorted(answers, key=NEVER_FIRST.__eq__)
    return LetterView(row, letter, list(blocks(letter.text, links)), last_resign, composer)


@dataclass(frozen=True)
class Links:
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
            return "/" + target.removeprefix(self.site).lstrip("/")
        if "://" in target:
            return target
        return f"/mailroom/new?{urlencode({'from': self.reader, 'to': target})}"


def blocks(text: str, links: Links) -> Iterator[Block]:
    """The text in pieces, boards and other columns apart from words."""
    lines = text.rstrip().split("\n")
    start = 0
    for end in range(1, len(lines) + 1):
        if end == len(lines) or _is_indented(lines[end]) != _is_indented(lines[start]):
            yield _block(lines[start:end], lines[:start], links)
            start = end


def _is_indented(line: str) -> bool:
    return line.startswith("  ")


def _block(lines: list[str], above: Sequence[str], links: Links) -> Block:
    after = "\n" if not lines[-1] else ""  # HTML drops a single newline at the end of `pre`
    text = "\n".join(lines)
    listed = all(LABELLED.match(line) for line in lines) or "://" in text
    if _is_indented(lines[0]) and len(lines) >= BOARD_LINES and not listed:
        return Block(True, links.live(text + after), _caption(above) if _is_board(text) else "")
    found = (_indented_line(line, links) for line in join_wrapped_lines(lines))
    return Block(False, Markup("\n").join(found) + after)


def _is_board(text: str) -> bool:
    """True if all words are like a board's: at most three letters, or a part of the alphabet."""
    return all(len(word) < 4 or word in ascii_letters for word in re.findall(r"[^\W\d_]+", text))


def _caption(above: Sequence[str]) -> str:
    """The line that announces a board, as its name."""
    line = next((line for line in reversed(join_wrapped_lines(above)) if line), "")
    return line.removesuffix(":") if line.endswith(":") else "A board"


def _indented_line(line: str, links: Links) -> Markup:
    if line.startswith(MARKER):
        return Markup('<span aria-hidden="true">{}</span>').format(line)  # it helps no one who hears it
    bare = line.lstrip(" ")
    indent = len(line) - len(bare)
    if not bare or indent not in INDENTS:
        return links.live(line)
    return Markup('<span class="in{}">{}</span>').format(indent, links.live(bare))


def join_wrapped_lines(lines: Sequence[str]) -> list[str]:
    """Join wrapped paragraphs. A line ends its paragraph if the next word would have fitted on it."""
    found = list(lines[:1])
    for before, line in pairwise(lines):
        if _continues_paragraph(before, line):
            found[-1] += " " + line.strip()
        else:
            found.append(line)
    return found


def _continues_paragraph(before: str, line: str) -> bool:
    """True if `line` continues the paragraph before, at the same margins."""
    if not before.strip() or not line.strip():
        return False
    full = len(before) + 1 + len(line.split(maxsplit=1)[0]) > WIDTH
    return full and len(before) - len(before.lstrip()) == len(line) - len(line.lstrip())


def live_html(view: LetterView, links: Links) -> str:
    """Return the HTML part with links to our pages or the form below, and without any other links."""

    def live(link: re.Match[str]) -> str:
        target = unescape(link[1])
        if target.startswith("mailto:"):
            to, body = _mail_parts(target.removeprefix("mailto:"))
            words = urlencode({"words": body})
            known = to in view.reply_to
            target = f"/mailroom/letters/{view.row.id}?{words}#answer" if known else links.resolve_target(to)
        else:
            target = links.resolve_target(target)
        return Markup(' href="{}" target="_top"').format(target) if target.startswith("/") else ""

    return HREF.sub(live, view.letter.html)


def mailto_links(html: str) -> Iterator[tuple[str, str]]:
    """Return address and text of a letter's `mailto:` links (RFC 6068). There `+` is a plus, not a blank."""
    for link in MAILTO.findall(html):
        yield _mail_parts(unescape(link))


def _mail_parts(link: str) -> tuple[str, str]:
    """Address and text of what follows `mailto:`."""
    to, _, query = link.partition("?")
    fields = dict(part.partition("=")[::2] for part in query.split("&"))
    return unquote(to), unquote(fields.get("body", "")).replace("\r\n", "\n")
