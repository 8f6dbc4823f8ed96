"""Both players' clocks, as a fold over what happened: banks, whose clock runs, since when, until when.

Values only: now and the pauses are arguments. Time used for a ply is the time from the start of the
turn to the moment our server accepted it, less the union of the pauses in between.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pbem.core.pace import Pace
from pbem.core.spans import FOREVER, NO_TIME, Spans, outside, reached, union, within
from rules.contract import Seat, other

LEAST_LEFT = timedelta(days=1)
"""What a turn has at least when it begins again because its ply was taken back."""


@dataclass(frozen=True)
class Pauses:
    """When a seat's clock stands: `all` of it, `vacation` alone (a ply made then adds no time)."""

    all: Spans = ()
    vacation: Spans = ()


@dataclass(frozen=True)
class Halts:
    """What stops the clocks of one game: what stops both (outages, agreements); what stops each seat's.

    That is its vacation, and a mail that we could not handle yet (`stands`).
    """

    both: Spans = ()
    vacation: tuple[Spans, Spans] = ((), ())
    stands: tuple[Spans, Spans] = ((), ())

    def of(self, seat: Seat) -> Pauses:
        every = (*self.both, *self.stands[seat], *self.vacation[seat])
        return Pauses(union(every), self.vacation[seat])


NO_HALTS = Halts()


@dataclass(frozen=True)
class Clock:
    """The clocks of one game between two entries of its journal.

    `banks`: what each seat had when the running turn began; `running`: whose turn it is, None when
    none is (before the start, after the end); `since`: when the turn began; `grace`: what this turn
    has beyond its bank because the flag fell.
    """

    pace: Pace
    banks: tuple[timedelta, timedelta]
    running: Seat | None
    since: datetime
    grace: timedelta = NO_TIME

    @staticmethod
    def started(pace: Pace, running: Seat | None, at: datetime) -> Clock:
        bank = pace.bank if pace.bank is not None else NO_TIME
        return Clock(pace, (bank, bank), running, at)

    @property
    def ticks(self) -> bool:
        """Whether there is a turn that can run out of time."""
        return self.running is not None and self.pace.bank is not None

    def left(self, seat: Seat, halts: Halts, now: datetime) -> timedelta:
        """What the seat has left, grace included, never less than nothing."""
        if self.running != seat:
            return self.banks[seat]
        time = self.banks[seat] + self.grace
        return max(NO_TIME, time - outside(halts.of(seat).all, self.since, now))

    def deadline(self, halts: Halts) -> datetime | None:
        """When the running turn's time is over, grace included; None where no clock runs, or it stands."""
        return self._end(halts, self.grace)

    def flag(self, halts: Halts) -> datetime | None:
        """When the running turn's time is over but for the grace: the moment that a loss is dated to."""
        return self._end(halts, NO_TIME)

    def _end(self, halts: Halts, more: timedelta) -> datetime | None:
        if not self.ticks or self.running is None:
            return None
        end = reached(halts.of(self.running).all, self.since, self.banks[self.running] + more)
        return None if end == FOREVER else end

    def played(
        self, next_seat: Seat | None, at: datetime, halts: Halts, *, from_: datetime | None = None
    ) -> Clock:
        """The clocks after a ply accepted `at`; the next turn begins then, or at `from_` if later."""
        begins = max(at, from_ or at)
        fresh = replace(self, running=next_seat, since=begins, grace=NO_TIME)
        if self.running is None or self.pace.bank is None:
            return fresh
        pauses = halts.of(self.running)
        used = outside(pauses.all, self.since, at)
        bank = self.pace.after_ply(
            self.banks[self.running], used, paused=within(pauses.vacation, at) is not None
        )
        return fresh._with(self.running, bank)

    def resumed(self, seat: Seat, played: datetime, at: datetime, halts: Halts) -> Clock:
        """The clocks when the ply that `seat` made at `played`, in the turn of these, is taken back `at`.

        The turn goes on with what was left of it then, but not with less than a day that it may have
        had. Nobody pays for the time between, and the other has what he had before the ply.
        """
        fresh = replace(self, running=None, since=at, grace=NO_TIME)
        if self.pace.bank is None:
            return fresh
        left = self.banks[seat] + self.grace - outside(halts.of(seat).all, self.since, played)
        return fresh._with(seat, max(left, min(self.banks[seat], LEAST_LEFT)))

    def given(self, seat: Seat, time: timedelta) -> Clock:
        """The clocks after `time` was given to the player at `seat`."""
        return self._with(seat, self.banks[seat] + time)

    def graced(self, time: timedelta) -> Clock:
        """The clocks after the running turn got `time` beyond its own."""
        return replace(self, grace=self.grace + time)

    def stopped(self) -> Clock:
        """The clocks after the end."""
        return replace(self, running=None)

    def _with(self, seat: Seat, bank: timedelta) -> Clock:
        rest = self.banks[other(seat)]
        return replace(self, banks=(bank, rest) if seat == 0 else (rest, bank))
