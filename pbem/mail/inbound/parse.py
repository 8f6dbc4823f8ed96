"""Step 3: parses a mail's bytes into a `Mail`. Nothing here raises.

Limits are checked before parsing, headers before bodies, and automatic mail is found before its text is read.
"""

from collections.abc import Iterable
from dataclasses import replace
from email.message import Message
from hashlib import sha256

from pbem.core.parsing.client_phrases import ANSWERED_SUBJECT
from pbem.core.parsing.inbound import Doubt, Envelope, Mail, settle_doubts
from pbem.core.parsing.mail_orders import MailCommands
from pbem.core.parsing.normalise import normalise
from pbem.core.parsing.reply_text import split_words
from pbem.core.parsing.wrapping import has_adjacent_lines, has_words_of, mark_soft_ends
from pbem.core.redact import without_secrets
from pbem.mail.inbound import mime
from pbem.mail.inbound.automatic import automatic_kind, bounce_by_envelope, find_doubts, is_away_text
from pbem.mail.inbound.body import (
    body_text,
    html_alternative,
    is_calendar_answer,
    names_of_files,
    readable_parts,
)
from pbem.mail.inbound.headers import describe_headers, header_value, message_id

TRACE_HEADERS = frozenset(
    "received return-path delivered-to x-original-to authentication-results received-spf "
    "arc-seal arc-message-signature arc-authentication-results x-received".split()
)
"""Headers that hosts add in transit (RFC 5321 4.4, and usual others)."""


def parse_mail(raw: bytes, envelope: Envelope, own_host: str | None = None) -> Mail:
    """Parse a mail. `own_host`: our host name; with None the letters of any game server count as our own."""
    whole = mime.trim_mail(raw)
    try:
        headers, body = mime.parse_head(whole[: mime.MAX_PARSED])
    except mime.UnreadableMail as excess:
        return Mail(*(bounce_by_envelope(envelope) or ("refused", str(excess))))
    known = describe_headers(headers, mime.split_head(whole)[1])
    sign = automatic_kind(headers, envelope, own_host, known.sender)
    if sign:
        return replace(known, kind=sign[0], reason=sign[1])
    return _add_text(replace(known, doubts=find_doubts(headers)), headers, body)


def _add_text(known: Mail, headers: Message, body: bytes) -> Mail:
    """Add the text, or refuse the mail where it cannot be read. Then any doubt makes it automatic."""
    problem = known.reason
    try:
        if not problem:
            mime.check_addresses(headers)
            parts = readable_parts(headers, body)
            if any(is_calendar_answer(part) for part in parts):
                doubt = Doubt("calendar", "robot", "an answer of a calendar")
                known = replace(known, doubts=(*known.doubts, doubt))
            text = normalise(body_text(parts))
    except mime.UnreadableMail as wrong:
        problem = str(wrong)
    if problem:
        return settle_doubts(replace(known, kind="refused", reason=problem), MailCommands(), own=True)
    words, below, marked = split_words(text)
    subject_alone = not words.strip()
    words = _typed_subject(known) if subject_alone else words
    shown, unseen = html_alternative(parts) if words else ("", [])
    if has_adjacent_lines(words):
        words = mark_soft_ends(words, normalise(shown))
    struck = has_words_of(words, [normalise(piece) for piece in unseen])
    below, away = without_secrets(below), is_away_text(words)
    known = replace(known, attachments=names_of_files(parts), subject_alone=subject_alone)
    return replace(
        known, text=text, words=words, signature_text=below, marked=marked, struck=struck, is_away=away
    )


def _typed_subject(known: Mail) -> str:
    """Return the Subject, as the words of a mail without any, if its writer typed it."""
    ours = known.is_silent or ANSWERED_SUBJECT.search(known.subject)
    return "" if ours else normalise(known.subject)


def dedupe_keys(raw: bytes, recipients: Iterable[str]) -> list[str]:
    """Return each recipient's key for finding duplicate mails; unchecked bytes are safe here.

    The key covers recipient, From, Message-ID and body; without an id, everything but trace headers.
    """
    identity = _identity(raw)
    named = (f"{recipient.lower()}\n{identity}" for recipient in recipients)
    return [sha256(name.encode("utf-8", "replace")).hexdigest() for name in named]


def _identity(raw: bytes) -> str:
    whole = mime.trim_mail(raw)
    try:
        headers, body = mime.parse_head(whole)
    except mime.UnreadableMail:
        return sha256(whole).hexdigest()
    if own := message_id(headers):
        sender = sha256(header_value(headers, "from").encode("utf-8", "replace")).hexdigest()
        return f"{own} {sender} {sha256(body.rstrip()).hexdigest()}"
    named = ((name.lower(), text) for name, text in headers.raw_items())
    kept = "\n".join(f"{name}:{text}" for name, text in named if name not in TRACE_HEADERS)
    return sha256(kept.encode("utf-8", "surrogateescape") + b"\n\n" + body.rstrip()).hexdigest()
