"""Both clocks. Time runs from the start of a turn to our acceptance of the ply, less the stops between."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pbem.core.clock import intervals
from pbem.core.clock.intervals import FOREVER, NO_TIME, Interval, Intervals
from pbem.core.clock.time_control import TimeControl
from pbem.core.clock.weekends import Weekends
from rules.contract import Seat

MIN_TIME_AFTER_TAKEBACK = timedelta(days=1)


@dataclass(frozen=True)
class ClockStops:
    """The stops of a game's clocks: both (outages, agreements), or by seat."""

    both: Intervals = ()
    vacation: tuple[Intervals, Intervals] = ((), ())
    """A ply in a vacation earns no increment."""
    mail_stops: tuple[Intervals, Intervals] = ((), ())
    weekends: tuple[Weekends | None, Weekends | None] = (None, None)
    """Where clocks rest on weekends. A ply on one earns its increment."""

    def of(self, seat: Seat, since: datetime) -> Iterable[Interval]:
        """Return the stops of a seat, those of weekends from `since` on."""
        own = intervals.union((*self.both, *self.mail_stops[seat], *self.vacation[seat]))
        weekends = self.weekends[seat]
        return own if weekends is None else StopsWithWeekends(own, weekends, since)


@dataclass(frozen=True)
class StopsWithWeekends:
    """The stops of one seat since a moment, with its weekends, and so without end."""

    own: Intervals
    weekends: Weekends
    begins: datetime

    def __iter__(self) -> Iterator[Interval]:
        return intervals.joined(self.own, self.weekends.since(self.begins))


NO_STOPS = ClockStops()


@dataclass(frozen=True)
class Clock:
    """The clocks of one game between two journal entries.

    `banks`: each seat's time at the start of the running turn; `running`: the seat to play, None before the
    start and after the end; `since`: the start of the turn; `grace`: extra time after the flag fell.
    """

    time_control: TimeControl
    banks: tuple[timedelta, timedelta]
    running: Seat | None
    since: datetime
    grace: timedelta = NO_TIME

    @staticmethod
    def started(time_control: TimeControl, running: Seat | None, at: datetime) -> "Clock":
        bank = time_control.bank or NO_TIME
        return Clock(time_control, (bank, bank), running, at)

    @property
    def ticks(self) -> bool:
        """True if a turn is running that can run out of time."""
        return self.running is not None and self.time_control.bank is not None

    def left(self, seat: Seat, stops: ClockStops, now: datetime) -> timedelta:
        if self.running != seat:
            return self.banks[seat]
        return max(NO_TIME, self._left(seat, stops, now))

    def _left(self, seat: Seat, stops: ClockStops, at: datetime) -> timedelta:
        return self.banks[seat] + self.grace - self.used(seat, stops, at)

    def used(self, seat: Seat, stops: ClockStops, at: datetime) -> timedelta:
        """The time of the running turn, if it is this seat's."""
        return intervals.time_outside(stops.of(seat, self.since), self.since, at)

    def deadline(self, stops: ClockStops) -> datetime | None:
        """The end of the running turn, with grace. None if no clock runs, or it is stopped without end."""
        if not self.ticks or self.running is None:
            return None
        left = self.banks[self.running] + self.grace
        end = intervals.moment_after(stops.of(self.running, self.since), self.since, left)
        return None if end == FOREVER else end

    def played(
        self, next_seat: Seat | None, at: datetime, stops: ClockStops, *, from_: datetime | None = None
    ) -> "Clock":
        """The clocks after a ply accepted `at`. The next turn begins then, or at `from_` if that is later."""
        begins = max(at, from_ or at)
        fresh = replace(self, running=next_seat, since=begins, grace=NO_TIME)
        if self.running is None or self.time_control.bank is None:
            return fresh
        used = self.used(self.running, stops, at)
        paused = intervals.interval_at(stops.vacation[self.running], at) is not None
        bank = self.time_control.after_ply(self.banks[self.running], used, paused=paused)
        return fresh.given(self.running, bank - self.banks[self.running])

    def after_takeback(self, seat: Seat, played: datetime, at: datetime, stops: ClockStops) -> "Clock":
        """Return the clocks after a takeback. The turn has the time left then, or a day if it had one."""
        fresh = replace(self, running=None, since=at, grace=NO_TIME)
        if self.time_control.bank is None:
            return fresh
        left = max(self._left(seat, stops, played), min(self.banks[seat], MIN_TIME_AFTER_TAKEBACK))
        return fresh.given(seat, left - self.banks[seat])

    def given(self, seat: Seat, time: timedelta) -> "Clock":
        first, second = self.banks
        return replace(self, banks=(first + time, second) if seat == 0 else (first, second + time))
