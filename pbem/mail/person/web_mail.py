"""Mails made from a web form in the player's name; our signature stands for the check of DNS."""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from pbem.core.parsing.inbound import Envelope, Inbound
from pbem.mail.inbound.parse import parse_mail
from pbem.mail.person.compose import Draft, compose

FORM_HEADER = b"X-Handed-In: "
MAC_PURPOSE = b"pbem mail handed in on the web: "


@dataclass(frozen=True)
class SubmittedForm:
    """A submitted form with its number: sent twice it is the same mail twice, and is stored once."""

    sender: str
    to: str
    subject: str
    body: str
    number: str


def make_form_mail(sheet: SubmittedForm, host: str, keys: Sequence[bytes], at: datetime) -> bytes:
    """Write the mail, with its signature header first."""
    digest = sha256(f"{sheet.to}\n{sheet.number}\n{sheet.body}".encode("utf-8", "replace")).hexdigest()
    mail = _compose(sheet, f"<handed-in.{digest[:40]}@{host}>", at)
    return FORM_HEADER + _form_mac(keys[0], mail) + b"\r\n" + mail


def is_form_mail(raw: bytes, keys: Sequence[bytes]) -> bool:
    """Say if a mail was made here and is unchanged."""
    first, _, mail = raw.partition(b"\r\n")
    given = first.removeprefix(FORM_HEADER)
    return given != first and any(hmac.compare_digest(given, _form_mac(key, mail)) for key in keys)


def parse_form_mail(sheet: SubmittedForm, host: str) -> Inbound:
    raw = _compose(sheet, f"<handed-in@{host}>", datetime(2000, 1, 1, tzinfo=UTC))
    return parse_mail(raw, Envelope(sheet.sender, sheet.to), host)


def _compose(sheet: SubmittedForm, message_id: str, at: datetime) -> bytes:
    return compose(Draft(sheet.sender, sheet.to, sheet.subject, sheet.body), message_id, at)


def _form_mac(key: bytes, mail: bytes) -> bytes:
    return hmac.digest(hmac.digest(key, MAC_PURPOSE, sha256), mail, sha256).hex().encode()
