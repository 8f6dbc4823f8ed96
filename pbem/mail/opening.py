"""Step 3: a mail's bytes -> an `Inbound`: who wrote it, what kind it is, the player's own words.

Limits come before parsers, headers before bodies, and a machine's mail is known before its text is
looked at. Nothing here raises, whatever the bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from email.message import Message
from hashlib import sha256

from pbem.core.blanking import without_secrets
from pbem.core.doubts import settled
from pbem.core.inbound import Envelope, Inbound
from pbem.core.orders import Orders
from pbem.core.words import normalise, parted
from pbem.core.wrapping import may_run_on, with_soft_ends
from pbem.mail.body import Unopenable, body_text, text_beside
from pbem.mail.covering import ONCE, date_of
from pbem.mail.headers import (
    SUBJECT_MOST,
    Unsafe,
    hops_above,
    message_id,
    message_ids,
    sender,
    shown,
    value,
    values,
)
from pbem.mail.parts import (
    TooMuch,
    check_addresses,
    check_headers,
    halves,
    parse_headers,
    parsed_part,
    trimmed,
)
from pbem.mail.robots import by_envelope, doubts, robot

SIGNATURES_MOST = 12

TRACE = frozenset(
    "received return-path delivered-to x-original-to authentication-results received-spf "
    "arc-seal arc-message-signature arc-authentication-results x-received".split()
)
"""Headers that hosts add on the way (RFC 5321 4.4, and what has become usual)."""


def open_mail(raw: bytes, envelope: Envelope, own_host: str | None = None) -> Inbound:
    """What `raw` is and says. `own_host`: our host name; None takes any game server's letters for ours."""
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
    """All that the headers say, and the digests; not yet judged."""
    _head, body = halves(whole)
    try:
        mailbox = sender(headers)
        address, name, problem = mailbox.address, mailbox.name, ""
    except Unsafe as wrong:
        address, name, problem = "", "", str(wrong)
    subject = shown(value(headers, "subject"))[:SUBJECT_MOST]
    date = date_of(value(headers, "date"))
    return Inbound(
        kind="refused" if problem else "person",
        reason=problem,
        sender=address,
        sender_name=name[:SUBJECT_MOST],
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
        signed=tuple(values(headers, "dkim-signature")[:SIGNATURES_MOST]),
        date=date,
        seal=_seal(address, date, subject, body) if address and date else "",
    )


def _seal(address: str, date: datetime, subject: str, body: bytes) -> str:
    """A digest of what every signature covers, whatever was done to its blanks (RFC 6376 3.4)."""
    head = f"{address.lower()}\n{date.isoformat()}\n{subject}\n".encode("utf-8", "replace")
    return sha256(head + b" ".join(body.split())).hexdigest()


def _read(known: Inbound, headers: Message, body: bytes) -> Inbound:
    """The mail with its text, or refused where that must not or cannot be read."""
    if known.kind == "refused":
        return _unread(known)
    try:
        check_addresses(headers)
        text = normalise(body_text(headers, body))
    except (Unopenable, TooMuch) as problem:
        return _unread(replace(known, kind="refused", reason=str(problem)))
    words, below, marked = parted(text)
    if may_run_on(words):
        words = with_soft_ends(words, normalise(text_beside(headers, body)))
    return replace(known, text=text, words=words, below=without_secrets(below), marked=marked)


def _unread(known: Inbound) -> Inbound:
    """A mail of which no word is read: what may be a machine's is taken for that."""
    return settled(known, Orders(), own=True)


def _digest(headers: Message, body: bytes) -> str:
    """SHA-256 over the body and all headers but those that hosts add on the way."""
    kept = [f"{name.lower()}:{text}" for name, text in headers.raw_items() if name.lower() not in TRACE]
    text = "\n".join(kept).encode("utf-8", "surrogateescape")
    return sha256(text + b"\n\n" + body.rstrip()).hexdigest()


def dedupe_key(raw: bytes, recipient: str) -> str:
    """What makes a mail the same mail: recipient, Message-ID and body; without an id all but trace headers.

    64 hex digits. Cheap and safe before anything else has looked at the bytes.
    """
    return dedupe_keys(raw, [recipient])[0]


def dedupe_keys(raw: bytes, recipients: Iterable[str]) -> list[str]:
    """The same for each of several recipients; the bytes are looked at once."""
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
