"""A sent letter without its secrets: the text stays, and nobody can answer it."""

from email import message_from_bytes
from email.message import Message

from pbem.core.redact import without_secrets


def blank_secrets(raw: bytes) -> bytes:
    """Remove reply addresses, links and other credentials from a letter."""
    mail = message_from_bytes(raw)
    for name, value in list(mail.items()):
        mail.replace_header(name, without_secrets(str(value)))
    for part in mail.walk():
        if part.get_content_maintype() == "text":
            _blank_part(part)
    return mail.as_bytes()


def _blank_part(part: Message) -> None:
    """Remove secrets from a part; without any, its bytes stay. A changed part is written in 8 bits."""
    content = part.get_payload(decode=True)
    text = content.decode("utf-8", "replace") if isinstance(content, bytes) else ""
    kept = without_secrets(text)
    if kept != text:
        del part["Content-Transfer-Encoding"]
        part["Content-Transfer-Encoding"] = "8bit"
        part.set_payload(kept.encode("utf-8", "surrogateescape").decode("ascii", "surrogateescape"))
