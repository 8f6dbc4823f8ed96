"""Times in letters: in the reader's zone, with UTC beside it. An unknown zone is read as UTC."""

import re
from datetime import UTC, datetime
from functools import cache
from zoneinfo import available_timezones

from pbem.core.clock.dates import zone_of

MONTHS = "January February March April May June July August September October November December".split()

_BARE_OFFSET = re.compile(r"([+-])(\d\d)(\d\d)?")


@cache
def zones() -> frozenset[str]:
    """Return IANA names of all zones known to the machine or `tzdata`."""
    return frozenset(available_timezones())


def day(moment: datetime, zone: str = "UTC") -> str:
    """The reader's local date: `8 March 2026`."""
    local = moment.astimezone(zone_of(zone))
    return f"{local.day} {MONTHS[local.month - 1]} {local.year}"


def time(moment: datetime, zone: str = "UTC") -> str:
    """`8 March 2026, 13:00 CET (12:00 UTC)`; the UTC part has its day where that differs."""
    local, there = moment.astimezone(zone_of(zone)), moment.astimezone(UTC)
    told = f"{day(moment, zone)}, {local:%H:%M} {_abbreviation(local)}"
    if local.tzinfo is UTC:
        return told
    other_day = f"{there.day} {MONTHS[there.month - 1]}, " if there.date() != local.date() else ""
    return f"{told} ({other_day}{there:%H:%M} UTC)"


def _abbreviation(local: datetime) -> str:
    """`CET`, or `UTC-3` for a zone named by a number (`-03`)."""
    name = local.tzname() or "UTC"
    offset = _BARE_OFFSET.fullmatch(name)
    if offset is None:
        return name
    return f"UTC{offset[1]}{int(offset[2])}" + (f":{offset[3]}" if offset[3] else "")
