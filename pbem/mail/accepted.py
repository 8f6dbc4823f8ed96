"""When our own mail server took a mail: the moment that counts for clocks, whenever we come to see it.

That is what the topmost Received line says (RFC 5321 4.4) where a host that we trust wrote it; else what
the mailbox says that held the mail; else now. The Date header, which anybody may write, says nothing.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from pbem.mail.parts import halves, trimmed

UNDERWAY = timedelta(days=5)
"""How long a mail may have been on its way to us: servers give up then (RFC 5321 4.5.4.1)."""
LINE_MOST = 2000
"""Bytes of the line that are looked at."""

_TOPMOST = re.compile(rb"^received:(.*(?:\r?\n[ \t].*)*)", re.IGNORECASE | re.MULTILINE)
_BY = re.compile(r"(?:^|\s)by\s+([^\s;()]+)", re.IGNORECASE)


def accepted(raw: bytes, now: datetime, *, trusted: str | None, kept: datetime | None = None) -> datetime:
    """When a mail was taken: by the host `trusted`, or else into a mailbox at `kept`; `now` at the latest."""
    told = received_by(raw, trusted) if trusted else None
    return min(now, max(told or kept or now, now - UNDERWAY))


def received_by(raw: bytes, trusted: str) -> datetime | None:
    """When the host of that name took a mail, UTC, as the topmost Received line has it; None where
    another host wrote that line, or nobody did.
    """
    head, _body = halves(trimmed(raw))
    topmost = _TOPMOST.search(head)
    if topmost is None:
        return None
    line, _, date = topmost[1][:LINE_MOST].decode("ascii", "replace").rpartition(";")
    by = _BY.search(line)
    if by is None or by[1].rstrip(".").lower() != trusted.lower():
        return None
    try:
        moment = parsedate_to_datetime(date.strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
