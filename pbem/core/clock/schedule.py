"""Due times of a daily letter: once a day on the reader's calendar."""

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


@cache
def zone_of(name: str) -> tzinfo:
    """The zone called `name`; UTC if this machine does not know it."""
    try:
        return UTC if name == "UTC" else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


_HOUR = re.compile(r"(\d{1,2})(?:[:.h](\d\d)|h)?\s?(am|pm)?", re.IGNORECASE)


def read_hour(text: str) -> int | None:
    """The hour in `7`, `07:00`, `7h` or `7 pm`; None for no full hour."""
    match = _HOUR.fullmatch(text.strip())
    if match is None or int(match[2] or 0):
        return None
    hour, half = int(match[1]), (match[3] or "").lower()
    if half:
        return hour % 12 + 12 * (half == "pm") if 1 <= hour <= 12 else None
    return hour if hour < 24 else None


def hour_on_day(day: date, hour: int, zone: tzinfo) -> datetime:
    """The moment (UTC) of an hour on a day; the first if it comes twice, after the gap if it is skipped."""
    return datetime.combine(day, time(hour), zone).astimezone(UTC)


def next_digest(after: datetime, hour: int, zone: tzinfo) -> datetime:
    day = after.astimezone(zone).date() - timedelta(days=1)
    while (due := hour_on_day(day, hour, zone)) <= after:
        day += timedelta(days=1)
    return due


def previous_digest(before: datetime, hour: int, zone: tzinfo) -> datetime:
    day = before.astimezone(zone).date() + timedelta(days=1)
    while (due := hour_on_day(day, hour, zone)) >= before:
        day -= timedelta(days=1)
    return due
