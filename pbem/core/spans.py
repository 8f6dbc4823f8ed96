"""Stretches of time, and how much of the time between two moments lies outside them.

A span is (begin, end), aware UTC, the end not included; `FOREVER` ends one that is still open.
Values only. All functions take spans as `union` gives them: sorted, apart, none empty.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

Span = tuple[datetime, datetime]
Spans = tuple[Span, ...]

FOREVER = datetime.max.replace(tzinfo=UTC, microsecond=0)
NO_TIME = timedelta()


def union(spans: Iterable[Span]) -> Spans:
    """The same stretches, those that overlap or touch made one, empty ones gone."""
    found: list[Span] = []
    for begin, end in sorted(span for span in spans if span[0] < span[1]):
        if found and begin <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((begin, end))
    return tuple(found)


def covered(spans: Spans, begin: datetime, end: datetime) -> timedelta:
    """How much of the time from `begin` to `end` lies within the spans."""
    return sum((_overlap(span, begin, end) for span in spans), NO_TIME)


def outside(spans: Spans, begin: datetime, end: datetime) -> timedelta:
    """How much of the time from `begin` to `end` lies outside the spans; nothing where end is first."""
    return max(NO_TIME, end - begin - covered(spans, begin, end))


def reached(spans: Spans, begin: datetime, length: timedelta) -> datetime:
    """The first moment outside the spans by which `length` has gone by since `begin`; FOREVER if never.

    So nothing falls due within a span, nor at the moment one begins.
    """
    left, here = length, begin
    for first, last in spans:
        if last <= here:
            continue
        if here + left < first:
            break
        left -= max(NO_TIME, first - here)
        here = last
    return FOREVER if here > FOREVER - left else here + left


def within(spans: Spans, moment: datetime) -> Span | None:
    """The span that holds `moment`, None where none does."""
    return next((span for span in spans if span[0] <= moment < span[1]), None)


def _overlap(span: Span, begin: datetime, end: datetime) -> timedelta:
    return max(NO_TIME, min(span[1], end) - max(span[0], begin))
