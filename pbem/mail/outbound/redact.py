"""A sent letter without its secrets: the text stays, and nobody can answer it."""

from email import message_from_bytes

from pbem.core.redact import without_secrets


def blank_secrets(raw: bytes) -> bytes:
    """Remove reply addresses, links and other credentials; a part without any keeps its bytes."""
    mail = message_from_bytes(raw)
    for name, value in list(mail.items()):
        mail.replace_header(name, without_secrets(str(value)))
    for part in mail.walk():
        content = part.get_payload(decode=True) if part.get_content_maintype() == "text" else None
        text = content.decode("utf-8", "replace") if isinstance(content, bytes) else ""
        kept = without_secrets(text)
        if kept != text:
            del part["Content-Transfer-Encoding"]
            part["Content-Transfer-Encoding"] = "8bit"
            part.set_payload(kept.encode("utf-8", "surrogateescape").decode("ascii", "surrogateescape"))
    return mail.as_bytes()
