"""The weekends of a seat: Saturday and Sunday by the owner's own clock, on which the seat's clock rests.

Each Saturday begins one weekend, in the zone that holds then. A zone that is set later moves no weekend that
has begun, so that no change of zone makes one longer.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import MAXYEAR, UTC, date, datetime, timedelta

from pbem.core.clock.dates import hour_on_day, zone_of
from pbem.core.clock.intervals import Interval

Zones = tuple[tuple[datetime, str], ...]
"""The names of the zones one after another, each with the end of its time; the last is for ever."""

EARLIEST = datetime.min.replace(tzinfo=UTC)
SATURDAY, WEEK, LENGTH = 5, timedelta(days=7), timedelta(days=2)


@dataclass(frozen=True)
class Weekends:
    """The weekends of one seat, by the zones of its players."""

    zones: Zones

    def since(self, moment: datetime) -> Iterator[Interval]:
        """Yield the weekends in order and without end, from one that is over by `moment`."""
        day = moment.date() - WEEK
        saturday = day - timedelta(days=(day.weekday() - SATURDAY) % 7)
        while saturday.year < MAXYEAR:
            yield self._weekend(saturday)
            saturday += WEEK

    def _weekend(self, saturday: date) -> Interval:
        """Return the weekend of a Saturday, from midnight, or from a change of zone on its days."""
        begins = None
        for until, name in self.zones:
            zone = zone_of(name)
            first, last = (hour_on_day(day, 0, zone) for day in (saturday, saturday + LENGTH))
            first = first if begins is None else max(first, begins)
            if first < min(last, until):
                return first, last
            begins = until
        raise AssertionError("zones end before the weekend")


def zones_of_seat(sat: Iterable[tuple[Zones, datetime, datetime]]) -> Zones:
    """Join the zones of the players of a seat, each with begin and end of their time there."""
    return tuple(
        (min(until, ends), name)
        for zones, begins, ends in sat
        for since, (until, name) in zip((EARLIEST, *(until for until, _ in zones)), zones, strict=False)
        if since < ends and until > begins
    )
