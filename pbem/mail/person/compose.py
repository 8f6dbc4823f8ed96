"""Mails as a person's program or a web form writes them. Our signature proves a form's mail, without DNS."""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from hashlib import sha256

from pbem.core.parsing.inbound import Envelope, Mail
from pbem.mail.inbound.parse import parse_mail

POLICY = SMTP.clone(max_line_length=998)
FORM_HEADER = b"X-Handed-In: "
MAC_PURPOSE = b"pbem mail handed in on the web: "


@dataclass(frozen=True)
class MailDraft:
    """A typed mail. `in_reply_to` and `references` name the answered letter, `quoted` stands below."""

    sender: str
    to: str
    subject: str
    words: str
    in_reply_to: str = ""
    references: str = ""
    quoted: str = ""


def compose(draft: MailDraft, message_id: str, date: datetime | None = None) -> bytes:
    """Write the mail, with an aware `date`. Raises ValueError where an address cannot stand in a header."""
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


def make_form_mail(draft: MailDraft, number: str, host: str, keys: Sequence[bytes], at: datetime) -> bytes:
    """Write the signed mail of form `number`. A form sent twice gives one mail, which is stored once."""
    digest = sha256(f"{draft.to}\n{number}\n{draft.words}".encode("utf-8", "replace")).hexdigest()
    mail = compose(draft, f"<handed-in.{digest[:40]}@{host}>", at)
    return FORM_HEADER + _form_mac(keys[0], mail) + b"\r\n" + mail


def is_form_mail(raw: bytes, keys: Sequence[bytes]) -> bool:
    """True if a mail was made here and is unchanged."""
    first, _, mail = raw.partition(b"\r\n")
    given = first.removeprefix(FORM_HEADER)
    return given != first and any(hmac.compare_digest(given, _form_mac(key, mail)) for key in keys)


def parse_form_mail(draft: MailDraft, host: str) -> Mail:
    raw = compose(draft, f"<handed-in@{host}>", datetime(2000, 1, 1, tzinfo=UTC))
    return parse_mail(raw, Envelope(draft.sender, draft.to), host)


def _form_mac(key: bytes, mail: bytes) -> bytes:
    return hmac.digest(hmac.digest(key, MAC_PURPOSE, sha256), mail, sha256).hex().encode()
