"""Mails made from a web form in the player's name; our signature stands for the check of DNS."""

import hmac
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256

from pbem.core.parsing.inbound import Envelope, Inbound
from pbem.mail.inbound.parse import parse_mail
from pbem.mail.person.compose import Draft, compose

FORM_HEADER = b"X-Handed-In: "
MAC_PURPOSE = b"pbem mail handed in on the web: "


def make_form_mail(draft: Draft, number: str, host: str, keys: Sequence[bytes], at: datetime) -> bytes:
    """Write the mail of form `number`, signed; the same form sent twice is the same mail, stored once."""
    digest = sha256(f"{draft.to}\n{number}\n{draft.words}".encode("utf-8", "replace")).hexdigest()
    mail = compose(draft, f"<handed-in.{digest[:40]}@{host}>", at)
    return FORM_HEADER + _form_mac(keys[0], mail) + b"\r\n" + mail


def is_form_mail(raw: bytes, keys: Sequence[bytes]) -> bool:
    """Say if a mail was made here and is unchanged."""
    first, _, mail = raw.partition(b"\r\n")
    given = first.removeprefix(FORM_HEADER)
    return given != first and any(hmac.compare_digest(given, _form_mac(key, mail)) for key in keys)


def parse_form_mail(draft: Draft, host: str) -> Inbound:
    raw = compose(draft, f"<handed-in@{host}>", datetime(2000, 1, 1, tzinfo=UTC))
    return parse_mail(raw, Envelope(draft.sender, draft.to), host)


def _form_mac(key: bytes, mail: bytes) -> bytes:
    return hmac.digest(hmac.digest(key, MAC_PURPOSE, sha256), mail, sha256).hex().encode()
