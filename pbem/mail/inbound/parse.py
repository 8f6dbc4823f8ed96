"""Step 3: parses a mail's bytes into an `Inbound`.

The result has the sender, the kind of mail and the player's own words. Limits are checked before parsing,
headers before bodies, and automatic mail is found before its text is read. Nothing here raises.
"""

from collections.abc import Iterable
from dataclasses import replace
from email.message import Message
from hashlib import sha256

from pbem.core.parsing.doubts import settle_doubts
from pbem.core.parsing.inbound import Envelope, Inbound
from pbem.core.parsing.mail_orders import MailCommands
from pbem.core.parsing.normalise import normalise
from pbem.core.parsing.reply_text import split_words
from pbem.core.parsing.wrapping import has_adjacent_lines, mark_soft_ends
from pbem.core.redact import without_secrets
from pbem.mail.inbound.automatic import automatic_kind, bounce_by_envelope, find_doubts
from pbem.mail.inbound.body import UnreadableMail, body_text, html_alternative, readable_parts
from pbem.mail.inbound.headers import (
    MAX_SUBJECT,
    UNIQUE_HEADERS,
    Mailbox,
    UnsafeSender,
    date_of,
    display_text,
    header_value,
    header_values,
    message_id,
    message_ids,
    read_sender,
    values_below_hops,
)
from pbem.mail.inbound.mime import (
    MAX_PARSED,
    LimitExceeded,
    check_addresses,
    parse_head,
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
    try:
        headers, body = parse_head(whole[:MAX_PARSED])
    except LimitExceeded as excess:
        return Inbound(*(bounce_by_envelope(envelope) or ("refused", str(excess))))
    known = _describe_headers(headers, split_head(whole)[1])
    sign = automatic_kind(headers, envelope, own_host, known.sender)
    if sign:
        return replace(known, kind=sign[0], reason=sign[1])
    return _add_text(replace(known, doubts=find_doubts(headers)), headers, body)


def _describe_headers(headers: Message, body: bytes) -> Inbound:
    """Return all that the headers say, and the seal, without a judgement."""
    try:
        mailbox, problem = read_sender(headers), ""
    except UnsafeSender as wrong:
        mailbox, problem = Mailbox("", ""), str(wrong)
    subject = display_text(header_value(headers, "subject"))[:MAX_SUBJECT]
    date = date_of(header_value(headers, "date"))
    seal = ""
    if mailbox.address and date:  # all that every signature covers, without its blanks (RFC 6376 3.4)
        signed = f"{mailbox.address.lower()}\n{date.isoformat()}\n{subject}\n"
        seal = sha256(signed.encode("utf-8", "replace") + b" ".join(body.split())).hexdigest()
    return Inbound(
        kind="refused" if problem else "person",
        reason=problem,
        sender=mailbox.address,
        sender_name=mailbox.name[:MAX_SUBJECT],
        subject=subject,
        message_id=message_id(headers),
        in_reply_to=message_ids(headers, "in-reply-to"),
        references=message_ids(headers, "references"),
        auth_results=values_below_hops(headers, "authentication-results"),
        to=", ".join((*header_values(headers, "to"), *header_values(headers, "cc"))),
        received=tuple(header_values(headers, "received")),
        named=tuple(name for key in headers if (name := key.lower()) in UNIQUE_HEADERS),
        signed=tuple(header_values(headers, "dkim-signature")[:MAX_SIGNATURES]),
        date=date,
        seal=seal,
    )


def _add_text(known: Inbound, headers: Message, body: bytes) -> Inbound:
    """Add the text, or refuse the mail where it cannot be read. Then any doubt makes it automatic."""
    problem = known.reason
    try:
        if not problem:
            check_addresses(headers)
            parts = readable_parts(headers, body)
            text = normalise(body_text(parts))
    except (UnreadableMail, LimitExceeded) as wrong:
        problem = str(wrong)
    if problem:
        return settle_doubts(replace(known, kind="refused", reason=problem), MailCommands(), own=True)
    words, below, marked = split_words(text)
    if has_adjacent_lines(words):
        words = mark_soft_ends(words, normalise(html_alternative(parts)))
    return replace(known, text=text, words=words, signature_text=without_secrets(below), marked=marked)


def dedupe_keys(raw: bytes, recipients: Iterable[str]) -> list[str]:
    """Return the key of each recipient that finds a mail sent twice, 64 hex digits.

    It covers recipient, Message-ID and body; without an id all but trace headers. Safe before any other check
    of the bytes.
    """
    identity = _identity(raw)
    named = (f"{recipient.lower()}\n{identity}" for recipient in recipients)
    return [sha256(name.encode("utf-8", "replace")).hexdigest() for name in named]


def _identity(raw: bytes) -> str:
    whole = trim_mail(raw)
    try:
        headers, body = parse_head(whole)
    except LimitExceeded:
        return sha256(whole).hexdigest()
    if own := message_id(headers):
        return f"{own} {sha256(body.rstrip()).hexdigest()}"
    named = ((name.lower(), text) for name, text in headers.raw_items())
    kept = "\n".join(f"{name}:{text}" for name, text in named if name not in TRACE_HEADERS)
    return sha256(kept.encode("utf-8", "surrogateescape") + b"\n\n" + body.rstrip()).hexdigest()
