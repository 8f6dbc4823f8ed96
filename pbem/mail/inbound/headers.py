"""Mail headers: text, the sender, message ids.

One mailbox in one From header names a sender, by the grammar of RFC 5322 3.4. The standard library before
Python 3.11.10 can be made to see another address than mail programs show (CVE-2023-27043).
"""

import quopri
import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from email.message import Message
from email.utils import parsedate_to_datetime
from hashlib import sha256

from pbem.core.parsing.inbound import Mail
from pbem.core.players import without_quotes
from pbem.mail.inbound.charsets import decode_bytes
from pbem.mail.inbound.mime import from_base64

MAX_VALUE = 2000
MAX_SUBJECT = 250
MAX_SIGNATURES = 12
MAX_IDS = 20
MAX_ID = 250


class UnsafeSender(ValueError):
    """The From does not name one sender safely; `str()` is one sentence."""


def header_values(headers: Message, name: str) -> list[str]:
    """Return the raw values of all headers called `name`, unfolded, in order."""
    wanted = name.lower()
    return [unfold(str(value)) for key, value in headers.raw_items() if key.lower() == wanted]


def header_value(headers: Message, name: str) -> str:
    return next(iter(header_values(headers, name)), "")


def unfold(raw: str) -> str:
    """Return a raw value on one line of at most 2,000 characters. 8-bit bytes are decoded as text."""
    text = re.sub(r"[ \t]*\n[ \t]*", " ", raw[: MAX_VALUE * 2]).strip()
    if not text.isascii():
        text = decode_bytes(text.encode("utf-8", "surrogateescape"))
    return text[:MAX_VALUE]


_WORD = re.compile(r"=\?([A-Za-z0-9_.:+-]{1,40})(?:\*[A-Za-z-]{0,20})?\?([bBqQ])\?([^?\n]{0,1000})\?=")
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def display_text(raw: str) -> str:
    """Decode RFC 2047 words; control characters and direction marks become blanks."""
    return " ".join(_CONTROLS.sub(" ", _decode_words(raw)).split())


def _decode_words(raw: str) -> str:
    pieces: list[str] = []
    end, pending, charset = 0, b"", ""
    for match in _WORD.finditer(raw):
        between = raw[end : match.start()]
        if between.strip() or match[1].lower() != charset:
            pieces += [decode_bytes(pending, charset), between if between.strip() or not pending else ""]
            pending = b""
        charset = match[1].lower()
        data = match[3].encode("utf-8", "replace")
        pending += quopri.decodestring(data, header=True) if match[2] in "qQ" else from_base64(data)
        end = match.end()
    pieces += [decode_bytes(pending, charset), raw[end:]]
    return "".join(pieces).encode("utf-8", "replace").decode()


MAX_FROM = 998
_TOKEN = re.compile(r"""\s+ | "(?:[^"\\]|\\.)*" | [<>@,;:()\[\]\\"] | [^\s<>@,;:()\[\]\\"]+""", re.VERBOSE)
_LOCAL = re.compile(r"[^\s<>@,;:()\[\]\\\"]{1,64}|\"(?:[^\"\\\n]|\\.){1,62}\"")
_DOMAIN = re.compile(r"(?!-)[\w-]{1,63}(?<!-)(?:\.(?!-)[\w-]{1,63}(?<!-)){0,20}")
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f]")
NOBODY = "This mail does not say who it is from."
SEVERAL_LINES = "This mail has more than one From line, so its sender is not certain."
CONTROLS = "The From line of this mail holds signs that do not belong there."
UNREADABLE = "The From line of this mail cannot be read, or names more than one address."
MISNAMED = "The name in this mail's From line is an address, and not the one the mail is from."


def read_sender(headers: Message) -> tuple[str, str]:
    """Return the only From header's address and name, or comment. Raises UnsafeSender."""
    raw = [str(text) for key, text in headers.raw_items() if key.lower() == "from"]
    if not raw or not raw[0].strip():
        raise UnsafeSender(NOBODY)
    if len(raw) > 1:
        raise UnsafeSender(SEVERAL_LINES)
    if len(raw[0]) > MAX_FROM or _CONTROL.search(re.sub(r"\n(?=[ \t])", "", raw[0].rstrip())):
        raise UnsafeSender(CONTROLS)
    return _mailbox(unfold(raw[0]))


def _mailbox(text: str) -> tuple[str, str]:
    """Parse `Bill Taylor <bill@example.org>`, `bill@example.org (Bill Taylor)` or `bill@example.org`."""
    tokens, comment, closed = split_comments(_TOKEN.findall(text))
    if not closed or ")" in tokens:
        raise UnsafeSender(UNREADABLE)
    while tokens and not tokens[-1].strip():
        tokens.pop()
    name, address = comment, tokens
    if tokens and tokens[-1] == ">":
        if tokens.count("<") != 1 or tokens.count(">") != 1:
            raise UnsafeSender(UNREADABLE)
        at = tokens.index("<")
        name, address = _display_name(tokens[:at]) or comment, tokens[at + 1 : -1]
    checked = _safe_address("".join(address).strip())
    name = _decode_words(name).strip()
    if _CONTROL.search(name):
        raise UnsafeSender(CONTROLS)
    if "@" in name and name.strip("'\"<> ").lower() != checked.lower():
        raise UnsafeSender(MISNAMED)
    return checked, display_text(name)


def split_comments(tokens: Iterable[str]) -> tuple[list[str], str, bool]:
    """Split tokens from (nested) comments. Return tokens, the last comment, and if all closed."""
    kept: list[str] = []
    comment: list[str] = []
    depth = 0
    for token in tokens:
        if token == "(":
            comment = [*comment, token] if depth else []
            depth += 1
        elif token == ")" and depth:
            depth -= 1
            (comment if depth else kept).append(token if depth else "")
        else:
            (comment if depth else kept).append(token)
    return kept, "".join(comment), not depth


def _display_name(tokens: list[str]) -> str:
    """Return the display name. Raises UnsafeSender for signs of a list or group.

    A comma without an `@` is allowed: many programs write `Taylor, Bill <bill@example.org>` without quotes.
    """
    if not {":", ";", "\\", '"'}.isdisjoint(tokens) or {",", "@"} <= set(tokens):
        raise UnsafeSender(UNREADABLE)
    words = (re.sub(r"\\(.)", r"\1", t[1:-1]) if t.startswith('"') else t for t in tokens)
    return "".join(words).strip()


MAX_ADDRESS = 254
"""Characters that fit between the brackets of a path (RFC 5321 4.5.3.1.3)."""


def _safe_address(text: str) -> str:
    """Return the address with a lower-case domain, without needless quotes; raises UnsafeSender.

    Quoted text may look like another address: smtplib takes `"x@there, "@here` for x@there.
    """
    local, _, domain = text.rpartition("@")
    fits = len(domain) <= 253 and len(text) <= MAX_ADDRESS
    if not fits or not _LOCAL.fullmatch(local) or not _DOMAIN.fullmatch(domain):
        raise UnsafeSender(UNREADABLE)
    address = without_quotes(f"{local}@{domain.lower()}")
    if '"' in address or not address.isprintable():
        raise UnsafeSender(UNREADABLE)
    return address


def plain_address(text: str) -> str:
    """Return a typed address with a lower-case domain. Raises UnsafeSender where we could not write to it."""
    if not text.isascii() or '"' in text:
        raise UnsafeSender(UNREADABLE)
    return _safe_address(text)


def is_safe_recipient(address: str) -> bool:
    """True if this is one address that no program can misread."""
    try:
        return _safe_address(address).lower() == address.lower()
    except UnsafeSender:
        return False


_ID = re.compile(r"<[!-;=?-~]{1,248}>")
"""Printable ASCII only: ids go into our headers and the database."""


def message_id(headers: Message) -> str:
    text = header_value(headers, "message-id")
    match = _ID.search(text) or _ID.fullmatch(f"<{text.strip('<> ')}>")
    return match[0] if match else ""


def message_ids(headers: Message, name: str) -> tuple[str, ...]:
    """Return the last 20 ids of References or In-Reply-To. Each has at most 250 characters."""
    joined = " ".join(str(text)[-MAX_IDS * (MAX_ID + 1) :] for text in headers.get_all(name, []))
    return tuple(_ID.findall(joined)[-MAX_IDS:])


UNIQUE_HEADERS = frozenset(
    "from sender to cc subject date message-id in-reply-to references mime-version content-type "
    "content-transfer-encoding".split()
)
"""Headers read here that may occur only once (RFC 5322 3.6, RFC 2045 3)."""


def date_of(text: str) -> datetime | None:
    """Parse a Date header to UTC, None where it names no moment."""
    try:
        found = parsedate_to_datetime(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def utc_offset_of(text: str) -> timedelta | None:
    """Return the distance from UTC in a Date header, None for `-0000` (RFC 5322 3.3)."""
    try:
        return parsedate_to_datetime(text).utcoffset()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def describe_headers(headers: Message, body: bytes) -> Mail:
    """Return all that the headers say, and the seal, without a judgement."""
    try:
        (address, name), problem = read_sender(headers), ""
    except UnsafeSender as wrong:
        address, name, problem = "", "", str(wrong)
    subject = display_text(header_value(headers, "subject"))[:MAX_SUBJECT]
    date = date_of(header_value(headers, "date"))
    seal = ""
    if address and date:  # all that every signature covers, without its blanks (RFC 6376 3.4)
        signed = f"{address.lower()}\n{date.isoformat()}\n{subject}\n"
        seal = sha256(signed.encode("utf-8", "replace") + b" ".join(body.split())).hexdigest()
    return Mail(
        kind="refused" if problem else "person",
        reason=problem,
        sender=address,
        sender_name=name[:MAX_SUBJECT],
        subject=subject,
        message_id=message_id(headers),
        in_reply_to=message_ids(headers, "in-reply-to"),
        references=message_ids(headers, "references"),
        auth_results=_auth_results(headers),
        to=", ".join((*header_values(headers, "to"), *header_values(headers, "cc"))),
        received=tuple(header_values(headers, "received")),
        named=tuple(key.lower() for key in headers if key.lower() in UNIQUE_HEADERS),
        signed=tuple(header_values(headers, "dkim-signature")[:MAX_SIGNATURES]),
        date=date,
        utc_offset=utc_offset_of(header_value(headers, "date")),
        seal=seal,
    )


def _auth_results(headers: Message) -> tuple[tuple[str, int], ...]:
    names = [key.lower() for key, _value in headers.raw_items()]
    places = (at for at, name in enumerate(names) if name == "authentication-results")
    hops = (names[:at].count("received") for at in places)
    return tuple(zip(header_values(headers, "authentication-results"), hops, strict=True))
