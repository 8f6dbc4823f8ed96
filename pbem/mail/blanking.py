"""A letter that was sent, without the secrets in it: what it said stays, and nobody can answer it."""

from __future__ import annotations

from email import message_from_bytes
from email.message import Message

from pbem.core.blanking import without_secrets


def blanked(raw: bytes) -> bytes:
    """The letter with its reply addresses, links and all else that proves a person blanked out."""
    mail = message_from_bytes(raw)
    for name, value in list(mail.items()):
        mail.replace_header(name, without_secrets(str(value)))
    for part in mail.walk():
        if part.get_content_maintype() == "text":
            _blank(part)
    return mail.as_bytes()


def _blank(part: Message) -> None:
    """A part whose text holds none stays as it is, and one that does is written without any in 8 bits."""
    content = part.get_payload(decode=True)
    text = content.decode("utf-8", "replace") if isinstance(content, bytes) else ""
    kept = without_secrets(text)
    if kept != text:
        del part["Content-Transfer-Encoding"]
        part["Content-Transfer-Encoding"] = "8bit"
        part.set_payload(kept.encode("utf-8", "surrogateescape").decode("ascii", "surrogateescape"))
