"""Vacation: saved days, allowed blocks, and days taken for a fallen flag. A day has 24 hours."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from operator import attrgetter

from pbem.core.clock.intervals import NO_TIME, time_outside
from pbem.core.clock.weekends import Weekends
from pbem.core.errors import Refusal

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
AT_FIRST, DAYS_A_DAY, MAX_SAVED = 14 * DAY, 12, 30 * DAY
MAX_VACATION = 21 * DAY
AUTOMATIC_IN_A_ROW = 5


@dataclass(frozen=True)
class Vacation:
    """One vacation; `automatic` if the clock took it. `id` 0: not stored yet."""

    begins: datetime
    ends: datetime
    automatic: bool = False
    id: int = 0

    @property
    def length(self) -> timedelta:
        return self.ends - self.begins

    @property
    def cost(self) -> timedelta:
        """The cost in saved days. The clock takes a day at most, even for two games."""
        return min(self.length, DAY) if self.automatic else self.length


def saved_time(joined: datetime, taken: Iterable[Vacation], at: datetime) -> timedelta:
    """The saved time at `at` of a player who joined at `joined`. Planned blocks count as taken."""
    left, since = AT_FIRST, joined
    for block in sorted(taken, key=attrgetter("begins")):
        begins = max(block.begins, since)
        left = min(MAX_SAVED, left + (begins - since) / DAYS_A_DAY) - block.cost
        since = begins
    return max(NO_TIME, min(MAX_SAVED, left + max(NO_TIME, at - since) / DAYS_A_DAY))


def plan_vacation(
    joined: datetime, taken: Sequence[Vacation], begins: datetime, ends: datetime, now: datetime
) -> Vacation:
    """The vacation that a player asks for. Automatic days are no obstacle: `shorten_automatic` ends them."""
    begins = max(begins, now)
    taken = [shorten_automatic(block, begins) for block in taken]
    block = Vacation(begins, ends)
    if ends <= begins:
        raise Refusal("A vacation ends after it begins, and not in the past.")
    days = max(1, round(block.length / DAY))  # a clock change's hour does not count
    if days > MAX_VACATION // DAY:
        raise Refusal(f"That is {days} days; a vacation is at most {MAX_VACATION // DAY} days long.")
    overlaps = [other for other in taken if other.begins < ends and begins < other.ends]
    if overlaps and overlaps[0].begins <= now:
        raise Refusal("You are on vacation already; `back` ends it.")
    if overlaps:
        raise Refusal("You have a vacation planned for that time; `vacation cancel` takes it back.")
    left = saved_time(joined, taken, begins)
    if block.length - HOUR > left:  # a day on which the clocks go back is an hour longer
        raise Refusal(f"That is {days} days, and by then you have {left // DAY} left.")
    return block


def days_to_take(
    joined: datetime, taken: Sequence[Vacation], now: datetime, begins: datetime, most: int = 10
) -> int:
    """Count the days a vacation from `begins` can have, up to `most`."""
    for days in range(most, 0, -1):
        with suppress(Refusal):
            plan_vacation(joined, taken, begins, begins + days * DAY, now)
            return days
    return 0


def shorten_automatic(block: Vacation, begins: datetime) -> Vacation:
    """A block after a new vacation from `begins`. An automatic block ends there."""
    inside = block.automatic and block.begins <= begins < block.ends
    return replace(block, ends=begins) if inside else block


def vacation_at(taken: Iterable[Vacation], at: datetime) -> Vacation | None:
    return next((block for block in taken if block.begins <= at < block.ends), None)


def automatic_vacation(
    joined: datetime, taken: Sequence[Vacation], flag: datetime, weekends: Weekends | None = None
) -> Vacation | None:
    """Return the vacation day for a fallen flag, or None.

    None means that no day is left, or that five were taken in a row.

    If another game's flag took a day soon after, that day begins now, under its number. Time of a vacation
    planned for later that day is not taken twice.
    """
    follows = [block for block in taken if flag < block.begins < flag + DAY]
    soon = min(follows, key=attrgetter("begins"), default=None)
    if soon is not None and soon.automatic:
        return replace(soon, begins=flag)
    block = Vacation(flag, soon.begins if soon is not None else flag + DAY, automatic=True)
    if _automatic_in_a_row(taken, flag, weekends) >= AUTOMATIC_IN_A_ROW:
        return None
    return block if saved_time(joined, taken, flag) >= block.length else None


def _automatic_in_a_row(taken: Iterable[Vacation], at: datetime, weekends: Weekends | None) -> int:
    """The number of automatic blocks up to `at`. Gaps up to a day are another game's later flag.

    A weekend on which the clock rests is no gap.
    """
    row = 0
    for block in sorted((each for each in taken if each.automatic), key=attrgetter("begins"), reverse=True):
        if block.begins >= at:
            continue
        rests = weekends.since(block.ends) if weekends else ()
        if time_outside(rests, block.ends, at) >= DAY:
            break
        row, at = row + 1, block.begins
    return row
