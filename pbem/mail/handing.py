"""A mail made of a form on our own pages, which stands for the one its player would have written.

It is sealed under our key: nobody's name servers need be asked whether it is genuine, for the link that
the form was opened with is the same credential as the reply address. Whoever has no key cannot make one.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from pbem.mail.composing import Draft, compose
from pbem.mail.opening import Envelope, Inbound, open_mail

SEAL = b"X-Handed-In: "
PURPOSE = b"pbem mail handed in on the web: "


@dataclass(frozen=True)
class Sheet:
    """What was handed in: whose address, for which of our addresses, the body, and the form's own number.

    The same form sent twice is the same mail twice, and filed once.
    """

    sender: str
    to: str
    subject: str
    body: str
    number: str


def handed(sheet: Sheet, host: str, keys: Sequence[bytes], at: datetime) -> bytes:
    """The finished mail, its seal on top."""
    digest = sha256(f"{sheet.to}\n{sheet.number}\n{sheet.body}".encode("utf-8", "replace")).hexdigest()
    draft = Draft(sheet.sender, sheet.to, sheet.subject, sheet.body)
    mail = compose(draft, f"<handed-in.{digest[:40]}@{host}>", at)
    return SEAL + _seal(keys[0], mail) + b"\r\n" + mail


def is_sealed(raw: bytes, keys: Sequence[bytes]) -> bool:
    """Whether a mail was made here, and is as it was made."""
    first, _, mail = raw.partition(b"\r\n")
    if not first.startswith(SEAL):
        return False
    given = first.removeprefix(SEAL)
    return any(hmac.compare_digest(given, _seal(key, mail)) for key in keys)


def opened(sheet: Sheet, host: str) -> Inbound:
    """The mail as we shall read it."""
    raw = compose(Draft(sheet.sender, sheet.to, sheet.subject, sheet.body), f"<handed-in@{host}>", _ANY_TIME)
    return open_mail(raw, Envelope(sheet.sender, sheet.to), host)


def _seal(key: bytes, mail: bytes) -> bytes:
    own = hmac.digest(key, PURPOSE, sha256)
    return hmac.digest(own, mail, sha256).hex().encode()


_ANY_TIME = datetime(2000, 1, 1, tzinfo=UTC)
