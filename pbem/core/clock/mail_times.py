"""The two times of a mail, and its writer's clock stops.

Our acceptance stops its writer's clock. Only when we handle it can others see its effect, so that moment
dates the entries and starts the other's clock. No clock has waited for a mail that is handled again: its
agreements (offers, answers, pauses) count from then, and its ply from acceptance.

A mail that is not handled yet stops its writer's clock. Each stop ends, or it would stop a game forever.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pbem.core.clock.intervals import Intervals, union
from rules.contract import Seat

MAX_MAIL_STOP = timedelta(days=7)


@dataclass(frozen=True)
class MailTimes:
    """Both times of a mail. `again`: the mail was handled before. `mail`: its number, if stored."""

    accepted: datetime
    handled: datetime
    again: bool = False
    mail: int | None = None

    @property
    def agreement_time(self) -> datetime:
        """An old offer is made now."""
        return self.handled if self.again else self.accepted

    def repeated_before(self, moment: datetime) -> bool:
        """True if `moment` came after a mail that is handled again. Such a mail cannot mean later events."""
        return self.again and moment > self.accepted

    def until(self, *, settles: bool) -> datetime:
        """The moment until which the clock acts before the mail. A move accepted in time stays in time."""
        return self.agreement_time if settles else self.accepted


def same_moment(moment: datetime) -> MailTimes:
    return MailTimes(moment, moment)


@dataclass(frozen=True)
class MailStop:
    """A stop of `seat`'s clock for a mail, from its acceptance."""

    seat: Seat
    mail: int
    begins: datetime
    ends: datetime


MailStops = tuple[MailStop, ...]


def add_mail_stop(stands: MailStops, seat: Seat, mail: int, accepted: datetime, turn: datetime) -> MailStops:
    """Add a mail's stop for `seat`, whose turn begins at `turn`. A mail has only one stop."""
    if any(each.mail == mail for each in stands):
        return stands
    begins = max(accepted, turn)
    first = min((each.begins for each in stands if each.seat == seat and each.begins >= turn), default=begins)
    return (*stands, MailStop(seat, mail, begins, min(begins, first) + MAX_MAIL_STOP))


def end_mail_stop(stands: MailStops, mail: int, at: datetime) -> MailStops:
    return tuple(replace(each, ends=min(each.ends, at)) if each.mail == mail else each for each in stands)


def end_seat_stops(stands: MailStops, seat: Seat, at: datetime) -> MailStops:
    """The stops after a replacement at `seat`. The new player's clock stops for nobody else's mail."""
    return tuple(replace(each, ends=min(each.ends, at)) if each.seat == seat else each for each in stands)


def stop_intervals(stands: Iterable[MailStop], seat: Seat) -> Intervals:
    return union((each.begins, each.ends) for each in stands if each.seat == seat)
