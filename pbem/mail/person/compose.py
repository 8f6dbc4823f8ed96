"""Mails as a person's mail program writes them, for the mailroom's form."""

from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

POLICY = SMTP.clone(max_line_length=998)


@dataclass(frozen=True)
class Draft:
    """A typed mail; `in_reply_to` and `references` name the letter it answers, `quoted` stands below."""

    sender: str
    to: str
    subject: str
    words: str
    in_reply_to: str = ""
    references: str = ""
    quoted: str = ""


def compose(draft: Draft, message_id: str, date: datetime | None = None) -> bytes:
    """Write the mail, `date` aware; raises ValueError where an address cannot stand in a header."""
    mail = EmailMessage(policy=POLICY)
    mail["From"] = _line(draft.sender)
    mail["To"] = _line(draft.to)
    mail["Subject"] = _line(draft.subject)
    if date is not None:
        mail["Date"] = format_datetime(date)
    mail["Message-ID"] = message_id
    if draft.in_reply_to:
        mail["In-Reply-To"] = _line(draft.in_reply_to)
        mail["References"] = _line(draft.references or draft.in_reply_to)
    words = draft.words.replace("\r\n", "\n").replace("\r", "\n").rstrip()
    mail.set_content(f"{words}\n" + (draft.quoted and f"\n{draft.quoted}"))
    return mail.as_bytes()


def quote(text: str, writer: str, date: str) -> str:
    """Quote a letter: `On … wrote:`, then every line behind a `>`."""
    lines = [f"> {line}".rstrip() for line in text.rstrip().splitlines()]
    return "\n".join([f"On {date}, {writer} wrote:", *lines, ""])


def _line(value: str) -> str:
    """Return a header value on one line, without characters that headers forbid."""
    kept = "".join(sign if sign.isprintable() else " " for sign in value)
    return " ".join(kept.encode("utf-8", "replace").decode().split())
