"""When a daily letter is due: once on every day of the reader's calendar, whatever the clocks do.

An hour that a day does not have (clocks go forward) is told where it would have been, at the first
moment after the gap; of an hour that a day has twice, the first counts. Values only.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


@cache
def zone_of(name: str) -> tzinfo:
    """The zone called `name`; UTC for one that this machine does not know."""
    try:
        return UTC if name == "UTC" else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


_HOUR = re.compile(r"(\d{1,2})(?:[:.h](\d\d)|h)?\s?(am|pm)?", re.IGNORECASE)


def read_hour(text: str) -> int | None:
    """`7`, `07:00`, `7h`, `7 pm` -> the hour of the day; None for what is no full hour."""
    match = _HOUR.fullmatch(text.strip())
    if match is None or int(match[2] or 0):
        return None
    hour, half = int(match[1]), (match[3] or "").lower()
    if half:
        return hour % 12 + 12 * (half == "pm") if 1 <= hour <= 12 else None
    return hour if hour < 24 else None


def on_day(day: date, hour: int, zone: tzinfo) -> datetime:
    """The moment (UTC) at which it is `hour` o'clock on a day, or would be were there such an hour.

    With fold 0 a local time in a gap is taken with the offset of before (PEP 495), which is the gap's
    end and as long after it as the time lies behind the gap's begin.
    """
    return datetime.combine(day, time(hour), zone).astimezone(UTC)


def next_digest(after: datetime, hour: int, zone: tzinfo) -> datetime:
    """The first due moment after `after`, UTC."""
    day = after.astimezone(zone).date() - timedelta(days=1)
    while (due := on_day(day, hour, zone)) <= after:
        day += timedelta(days=1)
    return due


def previous_digest(before: datetime, hour: int, zone: tzinfo) -> datetime:
    """The last due moment before `before`, UTC."""
    day = before.astimezone(zone).date() + timedelta(days=1)
    while (due := on_day(day, hour, zone)) >= before:
        day -= timedelta(days=1)
    return due
