"""Days off: how many a player has, which may be taken, and what a fallen flag takes by itself.

14 days at the start and one more for every 12 days, never above 30; a block is 1 to 21 days long.
Values only. Days are lengths of 24 hours; a vacation's end is not part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.core.spans import NO_TIME, Spans, union

DAY = timedelta(days=1)
AT_FIRST, DAYS_A_DAY, MOST_SAVED = 14 * DAY, 12, 30 * DAY
SHORTEST, LONGEST = DAY, 21 * DAY
AUTOMATIC_IN_A_ROW = 5


@dataclass(frozen=True)
class Vacation:
    """One block of days off; `automatic` where the clock took it for a fallen flag. `id` 0: not kept yet."""

    begins: datetime
    ends: datetime
    automatic: bool = False
    id: int = 0

    @property
    def length(self) -> timedelta:
        return self.ends - self.begins


def saved(joined: datetime, taken: Iterable[Vacation], at: datetime) -> timedelta:
    """The time off that is left at `at` to a player who came at `joined`; planned blocks count as taken."""
    left, since = AT_FIRST, joined
    for block in sorted(taken, key=lambda block: block.begins):
        begins = max(block.begins, since)
        left = min(MOST_SAVED, left + (begins - since) / DAYS_A_DAY) - block.length
        since = begins
    return max(NO_TIME, min(MOST_SAVED, left + max(NO_TIME, at - since) / DAYS_A_DAY))


def spans(taken: Iterable[Vacation]) -> Spans:
    """The same blocks as stretches of time on which clocks stand."""
    return union((block.begins, block.ends) for block in taken)


def running(taken: Iterable[Vacation], at: datetime) -> Vacation | None:
    """The block that holds `at`, None where none does."""
    return next((block for block in taken if block.begins <= at < block.ends), None)


def automatic(joined: datetime, taken: Sequence[Vacation], flag: datetime) -> Vacation | None:
    """The day off that a fallen flag takes by itself; None where none is left, or five were taken."""
    if _in_a_row(taken, flag) >= AUTOMATIC_IN_A_ROW or saved(joined, taken, flag) < DAY:
        return None
    return Vacation(flag, flag + DAY, automatic=True)


def _in_a_row(taken: Sequence[Vacation], end: datetime) -> int:
    """How many automatic blocks, one after the other, end at `end`."""
    before = next((block for block in taken if block.automatic and block.ends == end), None)
    return 0 if before is None else 1 + _in_a_row(taken, before.begins)
