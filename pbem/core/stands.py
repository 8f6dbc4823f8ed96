"""Times in which one player's clock stands because we could not handle a mail of theirs. Values only.

The mail may hold the very move that the clock waits for, so no flag falls before somebody has seen to it;
but not for good, or a mail that nobody can handle would hold a game up for ever.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pbem.core.spans import Spans, union
from rules.contract import Seat

MAX_STAND = timedelta(days=7)
"""The most that one turn may stand, however many mails of its player are put aside in it."""


@dataclass(frozen=True)
class Stand:
    """The clock of the player at `seat` stands for mail number `mail`, from when that was accepted."""

    seat: Seat
    mail: int
    begins: datetime
    ends: datetime


Stands = tuple[Stand, ...]


def with_stand(stands: Stands, seat: Seat, mail: int, accepted: datetime, turn: datetime) -> Stands:
    """The same with one more, for a mail of the player whose turn began, or will begin, at `turn`.

    A mail that was put aside before has its own already.
    """
    if any(each.mail == mail for each in stands):
        return stands
    begins = max(accepted, turn)
    first = min((each.begins for each in stands if each.seat == seat and each.begins >= turn), default=begins)
    return (*stands, Stand(seat, mail, begins, min(begins, first) + MAX_STAND))


def handled(stands: Stands, mail: int, at: datetime) -> Stands:
    """The same after the mail was handled: what it stood for is over, if it was not before."""
    return tuple(replace(each, ends=min(each.ends, at)) if each.mail == mail else each for each in stands)


def left(stands: Stands, seat: Seat, at: datetime) -> Stands:
    """The same after somebody else took the seat: the clock of the newcomer stands for no mail of another."""
    return tuple(replace(each, ends=min(each.ends, at)) if each.seat == seat else each for each in stands)


def spans_of(stands: Iterable[Stand], seat: Seat) -> Spans:
    """When the clock of the player at `seat` stands."""
    return union((each.begins, each.ends) for each in stands if each.seat == seat)
