"""Dates and hours as people write them, and daily times. `5/6` is not read, since it is ambiguous."""

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pbem.core.errors import Refusal

MAX_YEARS_AHEAD = 10
"""In years; nobody plans a holiday further ahead, and Python's calendar has an end."""
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()

_DAY, _YEAR = r"(?P<day>\d{1,2})", r"(?:,? (?P<year>\d{4}))?"
_MONTH = r"(?P<name>jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}\.?"
_SHAPES = (
    rf"(?P<year>\d{{4}})-(?P<month>\d{{1,2}})-{_DAY}",
    rf"{_DAY}\.(?P<month>\d{{1,2}})\.(?P<year>\d{{4}})?",
    rf"{_DAY}(?:st|nd|rd|th|\.)? {_MONTH}{_YEAR}",
    rf"{_MONTH} {_DAY}(?:st|nd|rd|th)?{_YEAR}",
)


def read_date(text: str, earliest: date, today: date | None = None) -> date:
    """Read a date; without a year, the first one not before `earliest`. `today` is the day of writing."""
    small, today = " ".join(text.lower().split()), today or earliest
    if small in ("today", "now"):
        return today
    if small == "tomorrow":
        return today + timedelta(days=1)
    year, month, day = _parts(small, text)
    if year and int(year) > earliest.year + MAX_YEARS_AHEAD:
        raise Refusal(f"{text} is more than {MAX_YEARS_AHEAD} years away.")
    years = [int(year)] if year else [earliest.year, earliest.year + 1, earliest.year + 4]
    found = [each for each in (_day(each, month, day) for each in years) if each is not None]
    if not found:
        raise Refusal(f"There is no {text}.")
    return found[0] if year else next((each for each in found if each >= earliest), found[-1])


def _parts(small: str, text: str) -> tuple[str | None, int, int]:
    for shape in _SHAPES:
        if match := re.fullmatch(shape, small):
            found = match.groupdict()
            month = found["month"] if "month" in found else 1 + MONTHS.index(found["name"][:3])
            return found["year"], int(month), int(found["day"])
    raise Refusal(f"{text} is no day I can read; write it as 2026-12-20, or 20 Dec.")


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


@cache
def zone_of(name: str) -> tzinfo:
    """Return the zone called `name`; UTC if this machine does not know the name."""
    try:
        return UTC if name == "UTC" else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


_HOUR = re.compile(r"(\d{1,2})(?:[:.h](\d\d)|h)?\s?(am|pm)?", re.IGNORECASE)


def read_hour(text: str) -> int | None:
    """Read the hour of `7`, `07:00`, `7h` or `7 pm`, else None."""
    match = _HOUR.fullmatch(text.strip())
    if match is None or int(match[2] or 0):
        return None
    hour, half = int(match[1]), (match[3] or "").lower()
    if half:
        return hour % 12 + 12 * (half == "pm") if 1 <= hour <= 12 else None
    return hour if hour < 24 else None


def hour_on_day(day: date, hour: int, zone: tzinfo) -> datetime:
    """Return an hour's UTC moment: the first if the hour occurs twice, the one after the gap if skipped."""
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
