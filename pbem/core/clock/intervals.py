"""Sorted, separate intervals (begin, end) in UTC. The end is not part of one; `FOREVER` ends an open one."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from heapq import merge
from itertools import takewhile

Interval = tuple[datetime, datetime]
Intervals = tuple[Interval, ...]

FOREVER = datetime.max.replace(tzinfo=UTC, microsecond=0)
NO_TIME = timedelta()


def union(intervals: Iterable[Interval]) -> Intervals:
    """Return the intervals without empty ones, merged if they overlap or touch."""
    return tuple(joined(sorted(intervals)))


def joined(*sorted_intervals: Iterable[Interval]) -> Iterator[Interval]:
    """Yield the union of several sorted intervals. Some may be without end: no more is read than is asked."""
    here: Interval | None = None
    for begin, end in merge(*sorted_intervals):
        if begin >= end:
            continue
        if here is not None and begin > here[1]:
            yield here
            here = None
        here = (begin, end) if here is None else (here[0], max(here[1], end))
        if here[1] >= FOREVER:
            break
    if here is not None:
        yield here


def time_inside(intervals: Iterable[Interval], begin: datetime, end: datetime) -> timedelta:
    found = takewhile(lambda span: span[0] < end, intervals)
    inside = (min(end, last) - max(begin, first) for first, last in found)
    return sum((max(NO_TIME, time) for time in inside), NO_TIME)


def time_outside(intervals: Iterable[Interval], begin: datetime, end: datetime) -> timedelta:
    return max(NO_TIME, end - begin - time_inside(intervals, begin, end))


def moment_after(intervals: Iterable[Interval], begin: datetime, length: timedelta) -> datetime:
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


def interval_at(intervals: Iterable[Interval], moment: datetime) -> Interval | None:
    begun = takewhile(lambda span: span[0] <= moment, intervals)
    return next((span for span in begun if moment < span[1]), None)
