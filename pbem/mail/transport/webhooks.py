"""Mail that a provider posts to us: proof of origin, then content.

Each provider's function checks its proof before it reads the rest. The functions are pure: keys, the time and
a function for certificates are arguments. A replayed proof gives a duplicate. Where the proof does not cover
the mail (Mailgun's), it is good for one mail only.
"""

import hmac
import json
import re
from base64 import b64decode
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple, Protocol
from urllib.parse import unquote

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.serialization import load_der_public_key

from pbem.mail.inbound.envelope import UNKNOWN_SENDER, envelope_sender
from pbem.mail.transport.smtp_server import MAX_RECIPIENTS, ReceivedMail

MAX_TIMESTAMP_GAP = timedelta(minutes=5)
"""Largest clock difference where each post has a new timestamp."""
MAX_RETRY_GAP = timedelta(days=3)
"""Largest age where a provider retries with the first timestamp."""


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


class Subscription(NamedTuple):
    """Amazon's question if our topic's posts should come here. Opening `url` agrees."""

    url: str


def read_mailgun(fields: Mapping[str, bytes], key: str, now: datetime) -> Delivery:
    """Read Mailgun's route `forward("…/mail/mailgun/mime")`: HMAC-SHA256 over timestamp and token."""
    timestamp, token = _text(fields, "timestamp"), _text(fields, "token")
    _require_equal(_hmac(key, f"{timestamp}{token}".encode()), fields.get("signature", b""))
    _require_recent(timestamp, now, MAX_TIMESTAMP_GAP)
    if not re.fullmatch(r"[!-~]{16,100}", token):
        raise ForgedPost("no token")
    raw = fields.get("body-mime")
    if raw is None:
        raise UnusablePost("There is no body-mime; the address of the route must end in /mime.")
    sender = _text(fields, "sender") if "sender" in fields else UNKNOWN_SENDER
    return Delivery(_arrival(raw, sender, _text(fields, "recipient").split(",")), token)


def read_sendgrid(
    headers: Headers, body: bytes, fields: Callable[[], Mapping[str, bytes]], key: str, now: datetime
) -> Delivery:
    """Read SendGrid's Inbound Parse, raw and signed. The proof is ECDSA over timestamp and the whole body."""
    timestamp = headers.get("X-Twilio-Email-Event-Webhook-Timestamp", "")
    signature = _base64(headers.get("X-Twilio-Email-Event-Webhook-Signature", ""))
    public = load_der_public_key(b64decode(key))
    assert isinstance(public, ec.EllipticCurvePublicKey)  # as the setting's parser has checked
    try:
        public.verify(signature, timestamp.encode() + body, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        raise ForgedPost("wrong signature") from None
    _require_recent(timestamp, now, MAX_RETRY_GAP)
    given = fields()
    raw = given.get("email")
    if raw is None:
        raise UnusablePost("There is no field email; tick: POST the raw, full MIME message.")
    envelope = _json(given.get("envelope", b""))
    return Delivery(_arrival(raw, envelope.get("from"), envelope.get("to")))


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
    _require_recent(timestamp, now, MAX_TIMESTAMP_GAP)
    return Delivery(_arrival(body, unquote(sender), [unquote(each) for each in recipients.split(",")]))


def read_ses(
    body: bytes, topic: str, now: datetime, certificate: Callable[[str], bytes]
) -> Delivery | Subscription:
    """Read Amazon SES through an SNS topic.

    The proof is RSA, with a certificate from Amazon's own host in the topic's region. `certificate` fetches
    the PEM at an address; it is called for no other host.
    """
    try:
        posted = _json(body)
    except UnusablePost as wrong:
        raise ForgedPost(str(wrong)) from None
    if posted.get("TopicArn") != topic:
        raise ForgedPost("another topic")
    _arn, partition, _sns, region, *_rest = topic.split(":")
    host = re.escape(f"sns.{region}.amazonaws.com" + (".cn" if partition == "aws-cn" else ""))
    _verify_sns(posted, host, now, certificate)
    if posted["Type"] == "SubscriptionConfirmation":
        url = str(posted.get("SubscribeURL", ""))
        if not re.fullmatch(rf"https://{host}/\?[!-~]+", url):
            raise ForgedPost("a subscription elsewhere")
        return Subscription(url)
    return Delivery(_mail_of_ses(_json(str(posted.get("Message", "")).encode())))


_SIGNED = {
    "Notification": "Message MessageId Subject Timestamp TopicArn Type".split(),
    "SubscriptionConfirmation": "Message MessageId SubscribeURL Timestamp Token TopicArn Type".split(),
}
"""Signed fields by type, in this order; missing ones are left out."""
_HASHES: dict[str, hashes.HashAlgorithm] = {"1": hashes.SHA1(), "2": hashes.SHA256()}  # noqa: S303


def _verify_sns(posted: Mapping[str, Any], host: str, now: datetime, fetch: Callable[[str], bytes]) -> None:
    """Check the signature by a certificate from `host`, a regular expression. Raises ForgedPost."""
    names = _SIGNED.get(str(posted.get("Type")))
    algorithm = _HASHES.get(str(posted.get("SignatureVersion")))
    url = str(posted.get("SigningCertURL", ""))
    if names is None or algorithm is None:
        raise ForgedPost("no signature that is known here")
    if not re.fullmatch(rf"https://{host}/SimpleNotificationService-[0-9A-Za-z]{{1,64}}\.pem", url):
        raise ForgedPost("a certificate from elsewhere")
    _require_recent(str(posted.get("Timestamp", "")), now, MAX_RETRY_GAP)
    text = "".join(f"{name}\n{posted[name]}\n" for name in names if posted.get(name) is not None)
    certificate = x509.load_pem_x509_certificate(fetch(url))
    if not certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc:
        raise ForgedPost("a certificate that is not valid now")
    public = certificate.public_key()
    if not isinstance(public, rsa.RSAPublicKey):
        raise ForgedPost("a certificate for something else")
    signature = _base64(str(posted.get("Signature", "")))
    try:
        public.verify(signature, text.encode("utf-8", "replace"), padding.PKCS1v15(), algorithm)
    except InvalidSignature:
        raise ForgedPost("wrong signature") from None


def _mail_of_ses(told: Mapping[str, Any]) -> ReceivedMail:
    content, receipt, mail = told.get("content"), told.get("receipt"), told.get("mail")
    if not isinstance(content, str) or not isinstance(receipt, dict) or not isinstance(mail, dict):
        raise UnusablePost(
            "There is no mail in it; the rule of SES must hand mail to SNS whole (action: SNS)."
        )
    raw, action = content.encode("utf-8", "replace"), receipt.get("action")
    if isinstance(action, dict) and str(action.get("encoding", "")).lower() == "base64":
        try:
            raw = b64decode(content, validate=True)
        except ValueError:
            raise UnusablePost("Its content is not the base64 that it is said to be.") from None
    return _arrival(raw, mail.get("source"), receipt.get("recipients"))


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


def _require_recent(timestamp: str, now: datetime, most: timedelta) -> None:
    """Check seconds since 1970 or a moment of ISO 8601; raises ForgedPost."""
    try:
        seconds = re.fullmatch(r"[0-9]{1,11}", timestamp)
        if not seconds and not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z", timestamp):
            raise ValueError
        then = datetime.fromtimestamp(int(timestamp), UTC) if seconds else datetime.fromisoformat(timestamp)
    except ValueError:
        raise ForgedPost("no timestamp") from None
    if abs(then - now) > most:
        raise ForgedPost("too old")
