"""Checks that a verified From covers recipient, subject and date too.

A signature covers the headers that it names (RFC 6376 5.4), and of equal names the lowest. Mail programs read
the topmost. So anyone who has the signed mail may add a header that occurs twice or is not covered. Most
programs do not sign Content-Type, so that header must only occur once.
"""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from dkim.util import InvalidTagValueList, parse_tag_value

from pbem.core.parsing.inbound import Mail

ROUTING_HEADERS = frozenset("from to cc subject date in-reply-to references".split())
"""Headers that name recipient, game, answered letter, and date."""
MAX_SIGNATURE = 4000
LATE, EARLY = timedelta(days=5), timedelta(days=1)
"""Largest gap between Date and arrival. Servers retry for five days; a wrong time zone makes a day."""
MAX_CLOCK_DIFFERENCE = timedelta(minutes=15)


def tags_of(signature: bytes) -> Mapping[bytes, bytes]:
    """Parse the tags of a DKIM-Signature; empty where it cannot be read."""
    if len(signature) > MAX_SIGNATURE:
        return {}
    try:
        return dict(parse_tag_value(signature))
    except (InvalidTagValueList, UnicodeError):
        return {}


def signer_of(tags: Mapping[bytes, bytes]) -> str:
    return tags.get(b"d", b"").decode("ascii", "replace")


def covers_headers(tags: Mapping[bytes, bytes], named: Collection[str]) -> bool:
    """True if a signature covers From and all routing headers in `named`."""
    covered = {name.strip().decode("ascii", "replace") for name in tags.get(b"h", b"").lower().split(b":")}
    return {"from", *(ROUTING_HEADERS & {name.lower() for name in named})} <= covered


def is_unaltered(inbound: Mail, at: datetime) -> bool:
    once = len(set(inbound.named)) == len(inbound.named)
    return once and inbound.date is not None and at - LATE <= inbound.date <= at + EARLY


def written_at(inbound: Mail, at: datetime) -> datetime:
    """Return the time in the Date header, allowing for slow clocks."""
    return at if inbound.date is None else min(at, inbound.date + MAX_CLOCK_DIFFERENCE)


SEALS_KEPT = EARLY + LATE + timedelta(days=1)
"""The memory for repeated mail, longer than such mail is accepted."""
