"""Step 3: parses a mail's bytes into an `Inbound`.

The result has the sender, the kind of mail and the player's own words. Limits are checked before parsing,
headers before bodies, and automatic mail is found before its text is read. Nothing here raises.
"""

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
from pbem.mail.inbound.automatic import automatic_kind, bounce_by_envelope, find_doubts
from pbem.mail.inbound.body import UnreadableMail, body_text, html_alternative
from pbem.mail.inbound.headers import (
    MAX_SUBJECT,
    UNIQUE_HEADERS,
    UnsafeSender,
    count_hops_above,
    date_of,
    display_text,
    header_value,
    header_values,
    message_id,
    message_ids,
    read_sender,
)
from pbem.mail.inbound.mime import (
    LimitExceeded,
    check_addresses,
    check_headers,
    limit_parsed,
    parse_headers,
    split_head,
    trim_mail,
)

MAX_SIGNATURES = 12

TRACE_HEADERS = frozenset(
    "received return-path delivered-to x-original-to authentication-results received-spf "
    "arc-seal arc-message-signature arc-authentication-results x-received".split()
)
"""Headers that hosts add in transit (RFC 5321 4.4, and usual others)."""


def parse_mail(raw: bytes, envelope: Envelope, own_host: str | None = None) -> Inbound:
    """Parse a mail. `own_host`: our host name; with None the letters of any game server count as our own."""
    whole = trim_mail(raw)
    head, body = split_head(limit_parsed(whole))
    try:
        check_headers(head)
    except LimitExceeded as excess:
        found = bounce_by_envelope(envelope)
        kind, reason = found or ("refused", str(excess))
        return Inbound(kind, reason, digest=sha256(whole).hexdigest())
    headers = parse_headers(head)
    known = _describe_headers(headers, whole)
    machine = automatic_kind(headers, envelope, own_host)
    if machine:
        return replace(known, kind=machine.kind, reason=machine.reason)
    return _add_text(replace(known, doubts=find_doubts(headers)), headers, body)


def _describe_headers(headers: Message, whole: bytes) -> Inbound:
    """Return all that the headers say, and the digests, without a judgement."""
    _head, body = split_head(whole)
    try:
        mailbox = read_sender(headers)
        address, name, problem = mailbox.address, mailbox.name, ""
    except UnsafeSender as wrong:
        address, name, problem = "", "", str(wrong)
    subject = display_text(header_value(headers, "subject"))[:MAX_SUBJECT]
    date = date_of(header_value(headers, "date"))
    return Inbound(
        kind="refused" if problem else "person",
        reason=problem,
        sender=address,
        sender_name=name[:MAX_SUBJECT],
        subject=subject,
        message_id=message_id(headers),
        in_reply_to=message_ids(headers, "in-reply-to"),
        references=message_ids(headers, "references"),
        auth_results=tuple(header_values(headers, "authentication-results")),
        auth_hops=count_hops_above(headers, "authentication-results"),
        to=", ".join((*header_values(headers, "to"), *header_values(headers, "cc"))),
        received=tuple(header_values(headers, "received")),
        digest=_digest(headers, body),
        named=tuple(name for key in headers if (name := key.lower()) in UNIQUE_HEADERS),
        signed=tuple(header_values(headers, "dkim-signature")[:MAX_SIGNATURES]),
        date=date,
        seal=_signed_digest(address, date, subject, body) if address and date else "",
    )


def _signed_digest(address: str, date: datetime, subject: str, body: bytes) -> str:
    """Digest what every signature covers, without its blanks (RFC 6376 3.4)."""
    head = f"{address.lower()}\n{date.isoformat()}\n{subject}\n".encode("utf-8", "replace")
    return sha256(head + b" ".join(body.split())).hexdigest()


def _add_text(known: Inbound, headers: Message, body: bytes) -> Inbound:
    """Add the text, or refuse the mail where it cannot be read."""
    if known.kind == "refused":
        return _settle_unread(known)
    try:
        check_addresses(headers)
        text = normalise(body_text(headers, body))
    except (UnreadableMail, LimitExceeded) as problem:
        return _settle_unread(replace(known, kind="refused", reason=str(problem)))
    words, below, marked = split_words(text)
    if has_adjacent_lines(words):
        words = mark_soft_ends(words, normalise(html_alternative(headers, body)))
    return replace(known, text=text, words=words, signature_text=without_secrets(below), marked=marked)


def _settle_unread(known: Inbound) -> Inbound:
    """Settle the kind of a mail that is not read; doubts make it automatic."""
    return settle_doubts(known, MailCommands(), own=True)


def _digest(headers: Message, body: bytes) -> str:
    """Digest the body and all headers but trace headers, by SHA-256."""
    kept = [
        f"{name.lower()}:{text}" for name, text in headers.raw_items() if name.lower() not in TRACE_HEADERS
    ]
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
    whole = trim_mail(raw)
    head, body = split_head(whole)
    try:
        check_headers(head)
    except LimitExceeded:
        return sha256(whole).hexdigest()
    headers = parse_headers(head)
    own = message_id(headers)
    return f"{own} {sha256(body.rstrip()).hexdigest()}" if own else _digest(headers, body)
