"""Simulated people who send mails by SMTP and read answers, for demos and tests."""

import smtplib
from collections.abc import Callable
from dataclasses import dataclass
from email import policy
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import make_msgid
from functools import cached_property, lru_cache

from pbem.mail.inbound.html_to_text import html_to_text
from pbem.mail.person.compose import MailDraft, compose, quote

POLICY = policy.default.clone(header_factory=lru_cache(1024)(HeaderRegistry()))
"""A policy that caches parsed headers, as the library parses a header at each access."""


@dataclass(frozen=True)
class ReceivedLetter:
    """A letter as its reader's mail program shows it."""

    raw: bytes

    @cached_property
    def message(self) -> EmailMessage:
        return BytesParser(EmailMessage, policy=POLICY).parsebytes(self.raw)

    def header(self, name: str) -> str:
        return str(self.message.get(name, ""))

    @property
    def text(self) -> str:
        """The plain text part, or the HTML one as text. Lines end with newlines."""
        part = self.message.get_body(("plain",))
        if part is None:
            return html_to_text(self.html)
        return str(part.get_content()).replace("\r\n", "\n")

    @property
    def html(self) -> str:
        part = self.message.get_body(("html",))
        return "" if part is None else str(part.get_content())


def reply_mail(letter: ReceivedLetter, sender: str, words: str, *, quoting: bool = True) -> bytes:
    """The mail of an ordinary program: `words` above the quoted letter."""
    subject, answered = f"Re: {letter.header('Subject')}", letter.header("Message-ID")
    quoted = quote(letter.text, letter.header("From"), "Sunday") if quoting else ""
    references = f"{letter.header('References')} {answered}".strip()
    draft = MailDraft(sender, letter.header("Reply-To"), subject, words, answered, references, quoted)
    return _with_new_id(draft)


def new_mail(sender: str, to: str, words: str, subject: str = "Games") -> bytes:
    return _with_new_id(MailDraft(sender, to, subject, words))


def _with_new_id(draft: MailDraft) -> bytes:
    return compose(draft, make_msgid(domain=draft.sender.rpartition("@")[2].rstrip(">")))


@dataclass
class MailUser:
    """A person with a mailbox. `fetch` returns all letters to an address, oldest first."""

    address: str
    port: int
    fetch: Callable[[str], list[ReceivedLetter]]
    read: int = 0

    def send(self, raw: bytes, recipient: str) -> None:
        with smtplib.SMTP("127.0.0.1", self.port, timeout=20) as smtp:
            smtp.sendmail(self.address, [recipient], raw)

    def write(self, to: str, words: str) -> None:
        self.send(new_mail(self.address, to, words), to)

    def reply(self, letter: ReceivedLetter, words: str, *, quoting: bool = True) -> None:
        self.send(reply_mail(letter, self.address, words, quoting=quoting), letter.header("Reply-To"))

    def unread(self) -> list[ReceivedLetter]:
        """The letters since the last call, oldest first."""
        letters = self.fetch(self.address)
        new, self.read = letters[self.read :], len(letters)
        return new
