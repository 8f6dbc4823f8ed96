"""Times in letters, in the reader's zone. An unknown zone is read as UTC."""

import re
from datetime import datetime
from functools import cache
from zoneinfo import available_timezones

from pbem.core.clock.dates import zone_of

DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
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


def time(moment: datetime, zone: str = "UTC", written: datetime | None = None) -> str:
    """`Sunday 8 March, 13:00 CET`; the year is there where it is not that of `written`."""
    local = moment.astimezone(zone_of(zone))
    year = "" if written and written.astimezone(zone_of(zone)).year == local.year else f" {local.year}"
    weekday = DAYS[local.weekday()]
    return f"{weekday} {local.day} {MONTHS[local.month - 1]}{year}, {local:%H:%M} {_abbreviation(local)}"


def _abbreviation(local: datetime) -> str:
    """`CET`, or `UTC-3` for a zone named by a number (`-03`)."""
    name = local.tzname() or "UTC"
    offset = _BARE_OFFSET.fullmatch(name)
    if offset is None:
        return name
    return f"UTC{offset[1]}{int(offset[2])}" + (f":{offset[3]}" if offset[3] else "")
