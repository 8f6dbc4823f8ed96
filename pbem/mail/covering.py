"""Whether a From that is vouched for stands for the rest of a mail: where it was sent, about what, and when.

A signature covers the headers that it names (RFC 6376 5.4), and of several alike the lowest, while readers
take the topmost: what stands twice or is not covered may be put there by anyone who has the signed mail.
Most programs do not sign Content-Type, so that is only asked to stand once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from dkim.util import InvalidTagValueList, parse_tag_value

from pbem.core.inbound import Inbound

ONCE = frozenset(
    "from sender to cc subject date message-id in-reply-to references mime-version content-type "
    "content-transfer-encoding".split()
)
"""Read here, and allowed once in a mail (RFC 5322 3.6, RFC 2045 3)."""
COVERED = frozenset("from to cc subject date in-reply-to references".split())
"""Say whom a mail is for, which game, which letter it answers, and when it was written."""
SIGNATURE_MOST = 4000
LATE, EARLY = timedelta(days=5), timedelta(days=1)
"""How far before and after its arrival a mail may be dated: as long as servers try; and by a wrong zone."""
CLOCKS_DIFFER = timedelta(minutes=15)


def tags_of(signature: bytes) -> Mapping[bytes, bytes]:
    """The tags of a DKIM-Signature, none where it cannot be read."""
    if len(signature) > SIGNATURE_MOST:
        return {}
    try:
        return dict(parse_tag_value(signature))
    except (InvalidTagValueList, UnicodeError):
        return {}


def signed_names(tags: Mapping[bytes, bytes]) -> set[str]:
    """The headers that a signature covers, in lower case."""
    return {name.strip().decode("ascii", "replace") for name in tags.get(b"h", b"").lower().split(b":")}


def covers(tags: Mapping[bytes, bytes], named: Collection[str]) -> bool:
    """Whether a signature covers From and all of `named` that says where a mail belongs."""
    return {"from", *(COVERED & {name.lower() for name in named})} <= signed_names(tags)


def is_itself(inbound: Inbound, at: datetime) -> bool:
    """Whether nothing in the mail, which came in at `at`, shows that it was made from another one."""
    once = len(set(inbound.named)) == len(inbound.named)
    return once and inbound.date is not None and at - LATE <= inbound.date <= at + EARLY


def written(inbound: Inbound, at: datetime) -> datetime:
    """When the mail was written, by its own Date, in favour of a writer whose clock is slow."""
    return at if inbound.date is None else min(at, inbound.date + CLOCKS_DIFFER)


def date_of(text: str) -> datetime | None:
    """The moment that a Date header names, None where it names none."""
    try:
        found = parsedate_to_datetime(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
