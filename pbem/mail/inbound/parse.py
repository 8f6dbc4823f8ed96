"""Step 3: parses a mail's bytes into an `Inbound`.

The result has the sender, the kind of mail and the player's own words. Limits are checked before parsing,
headers before bodies, and automatic mail is found before its text is read. Nothing here raises.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from email.message import Message
from hashlib import sha256

from pbem.core.parsing.doubts import settle_doubts
from pbem.core.parsing.inbound import Envelope, Inbound
from pbem.core.parsing.mail_orders import MailCommands
from pbem.core.parsing.reply_text import normalise, split_words
from pbem.core.parsing.wrapping import has_adjacent_lines, mark_soft_ends
from pbem.core.redact import without_secrets
from pbem.mail.inbound.automatic import by_envelope, doubts, robot
from pbem.mail.inbound.body import Unopenable, body_text, text_beside
from pbem.mail.inbound.headers import (
    MAX_SUBJECT,
    ONCE,
    Unsafe,
    date_of,
    hops_above,
    message_id,
    message_ids,
    sender,
    shown,
    value,
    values,
)
from pbem.mail.inbound.mime import (
    TooMuch,
    check_addresses,
    check_headers,
    halves,
    parse_headers,
    parsed_part,
    trimmed,
)

MAX_SIGNATURES = 12

TRACE = frozenset(
    "received return-path delivered-to x-original-to authentication-results received-spf "
    "arc-seal arc-message-signature arc-authentication-results x-received".split()
)
"""Headers that hosts add in transit (RFC 5321 4.4, and usual others)."""


def open_mail(raw: bytes, envelope: Envelope, own_host: str | None = None) -> Inbound:
    """Parse a mail. `own_host`: our host name; with None the letters of any game server count as our own."""
    whole = trimmed(raw)
    head, body = halves(parsed_part(whole))
    try:
        check_headers(head)
    except TooMuch as excess:
        found = by_envelope(envelope)
        kind, reason = found or ("refused", str(excess))
        return Inbound(kind, reason, digest=sha256(whole).hexdigest())
    headers = parse_headers(head)
    known = _described(headers, whole)
    machine = robot(headers, envelope, own_host)
    if machine:
        return replace(known, kind=machine.kind, reason=machine.reason)
    return _read(replace(known, doubts=doubts(headers)), headers, body)


def _described(headers: Message, whole: bytes) -> Inbound:
    """Return all that the headers say, and the digests, without a judgement."""
    _head, body = halves(whole)
    try:
        mailbox = sender(headers)
        address, name, problem = mailbox.address, mailbox.name, ""
    except Unsafe as wrong:
        address, name, problem = "", "", str(wrong)
    subject = shown(value(headers, "subject"))[:MAX_SUBJECT]
    date = date_of(value(headers, "date"))
    return Inbound(
        kind="refused" if problem else "person",
        reason=problem,
        sender=address,
        sender_name=name[:MAX_SUBJECT],
        subject=subject,
        message_id=message_id(headers),
        in_reply_to=message_ids(headers, "in-reply-to"),
        references=message_ids(headers, "references"),
        auth_results=tuple(values(headers, "authentication-results")),
        auth_hops=hops_above(headers, "authentication-results"),
        to=", ".join((*values(headers, "to"), *values(headers, "cc"))),
        received=tuple(values(headers, "received")),
        body_digest=sha256(body.rstrip()).hexdigest(),
        digest=_digest(headers, body),
        named=tuple(name for key in headers if (name := key.lower()) in ONCE),
        signed=tuple(values(headers, "dkim-signature")[:MAX_SIGNATURES]),
        date=date,
        seal=_seal(address, date, subject, body) if address and date else "",
    )


def _seal(address: str, date: datetime, subject: str, body: bytes) -> str:
    """Digest what every signature covers, without its blanks (RFC 6376 3.4)."""
    head = f"{address.lower()}\n{date.isoformat()}\n{subject}\n".encode("utf-8", "replace")
    return sha256(head + b" ".join(body.split())).hexdigest()


def _read(known: Inbound, headers: Message, body: bytes) -> Inbound:
    """Add the text, or refuse the mail where it cannot be read."""
    if known.kind == "refused":
        return _unread(known)
    try:
        check_addresses(headers)
        text = normalise(body_text(headers, body))
    except (Unopenable, TooMuch) as problem:
        return _unread(replace(known, kind="refused", reason=str(problem)))
    words, below, marked = split_words(text)
    if has_adjacent_lines(words):
        words = mark_soft_ends(words, normalise(text_beside(headers, body)))
    return replace(known, text=text, words=words, signature_text=without_secrets(below), marked=marked)


def _unread(known: Inbound) -> Inbound:
    """Settle the kind of a mail that is not read; doubts make it automatic."""
    return settle_doubts(known, MailCommands(), own=True)


def _digest(headers: Message, body: bytes) -> str:
    """Digest the body and all headers but trace headers, by SHA-256."""
    kept = [f"{name.lower()}:{text}" for name, text in headers.raw_items() if name.lower() not in TRACE]
    text = "\n".join(kept).encode("utf-8", "surrogateescape")
    return sha256(text + b"\n\n" + body.rstrip()).hexdigest()


def dedupe_key(raw: bytes, recipient: str) -> str:
    """Return the key that finds a mail sent twice, 64 hex digits.

    It covers recipient, Message-ID and body; without an id all but trace headers. Safe before any other check
    of the bytes.
    """
    return dedupe_keys(raw, [recipient])[0]


def dedupe_keys(raw: bytes, recipients: Iterable[str]) -> list[str]:
    """Return such keys for several recipients, with one pass over the bytes."""
    identity = _identity(raw)
    named = (f"{recipient.lower()}\n{identity}" for recipient in recipients)
    return [sha256(name.encode("utf-8", "replace")).hexdigest() for name in named]


def _identity(raw: bytes) -> str:
    whole = trimmed(raw)
    head, body = halves(whole)
    try:
        check_headers(head)
    except TooMuch:
        return sha256(whole).hexdigest()
    headers = parse_headers(head)
    own = message_id(headers)
    return f"{own} {sha256(body.rstrip()).hexdigest()}" if own else _digest(headers, body)
