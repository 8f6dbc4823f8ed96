"""Mail that a provider posts to us: proof of origin, then content.

Each provider's function checks its proof before it reads the rest. The functions are pure: keys and the time
are arguments. A replayed proof gives a duplicate. Where the proof does not cover the mail (Mailgun's), it is
good for one mail only.
"""

import hmac
import json
import re
from base64 import b64decode
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple, Protocol
from urllib.parse import unquote

from pbem.mail.inbound.envelope import UNKNOWN_SENDER, envelope_sender
from pbem.mail.transport.smtp_server import MAX_RECIPIENTS, ReceivedMail

MAX_TIMESTAMP_GAP = timedelta(minutes=5)
"""Largest difference between our clock and a post's timestamp."""


class Headers(Protocol):
    def get(self, name: str, default: str, /) -> str: ...


class ForgedPost(Exception):
    """The proof is missing, wrong, or too old: trust nothing of this."""


class UnusablePost(ValueError):
    """The provider's post holds no usable mail; `str()` says what to change."""


class Delivery(NamedTuple):
    """A delivered mail; `once` is a word good for one mail only."""

    mail: ReceivedMail
    once: str | None = None


def read_mailgun(fields: Mapping[str, bytes], key: str, now: datetime) -> Delivery:
    """Read Mailgun's route `forward("…/mail/mailgun/mime")`: HMAC-SHA256 over timestamp and token."""
    timestamp, token = _text(fields, "timestamp"), _text(fields, "token")
    _require_equal(_hmac(key, f"{timestamp}{token}".encode()), fields.get("signature", b""))
    _require_recent(timestamp, now)
    if not re.fullmatch(r"[!-~]{16,100}", token):
        raise ForgedPost("no token")
    raw = fields.get("body-mime")
    if raw is None:
        raise UnusablePost("There is no body-mime; the address of the route must end in /mime.")
    sender = _text(fields, "sender") if "sender" in fields else UNKNOWN_SENDER
    return Delivery(_arrival(raw, sender, _text(fields, "recipient").split(",")), token)


def read_postmark(authorization: str, body: bytes, login: str) -> Delivery:
    """Read Postmark's inbound webhook with the raw mail. HTTP basic authentication protects it (RFC 7617)."""
    scheme, _, credentials = authorization.partition(" ")
    if scheme.lower() != "basic":
        raise ForgedPost("no login")
    _require_equal(login.encode(), _base64(credentials.strip()))
    posted = _json(body)
    text = posted.get("RawEmail")
    if not isinstance(text, str):
        raise UnusablePost("There is no RawEmail; tick: Include raw email content in JSON payload.")
    raw = text.encode("utf-8", "replace")
    return Delivery(_arrival(raw, envelope_sender(raw), [posted.get("OriginalRecipient")]))


def read_signed_post(headers: Headers, body: bytes, key: str, now: datetime) -> Delivery:
    """Read our own format, where the body is the mail. Any HMAC-SHA256 client can sign it.

    The signature covers the headers X-PBEM-Timestamp, X-PBEM-Sender and X-PBEM-Recipient (percent-encoded
    addresses, several with commas), each with a newline after it, and the body.
    """
    timestamp, sender, recipients, signature = (
        headers.get(f"X-PBEM-{name}", "") for name in ("Timestamp", "Sender", "Recipient", "Signature")
    )
    head = f"{timestamp}\n{sender}\n{recipients}\n".encode()
    _require_equal(_hmac(key, head + body), signature.encode("utf-8", "replace"))
    _require_recent(timestamp, now)
    return Delivery(_arrival(body, unquote(sender), [unquote(each) for each in recipients.split(",")]))


def _arrival(raw: bytes, sender: object, recipients: object) -> ReceivedMail:
    if not isinstance(recipients, list) or not raw.strip():
        raise UnusablePost("There is no mail in it, or nobody it is for.")
    names = [each.strip().strip("<>") for each in recipients[:MAX_RECIPIENTS] if isinstance(each, str)]
    known = sender.strip().strip("<>") if isinstance(sender, str) else UNKNOWN_SENDER
    return ReceivedMail(raw, known, tuple(dict.fromkeys(name for name in names if name)))


def _text(fields: Mapping[str, bytes], name: str) -> str:
    return fields.get(name, b"").decode("utf-8", "replace")


def _json(text: bytes) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise UnusablePost("This is not the JSON that was to come.")
    return found


def _hmac(key: str, text: bytes) -> bytes:
    return hmac.digest(key.encode(), text, sha256).hex().encode()


def _require_equal(ours: bytes, theirs: bytes) -> None:
    """Compare in constant time; raises ForgedPost."""
    if not hmac.compare_digest(ours, theirs):
        raise ForgedPost("wrong proof")


def _base64(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError:
        raise ForgedPost("no base64") from None


def _require_recent(timestamp: str, now: datetime) -> None:
    """Check seconds since 1970; raises ForgedPost."""
    if not re.fullmatch(r"[0-9]{1,11}", timestamp):
        raise ForgedPost("no timestamp")
    if abs(datetime.fromtimestamp(int(timestamp), UTC) - now) > MAX_TIMESTAMP_GAP:
        raise ForgedPost("too old")
