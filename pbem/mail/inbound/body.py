"""The text of a mail, chosen from its parts.

It is the first text/plain that is no attachment, else the first text/html. Signed mail is read. Encrypted
mail and a lone winmail.dat are refused with a hint. No other attachment is ever opened.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from email.message import Message

from pbem.mail.inbound.charsets import SEALED, codec_of, decoded
from pbem.mail.inbound.html_to_text import text_of
from pbem.mail.inbound.mime import Part, halves, leaves, parse_headers
from pbem.mail.inbound.smime import signed_content

ENCRYPTED = "This mail is encrypted, and this server has no key; please send it once more unencrypted."
WINMAIL = (
    "All there is in this mail is a winmail.dat, which only Outlook can open; "
    "please send it once more as plain text."
)
UTF_7 = "This mail is written in UTF-7, which is not read here; please send it once more as UTF-8."
MAX_SIGNED_LEVELS = 3
MAX_FLOWED_LINES = 8000
"""Far more than the 400 lines that are read."""


class Unopenable(ValueError):
    """A mail without a readable text; `str()` is one sentence of advice."""


def body_text(headers: Message, body: bytes) -> str:
    """Return the text of a mail, "" without any. Raises Unopenable, TooMuch."""
    parts = readable_parts(headers, body)
    shown = [part for part in parts if not is_attachment(part)]
    for kind, read in READERS.items():
        for part in shown:
            if part.type == kind and (text := read(part)).strip():
                return text
    if any(_is_encrypted(part) for part in parts):
        raise Unopenable(ENCRYPTED)
    if any(_is_winmail(part) for part in parts):
        raise Unopenable(WINMAIL)
    return ""


def text_beside(headers: Message, body: bytes) -> str:
    """Return the text of the HTML alternative, "" without one."""
    shown = [part for part in readable_parts(headers, body) if not is_attachment(part)]
    kinds = {part.type: part for part in reversed(shown)}
    return _html(kinds["text/html"]) if {"text/plain", "text/html"} <= set(kinds) else ""


def readable_parts(headers: Message, body: bytes) -> list[Part]:
    """List all leaf parts of a mail, with signed content unpacked."""
    return _signed_opened(list(leaves(headers, body)), MAX_SIGNED_LEVELS)


def is_attachment(part: Part) -> bool:
    return part.disposition == "attachment" or bool(part.file_name)


def _is_encrypted(part: Part) -> bool:
    return part.type in ("application/pgp-encrypted", *SMIME)


def _is_winmail(part: Part) -> bool:
    names = (part.file_name, part.parameter("name"))
    return part.type in ("application/ms-tnef", "application/vnd.ms-tnef") or any(
        name.lower() == "winmail.dat" for name in names
    )


# ------------------------------------------------------------------------------------ signed mail

SMIME = ("application/pkcs7-mime", "application/x-pkcs7-mime")


def _signed_opened(parts: Sequence[Part], levels: int) -> list[Part]:
    """Replace opaquely signed S/MIME parts by their content (RFC 8551 3.5.2)."""
    found: list[Part] = []
    for part in parts:
        content = None
        if part.type in SMIME and levels and part.parameter("smime-type").lower() != "enveloped-data":
            content = signed_content(part.decoded())
        if content is None:
            found.append(part)
        else:
            head, rest = halves(content.replace(b"\r\n", b"\n"))
            found += _signed_opened(list(leaves(parse_headers(head[:100_000]), rest)), levels - 1)
    return found


_ARMOUR = re.compile(r"-----BEGIN PGP (SIGNED MESSAGE|MESSAGE)-----\s*$", re.MULTILINE)


def _without_armour(text: str) -> str:
    """Remove armour and dash escapes from a PGP-signed message (RFC 9580 7)."""
    match = _ARMOUR.search(text)
    if not match or text[: match.start()].strip():
        return text
    if match[1] == "MESSAGE":
        raise Unopenable(ENCRYPTED)
    _, _, signed = text[match.end() :].lstrip("\n").partition("\n\n")
    signed = signed.partition("-----BEGIN PGP SIGNATURE-----")[0]
    return re.sub(r"(?m)^- ", "", signed)


# ------------------------------------------------------------------------------------- two formats


def _plain(part: Part) -> str:
    text = _text(part.decoded(), part.charset).replace("\r\n", "\n").replace("\r", "\n")
    if part.parameter("format").strip().lower() == "flowed":
        text = unflowed(text, delsp=part.parameter("delsp").strip().lower() == "yes")
    return text_of(text) if _HTML_AFTER_ALL.match(text) else _without_armour(text)


def _text(data: bytes, declared: str) -> str:
    if codec_of(declared) == SEALED:
        raise Unopenable(UTF_7)
    return decoded(data, declared)


_HTML_AFTER_ALL = re.compile(r"\s{0,20}<(?:!doctype html|html)[\s>]", re.IGNORECASE)
_META_CHARSET = re.compile(
    rb"<meta[^<>]{0,200}?charset\s{0,3}=\s{0,3}[\"']?([A-Za-z0-9_:.-]{1,40})", re.IGNORECASE
)


def _html(part: Part) -> str:
    data = part.decoded()
    declared = part.charset
    if not declared and (meta := _META_CHARSET.search(data[:4096])):
        declared = meta[1].decode("ascii")
    return text_of(_text(data, declared))


READERS: dict[str, Callable[[Part], str]] = {"text/plain": _plain, "text/html": _html}
"""The kinds of part that are read, the better one first."""


def unflowed(text: str, *, delsp: bool = False) -> str:
    """Join each paragraph of format=flowed text into one line (RFC 3676 4).

    A line that ends in a space continues in the next line of the same quote depth. `-- ` never does, and a
    blank line always ends a paragraph.
    """
    lines: list[str] = []
    flowing, depth = False, 0
    for raw in text.split("\n", MAX_FLOWED_LINES)[:MAX_FLOWED_LINES]:
        bare = raw.lstrip(">")
        quotes = len(raw) - len(bare)
        line = bare.removeprefix(" ")
        signature = line == "-- "
        soft = line.endswith(" ") and not signature
        content = line[:-1] if soft and delsp else line
        if flowing and quotes == depth and content and not signature:
            lines[-1] += content
        else:
            lines.append(f"{'>' * quotes} {content}" if quotes else content)
        flowing, depth = soft, quotes
    return "\n".join(line if line.endswith("-- ") else line.rstrip(" ") for line in lines)
