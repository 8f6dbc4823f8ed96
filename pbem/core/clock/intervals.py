"""Sorted, separate intervals (begin, end) in UTC. The end is not part of one; `FOREVER` ends an open one."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

Interval = tuple[datetime, datetime]
Intervals = tuple[Interval, ...]

FOREVER = datetime.max.replace(tzinfo=UTC, microsecond=0)
NO_TIME = timedelta()


def union(intervals: Iterable[Interval]) -> Intervals:
    """Return the intervals without empty ones, merged if they overlap or touch."""
    found: list[Interval] = []
    for begin, end in sorted(span for span in intervals if span[0] < span[1]):
        if found and begin <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((begin, end))
    return tuple(found)


def time_inside(intervals: Intervals, begin: datetime, end: datetime) -> timedelta:
    inside = (min(end, last) - max(begin, first) for first, last in intervals)
    return sum((max(NO_TIME, time) for time in inside), NO_TIME)


def time_outside(intervals: Intervals, begin: datetime, end: datetime) -> timedelta:
    return max(NO_TIME, end - begin - time_inside(intervals, begin, end))


def moment_after(intervals: Intervals, begin: datetime, length: timedelta) -> datetime:
    """Return the moment, or FOREVER, when time `length` has passed outside the intervals."""
    left, here = length, begin
    for first, last in intervals:
        if last <= here:
            continue
        if here + left < first:
            break
        left -= max(NO_TIME, first - here)
        here = last
    return FOREVER if here > FOREVER - left else here + left


def interval_at(intervals: Intervals, moment: datetime) -> Interval | None:
    return next((span for span in intervals if span[0] <= moment < span[1]), None)
