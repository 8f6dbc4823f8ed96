"""A layout of a mail program for an answer to a real letter, and pieces for layouts.

A layout is a function (Answer) -> (text, HTML), either "" where the program does not send it. Its row in the
table has the program, its test languages, the place of the words and the encoding. The quoted letter is one of
this server's own, marker line first, without its board's colours.
"""

# ruff: noqa: E501 (mails are stated as they are sent)

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from pbem.core.parsing.reply_text import MARKER
from tests.mail.clients import html_lines
from tests.mail.languages import LANGUAGES
from tests.mail.letters import SAMPLES, part_of_letter, write_sample
from tests.mail.sample_values import TOKEN
from tests.people import HOST

_TURN = write_sample(SAMPLES["turn"])
LETTER = part_of_letter(_TURN, "plain").rstrip()
LETTER_HTML = re.sub(
    r"""(?s)(<(?:td|th|tr|table|code|a)\b)[^>]*?(\shref="[^"]*"|\scolspan="\d+")?[^>]*>""",
    lambda tag: f"{tag[1]}{tag[2] or ''}>",
    part_of_letter(_TURN, "html").partition("<body")[2].partition(">")[2].partition("</body>")[0].strip(),
)
UNMARKED = (
    re.sub(rf"{re.escape(MARKER)}.*\n", "", LETTER),
    re.sub(rf"<p [^>]*>{re.escape(MARKER)}.*</p>", "", LETTER_HTML),
)
"""The letter with its marker line deleted."""
PLAIN, REPLY = f"play@{HOST}", f"play+{TOKEN}@{HOST}"
SUBJECT = "Bipod #42: Bill - Joao"
JOAO = "joao@example.net"


@dataclass(frozen=True)
class Answer:
    """A player's words, the mail program's language, and the quoted letter."""

    text: str
    lang: str = "en"
    letter: str = LETTER
    letter_html: str = LETTER_HTML

    @property
    def html(self) -> str:
        return html_lines(self.text)

    @property
    def wrote(self) -> str:
        """Return the line above the quote, in the words of Gmail."""
        return LANGUAGES[self.lang].wrote.format(a=PLAIN)

    @property
    def phone(self) -> str:
        return LANGUAGES[self.lang].phone

    @property
    def original(self) -> str:
        return LANGUAGES[self.lang].original

    @property
    def labels(self) -> list[tuple[str, str]]:
        """Return From, Sent, To, Subject with their values."""
        values = (
            f"Bipod #42 <{PLAIN}>",
            "Monday, March 2, 2026 12:00 PM",
            f"Joao <{JOAO}>",
            SUBJECT,
        )
        return list(zip(LANGUAGES[self.lang].labels, values, strict=True))


class Layout(NamedTuple):
    """A layout's program, languages, place of the words, and encoding."""

    client: str
    langs: tuple[str, ...]
    where: str
    charset: str
    encoding: str
    kind: str
    make: Callable[[Answer], tuple[str, str]]

    @property
    def name(self) -> str:
        return self.make.__name__.replace("_", "-")


LAYOUTS: list[Layout] = []
Make = Callable[[Answer], tuple[str, str]]


def layout(
    client: str,
    langs: str = "en",
    *,
    where: str = "above",
    charset: str = "utf-8",
    encoding: str = "quoted-printable",
    kind: str = "",
) -> Callable[[Make], Make]:
    """Add a function to the table of layouts; `kind` extends the text part's Content-Type."""

    def enter(make: Make) -> Make:
        LAYOUTS.append(Layout(client, tuple(langs.split()), where, charset, encoding, kind, make))
        return make

    return enter


def heads(answer: Answer, bold: str = "", end: str = ":") -> str:
    return "\n".join(f"{bold}{label}{end}{bold} {value}" for label, value in answer.labels)


def heads_html(answer: Answer, tag: str = "b") -> str:
    return "<br>".join(f"<{tag}>{label}:</{tag}> {escape(value)}" for label, value in answer.labels)


def cite(inner: str, attributes: str = 'type="cite"') -> str:
    return f"<blockquote {attributes}>{inner}</blockquote>"


def rule(width: int = 32) -> str:
    return "_" * width
