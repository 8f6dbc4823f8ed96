"""Stops of a player's clock for mails not handled yet. Each ends, or it would stop a game forever."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pbem.core.clock.intervals import Intervals, union
from rules.contract import Seat

MAX_MAIL_STOP = timedelta(days=7)


@dataclass(frozen=True)
class MailStop:
    """A stop of `seat`'s clock for a mail, from its acceptance."""

    seat: Seat
    mail: int
    begins: datetime
    ends: datetime


MailStops = tuple[MailStop, ...]


def add_mail_stop(stands: MailStops, seat: Seat, mail: int, accepted: datetime, turn: datetime) -> MailStops:
    """The stops with one for a mail of `seat`, whose turn begins at `turn`. A mail has only one stop."""
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
