"""Simulated people who send mail to a listener by SMTP and read its answers: for demos and tests."""

import smtplib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import make_msgid
from functools import lru_cache

from pbem.mail.inbound.html_to_text import html_to_text
from pbem.mail.person.compose import POLICY


@dataclass(frozen=True)
class Letter:
    """A letter as its reader's mail program shows it."""

    raw: bytes

    @property
    def message(self) -> EmailMessage:
        """The parsed mail, read-only: all readers of these bytes share it."""
        return _read(self.raw)

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


@lru_cache(64)
def _read(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def reply_mail(letter: Letter, sender: str, words: str, *, quoting: bool = True) -> bytes:
    """The mail of an ordinary program: `words` above the quoted letter."""
    to, subject = letter.header("Reply-To"), f"Re: {letter.header('Subject')}"
    thread = {"In-Reply-To": letter.header("Message-ID")}
    thread["References"] = f"{letter.header('References')} {letter.header('Message-ID')}".strip()
    if quoting:
        quoted = "".join(f"> {line}\n" for line in letter.text.splitlines())
        words += f"\n\nOn Sunday, {letter.header('From')} wrote:\n{quoted}"
    return new_mail(sender, to, words, subject, thread)


def new_mail(
    sender: str, to: str, words: str, subject: str = "Games", thread: Mapping[str, str] | None = None
) -> bytes:
    """A new mail, not a reply."""
    mail = EmailMessage(policy=POLICY)
    mail["From"] = sender
    mail["To"] = to
    mail["Subject"] = subject
    mail["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2].rstrip(">"))
    for name, value in (thread or {}).items():
        mail[name] = value
    mail.set_content(f"{words}\n")
    return mail.as_bytes()


@dataclass
class MailUser:
    """A person with a mailbox. `fetch` returns all letters to an address, oldest first."""

    address: str
    port: int
    fetch: Callable[[str], list[Letter]]
    read: int = field(default=0)

    def send(self, raw: bytes, recipient: str) -> None:
        """Send a mail to the listener; returns after its 250."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=20) as smtp:
            smtp.sendmail(self.address, [recipient], raw)

    def write(self, to: str, words: str) -> None:
        self.send(new_mail(self.address, to, words), to)

    def reply(self, letter: Letter, words: str, *, quoting: bool = True) -> None:
        self.send(reply_mail(letter, self.address, words, quoting=quoting), letter.header("Reply-To"))

    def unread(self) -> list[Letter]:
        """The letters since the last call, oldest first."""
        letters = self.fetch(self.address)
        new, self.read = letters[self.read :], len(letters)
        return new
