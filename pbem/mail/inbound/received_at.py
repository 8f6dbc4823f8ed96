"""The moment our own mail server took a mail, for the clocks.

It is in the topmost Received line (RFC 5321 4.4) if a trusted host wrote that line; else it is the time the
mailbox reports; else now. The Date header is not used: anybody may write it.
"""

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from pbem.mail.inbound.mime import split_head, trim_mail

MAX_TRANSIT = timedelta(days=5)
"""Longest time in transit: servers give up after this (RFC 5321 4.5.4.1)."""
MAX_LINE = 2000
"""Maximum bytes read of the line."""

_TOPMOST = re.compile(rb"^received:(.*(?:\r?\n[ \t].*)*)", re.IGNORECASE | re.MULTILINE)
_BY = re.compile(r"(?:^|\s)by\s+([^\s;()]+)", re.IGNORECASE)


def acceptance_time(
    raw: bytes, now: datetime, *, trusted: str | None, kept: datetime | None = None
) -> datetime:
    """Return when the host `trusted` took a mail, else `kept`, else `now`.

    `kept` is when the mail came into the mailbox. The result is never later than `now`.
    """
    told = received_line_time(raw, trusted) if trusted else None
    return min(now, max(told or kept or now, now - MAX_TRANSIT))


def received_line_time(raw: bytes, trusted: str) -> datetime | None:
    """Return the topmost Received line's time in UTC, if `trusted` wrote it.

    None where another host wrote that line, or where there is none.
    """
    head, _body = split_head(trim_mail(raw))
    topmost = _TOPMOST.search(head)
    if topmost is None:
        return None
    line, _, date = topmost[1][:MAX_LINE].decode("ascii", "replace").rpartition(";")
    by = _BY.search(line)
    if by is None or by[1].rstrip(".").lower() != trusted.lower():
        return None
    try:
        moment = parsedate_to_datetime(date.strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
