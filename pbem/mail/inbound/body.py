"""The text of a mail: the first text/plain, else the first text/html. Attachments do not count.

Signed mail is read. Encrypted mail and a lone winmail.dat are refused with a hint. No attachment is opened.
"""

import re
from collections.abc import Callable, Sequence
from email.message import Message

from pbem.core.parsing.normalise import normalise
from pbem.mail.inbound.charsets import REFUSED_CHARSET, codec_of, decode_bytes
from pbem.mail.inbound.html_to_text import html_to_text, text_and_unseen
from pbem.mail.inbound.mime import Part, UnreadableMail, leaf_parts, parse_part
from pbem.mail.inbound.smime import signed_content

ENCRYPTED = "This mail is encrypted, and this server has no key; please send it once more unencrypted."
WINMAIL = (
    "All there is in this mail is a winmail.dat, which only Outlook can open; "
    "please send it once more as plain text."
)
UTF_7 = "This mail is written in UTF-7, which is not read here; please send it once more as UTF-8."
TNEF = ("application/ms-tnef", "application/vnd.ms-tnef")
SMIME = ("application/pkcs7-mime", "application/x-pkcs7-mime")
MAX_SIGNED_LEVELS = 3
CALENDAR_ANSWERS = frozenset({"REPLY", "COUNTER", "DECLINECOUNTER", "REFRESH"})
MAX_NOTICE = 200
_SEE_HTML = re.compile(
    r"(?:please )?(?:view|see|open|read)\b.{0,60}\b(?:html|browser)\b.{0,60}"
    r"|(?:this|the|your) (?:e-?mail|message|mail|client|program)\b.{0,80}\bhtml\b.{0,60}",
    re.IGNORECASE | re.DOTALL,
)
"""All that some programs write into the text part."""
MAX_FLOWED_LINES = 8000


def readable_parts(headers: Message, body: bytes, levels: int = MAX_SIGNED_LEVELS) -> list[Part]:
    """List all leaf parts, opaquely signed S/MIME unpacked (RFC 8551 3.5.2). Raises UnreadableMail."""
    found: list[Part] = []
    for part in leaf_parts(headers, body):
        content = None
        if part.type in SMIME and levels and part.parameter("smime-type").lower() != "enveloped-data":
            content = signed_content(part.decode_body())
        if content is None:
            found.append(part)
        else:
            found += readable_parts(*parse_part(content.replace(b"\r\n", b"\n")), levels - 1)
    return found


def body_text(parts: Sequence[Part]) -> str:
    """Return the text of a mail's parts, "" without any. Raises UnreadableMail."""
    for kind, read in TEXT_READERS.items():
        for part in parts:
            if part.type == kind and not part.is_attachment and has_words(text := read(part)):
                return text
    if any(part.type in ("application/pgp-encrypted", *SMIME) for part in parts):
        raise UnreadableMail(ENCRYPTED)
    names = [name.lower() for part in parts for name in (part.file_name, part.parameter("name"))]
    if "winmail.dat" in names or any(part.type in TNEF for part in parts):
        raise UnreadableMail(WINMAIL)
    return ""


NO_FILES = frozenset({"application/pgp-signature", "application/pkcs7-signature", *SMIME})
MAX_NAMED_FILES = 5


def names_of_files(parts: Sequence[Part]) -> tuple[str, ...]:
    """Return the names of attached files, without signatures and pictures that stand inside the text."""
    named = (
        part.file_name or part.parameter("name")
        for part in parts
        if part.is_attachment and part.type not in NO_FILES and not part.headers.get("Content-ID")
    )
    plain = (" ".join("".join(filter(str.isprintable, name)).split())[:60] for name in named)
    return tuple(dict.fromkeys(filter(None, plain)))[:MAX_NAMED_FILES]


def is_calendar_answer(part: Part) -> bool:
    """True for a calendar's answer to an invitation (RFC 5546 1.4)."""
    return part.type == "text/calendar" and part.parameter("method").upper() in CALENDAR_ANSWERS


def has_words(text: str) -> bool:
    """True for visible text beyond a notice about the HTML part."""
    seen = normalise(text).strip()
    return bool(seen) and not (len(seen) <= MAX_NOTICE and _SEE_HTML.fullmatch(seen))


def html_alternative(parts: Sequence[Part]) -> tuple[str, list[str]]:
    """Return the text of HTML beside a text part. The list has its struck or hidden pieces."""
    kinds = {part.type: part for part in reversed(parts) if not part.is_attachment}
    if not {"text/plain", "text/html"} <= set(kinds):
        return "", []
    try:
        return text_and_unseen(_html_source(kinds["text/html"]))
    except UnreadableMail:  # the text part can be read
        return "", []


_ARMOUR = re.compile(r"-----BEGIN PGP (SIGNED MESSAGE|MESSAGE)-----\s*$", re.MULTILINE)


def _strip_armour(text: str) -> str:
    """Remove armour and dash escapes from a PGP-signed message (RFC 9580 7)."""
    match = _ARMOUR.search(text)
    if not match or text[: match.start()].strip():
        return text
    if match[1] == "MESSAGE":
        raise UnreadableMail(ENCRYPTED)
    _, _, signed = text[match.end() :].lstrip("\n").partition("\n\n")
    signed = signed.partition("-----BEGIN PGP SIGNATURE-----")[0]
    return re.sub(r"(?m)^- ", "", signed)


def _plain(part: Part) -> str:
    text = _text(part.decode_body(), part.parameter("charset")).replace("\r\n", "\n").replace("\r", "\n")
    if part.parameter("format").strip().lower() == "flowed":
        text = join_flowed(text, delsp=part.parameter("delsp").strip().lower() == "yes")
    return html_to_text(text) if _HTML_START.match(text) else _strip_armour(text)


def _text(data: bytes, declared: str) -> str:
    if codec_of(declared) == REFUSED_CHARSET:
        raise UnreadableMail(UTF_7)
    return decode_bytes(data, declared)


_HTML_START = re.compile(r"\s{0,20}<(?:!doctype html|html)[\s>]", re.IGNORECASE)
_META_CHARSET = re.compile(
    rb"<meta[^<>]{0,200}?charset\s{0,3}=\s{0,3}[\"']?([A-Za-z0-9_:.-]{1,40})", re.IGNORECASE
)


def _html(part: Part) -> str:
    return html_to_text(_html_source(part))


def _html_source(part: Part) -> str:
    data = part.decode_body()
    declared = part.parameter("charset")
    if not declared and (meta := _META_CHARSET.search(data[:4096])):
        declared = meta[1].decode("ascii")
    return _text(data, declared)


TEXT_READERS: dict[str, Callable[[Part], str]] = {"text/plain": _plain, "text/html": _html}
"""The kinds of part that are read, the better one first."""


def join_flowed(text: str, *, delsp: bool = False) -> str:
    """Join each paragraph of format=flowed text into one line (RFC 3676 4).

    A line that ends in a space goes on in the next of the same quote depth. `-- ` and a blank line never do.
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
