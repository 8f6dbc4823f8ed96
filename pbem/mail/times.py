"""A moment as a letter tells it: in the reader's zone, and in UTC beside it.

Which zones there are comes from the machine's own files, or from the package `tzdata` where it has
none. A zone that this machine does not know (any more) is read as UTC, which is never wrong.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import cache
from zoneinfo import available_timezones

from pbem.core.digest import zone_of

MONTHS = "January February March April May June July August September October November December".split()

_BARE_OFFSET = re.compile(r"([+-])(\d\d)(\d\d)?")


@cache
def zones() -> frozenset[str]:
    """The IANA names of all zones known here."""
    return frozenset(available_timezones())


def day(moment: datetime, zone: str = "UTC") -> str:
    """`8 March 2026`, as the calendar hangs at the reader's wall."""
    local = moment.astimezone(zone_of(zone))
    return f"{local.day} {MONTHS[local.month - 1]} {local.year}"


def time(moment: datetime, zone: str = "UTC") -> str:
    """`8 March 2026, 13:00 CET (12:00 UTC)`, with the day in UTC too where it is another."""
    local, there = moment.astimezone(zone_of(zone)), moment.astimezone(UTC)
    told = f"{day(moment, zone)}, {local:%H:%M} {_abbreviation(local)}"
    if local.tzinfo is UTC:
        return told
    other_day = f"{there.day} {MONTHS[there.month - 1]}, " if there.date() != local.date() else ""
    return f"{told} ({other_day}{there:%H:%M} UTC)"


def _abbreviation(local: datetime) -> str:
    """`CET`, or `UTC-3` where a zone has no letters of its own: those names are bare numbers (`-03`)."""
    name = local.tzname() or "UTC"
    if (match := _BARE_OFFSET.fullmatch(name)) is None:
        return name
    minutes = f":{match[3]}" if match[3] else ""
    return f"UTC{match[1]}{int(match[2])}{minutes}"
