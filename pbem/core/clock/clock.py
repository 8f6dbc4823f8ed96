"""Both players' clocks as a fold: banks, running turn, start and end.

Now and the pauses are arguments. Time used for a ply runs from the start of the turn to our server's
acceptance of the ply, less the union of the pauses in between.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pbem.core.clock.intervals import (
    FOREVER,
    NO_TIME,
    Intervals,
    interval_at,
    moment_after,
    time_outside,
    union,
)
from pbem.core.clock.time_control import TimeControl
from rules.contract import Seat, other

MIN_TIME_AFTER_TAKEBACK = timedelta(days=1)
"""Minimum time of a turn that begins again after a takeback."""


@dataclass(frozen=True)
class Pauses:
    """The stops of one seat's clock. `all` holds every stop; a ply in a `vacation` earns no increment."""

    all: Intervals = ()
    vacation: Intervals = ()


@dataclass(frozen=True)
class ClockStops:
    """The stops of one game's clocks.

    `both` holds outages and agreements; `vacation` and `mail_stops` are per seat, and `mail_stops` is for a
    mail that we could not handle yet.
    """

    both: Intervals = ()
    vacation: tuple[Intervals, Intervals] = ((), ())
    mail_stops: tuple[Intervals, Intervals] = ((), ())

    def of(self, seat: Seat) -> Pauses:
        every = (*self.both, *self.mail_stops[seat], *self.vacation[seat])
        return Pauses(union(every), self.vacation[seat])


NO_STOPS = ClockStops()


@dataclass(frozen=True)
class Clock:
    """The clocks of one game between two journal entries.

    `banks`: each seat's time at the start of the running turn; `running`: the seat to play, None before the
    start and after the end; `since`: the start of the turn; `grace`: extra time in this turn after the flag
    fell.
    """

    time_control: TimeControl
    banks: tuple[timedelta, timedelta]
    running: Seat | None
    since: datetime
    grace: timedelta = NO_TIME

    @staticmethod
    def started(time_control: TimeControl, running: Seat | None, at: datetime) -> Clock:
        bank = time_control.bank if time_control.bank is not None else NO_TIME
        return Clock(time_control, (bank, bank), running, at)

    @property
    def ticks(self) -> bool:
        """True if a turn is running that can run out of time."""
        return self.running is not None and self.time_control.bank is not None

    def left(self, seat: Seat, stops: ClockStops, now: datetime) -> timedelta:
        """The seat's time left, with grace, never below zero."""
        if self.running != seat:
            return self.banks[seat]
        time = self.banks[seat] + self.grace
        return max(NO_TIME, time - time_outside(stops.of(seat).all, self.since, now))

    def deadline(self, stops: ClockStops) -> datetime | None:
        """The end of the running turn, with grace. None if no clock runs, or it is stopped without end."""
        return self._end(stops, self.grace)

    def flag(self, stops: ClockStops) -> datetime | None:
        """The end of the running turn without grace: the date of a loss."""
        return self._end(stops, NO_TIME)

    def _end(self, stops: ClockStops, more: timedelta) -> datetime | None:
        if not self.ticks or self.running is None:
            return None
        end = moment_after(stops.of(self.running).all, self.since, self.banks[self.running] + more)
        return None if end == FOREVER else end

    def played(
        self, next_seat: Seat | None, at: datetime, stops: ClockStops, *, from_: datetime | None = None
    ) -> Clock:
        """The clocks after a ply accepted `at`. The next turn begins then, or at `from_` if that is later."""
        begins = max(at, from_ or at)
        fresh = replace(self, running=next_seat, since=begins, grace=NO_TIME)
        if self.running is None or self.time_control.bank is None:
            return fresh
        pauses = stops.of(self.running)
        used = time_outside(pauses.all, self.since, at)
        bank = self.time_control.after_ply(
            self.banks[self.running], used, paused=interval_at(pauses.vacation, at) is not None
        )
        return fresh._with(self.running, bank)

    def after_takeback(self, seat: Seat, played: datetime, at: datetime, stops: ClockStops) -> Clock:
        """The clocks after a takeback `at` of `seat`'s ply of `played`.

        The turn goes on with the time left at the ply, but with a day at least if it had one. Nobody pays for
        the time between, and the other has the same time as before the ply.
        """
        fresh = replace(self, running=None, since=at, grace=NO_TIME)
        if self.time_control.bank is None:
            return fresh
        left = self.banks[seat] + self.grace - time_outside(stops.of(seat).all, self.since, played)
        return fresh._with(seat, max(left, min(self.banks[seat], MIN_TIME_AFTER_TAKEBACK)))

    def given(self, seat: Seat, time: timedelta) -> Clock:
        return self._with(seat, self.banks[seat] + time)

    def graced(self, time: timedelta) -> Clock:
        return replace(self, grace=self.grace + time)

    def stopped(self) -> Clock:
        return replace(self, running=None)

    def _with(self, seat: Seat, bank: timedelta) -> Clock:
        rest = self.banks[other(seat)]
        return replace(self, banks=(bank, rest) if seat == 0 else (rest, bank))
