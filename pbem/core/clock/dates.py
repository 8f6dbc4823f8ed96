"""Dates as people write them. A month as a bare number is not read: `5/6` is June to some, May to others."""

import re
from datetime import date, timedelta

from pbem.core.errors import Refusal

MAX_YEARS_AHEAD = 10
"""In years. Nobody plans a holiday later, and Python's calendar ends too."""
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
