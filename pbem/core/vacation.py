"""Days off: how many a player has, which may be taken, and what a fallen flag takes by itself.

14 days at the start and one more for every 12 days, never above 30; a block is 1 to 21 days long.
Values only. Days are lengths of 24 hours; a vacation's end is not part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pbem.core.lobby import Refusal
from pbem.core.spans import NO_TIME, Spans, union

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
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

    @property
    def cost(self) -> timedelta:
        """What it takes of the days saved: a day at most where the clock took it, were it for two games."""
        return min(self.length, DAY) if self.automatic else self.length


def saved(joined: datetime, taken: Iterable[Vacation], at: datetime) -> timedelta:
    """The time off that is left at `at` to a player who came at `joined`; planned blocks count as taken."""
    left, since = AT_FIRST, joined
    for block in sorted(taken, key=lambda block: block.begins):
        begins = max(block.begins, since)
        left = min(MOST_SAVED, left + (begins - since) / DAYS_A_DAY) - block.cost
        since = begins
    return max(NO_TIME, min(MOST_SAVED, left + max(NO_TIME, at - since) / DAYS_A_DAY))


def planned(
    joined: datetime, taken: Sequence[Vacation], begins: datetime, ends: datetime, now: datetime
) -> Vacation:
    """The block from `begins` to `ends` that a player asks for; raises Refusal.

    A day that the clock took is no obstacle: `cut_short` it where this begins.
    """
    begins = max(begins, now)
    taken = [cut_short(block, begins) for block in taken]
    block = Vacation(begins, ends)
    days = whole_days(ends - begins)
    if ends <= begins:
        raise Refusal("A vacation ends after it begins, and not in the past.")
    if days > LONGEST // DAY:
        raise Refusal(f"That is {days} days; a vacation is at most {LONGEST // DAY} days long.")
    for other in taken:
        if other.begins < ends and begins < other.ends:
            raise Refusal(_overlap(other, now))
    left = saved(joined, taken, begins)
    if block.length - HOUR > left:  # a day on which the clocks go back is an hour longer
        raise Refusal(f"That is {days} days, and by then you have {left // DAY} left.")
    return block


def cut_short(block: Vacation, begins: datetime) -> Vacation:
    """A block as it is once the player has asked for days off from `begins`: an automatic one ends there."""
    inside = block.automatic and block.begins <= begins < block.ends
    return replace(block, ends=begins) if inside else block


def _overlap(other: Vacation, now: datetime) -> str:
    if other.begins <= now:
        return "You are on vacation already; `back` ends it."
    return "You have a vacation planned for that time; `vacation cancel` takes it back."


def whole_days(length: timedelta) -> int:
    """A length in days, for people: a day that a clock change makes an hour longer or shorter is a day."""
    return max(1, round(length / DAY)) if length else 0


def spans(taken: Iterable[Vacation]) -> Spans:
    """The same blocks as stretches of time on which clocks stand."""
    return union((block.begins, block.ends) for block in taken)


def running(taken: Iterable[Vacation], at: datetime) -> Vacation | None:
    """The block that holds `at`, None where none does."""
    return next((block for block in taken if block.begins <= at < block.ends), None)


def automatic(joined: datetime, taken: Sequence[Vacation], flag: datetime) -> Vacation | None:
    """The day off that a fallen flag takes by itself; None where none is left, or five were taken.

    A day that a later flag of another game has taken already begins with this one: it is kept, under its
    number, and no more is taken. Nor is time taken twice where a vacation is planned for later that day.
    """
    soon = min((block for block in taken if flag < block.begins < flag + DAY), key=_begins, default=None)
    if soon is not None and soon.automatic:
        return replace(soon, begins=flag)
    block = Vacation(flag, soon.begins if soon is not None else flag + DAY, automatic=True)
    enough = _in_a_row(taken, flag) < AUTOMATIC_IN_A_ROW and saved(joined, taken, flag) >= block.length
    return block if enough else None


def _begins(block: Vacation) -> datetime:
    return block.begins


def _in_a_row(taken: Iterable[Vacation], at: datetime) -> int:
    """How many automatic blocks end at `at` or less than a day before, each as soon after the next.

    A flag of another game may fall a little later than the first would have again; it does not begin anew.
    """
    row = 0
    for block in sorted((each for each in taken if each.automatic), key=_begins, reverse=True):
        if block.begins >= at:
            continue
        if at - block.ends >= DAY:
            break
        row, at = row + 1, block.begins
    return row
