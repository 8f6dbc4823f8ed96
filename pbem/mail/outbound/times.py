"""Times in letters: in the reader's zone, with UTC beside it.

The zones come from the machine's own files, or from the package `tzdata` where it has none. A zone unknown to
this machine is read as UTC, which is never wrong.
"""

import re
from datetime import UTC, datetime
from functools import cache
from zoneinfo import available_timezones

from pbem.core.clock.schedule import zone_of

MONTHS = "January February March April May June July August September October November December".split()

_BARE_OFFSET = re.compile(r"([+-])(\d\d)(\d\d)?")


@cache
def zones() -> frozenset[str]:
    """Return the IANA names of all zones known here."""
    return frozenset(available_timezones())


def day(moment: datetime, zone: str = "UTC") -> str:
    """Return the reader's local date: `8 March 2026`."""
    local = moment.astimezone(zone_of(zone))
    return f"{local.day} {MONTHS[local.month - 1]} {local.year}"


def time(moment: datetime, zone: str = "UTC") -> str:
    """Return `8 March 2026, 13:00 CET (12:00 UTC)`. The UTC part has its day where that differs."""
    local, there = moment.astimezone(zone_of(zone)), moment.astimezone(UTC)
    told = f"{day(moment, zone)}, {local:%H:%M} {_abbreviation(local)}"
    if local.tzinfo is UTC:
        return told
    other_day = f"{there.day} {MONTHS[there.month - 1]}, " if there.date() != local.date() else ""
    return f"{told} ({other_day}{there:%H:%M} UTC)"


def _abbreviation(local: datetime) -> str:
    """Return `CET`, or `UTC-3` for a zone named by a number (`-03`)."""
    name = local.tzname() or "UTC"
    if (match := _BARE_OFFSET.fullmatch(name)) is None:
        return name
    minutes = f":{match[3]}" if match[3] else ""
    return f"UTC{match[1]}{int(match[2])}{minutes}"
