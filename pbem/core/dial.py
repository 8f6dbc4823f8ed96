"""Both clocks of a game as people read them at one moment: what is left, what stands, and why.

Values only. A length of time is told rounded down, so that nobody counts on more than there is; but a
few minutes that have gone by since a turn began do not make an hour less of three days.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.core.clocks import Clock
from pbem.core.game import Game
from pbem.core.spans import within
from rules.contract import Seat, other


@dataclass(frozen=True)
class Hand:
    """One player's clock: what is `left`, whether it is this player's turn, and whether the clock stands.

    `away_until` is the end of a vacation that has begun; `stands_until` the end of whatever stops the
    clock, None where nothing does.
    """

    name: str
    seat: Seat
    left: timedelta
    to_play: bool
    away_until: datetime | None = None
    stands_until: datetime | None = None

    @property
    def runs(self) -> bool:
        return self.to_play and self.stands_until is None


@dataclass(frozen=True)
class Dial:
    """Both clocks at the moment `at`, the first seat's first; `deadline` ends the running turn.

    None for a deadline: the clock stands, and nobody knows until when. `grace` is what the turn has
    beyond its own time.
    """

    at: datetime
    hands: tuple[Hand, Hand]
    deadline: datetime | None
    grace: timedelta

    @property
    def running(self) -> Hand:
        """The clock of whoever is to play."""
        return self.hands[0] if self.hands[0].to_play else self.hands[1]

    def of(self, seat: Seat) -> Hand:
        return self.hands[seat]

    def across(self, seat: Seat) -> Hand:
        return self.hands[other(seat)]


def dial(game: Game, now: datetime, clock: Clock | None = None) -> Dial | None:
    """The clocks of a running game; None where no clock runs: it has none, or has ended.

    `clock` is the game's own, where somebody has it already.
    """
    clock = clock or game.clock
    if not clock.ticks:
        return None
    hands = _hand(game, clock, 0, now), _hand(game, clock, 1, now)
    return Dial(now, hands, clock.deadline(game.halts), clock.grace)


def _hand(game: Game, clock: Clock, seat: Seat, now: datetime) -> Hand:
    pauses = game.halts.of(seat)
    stands, away = within(pauses.all, now), within(pauses.vacation, now)
    return Hand(
        game.seats[seat].name,
        seat,
        clock.left(seat, game.halts, now),
        clock.running == seat,
        away[1] if away else None,
        stands[1] if stands else None,
    )


FRESH = 5 * 60
"""Seconds: what may be missing from a whole hour of three or more that is told as whole all the same."""
UNITS = (("day", 86400), ("hour", 3600), ("minute", 60))


def lasting(time: timedelta) -> str:
    """`6 days and 23 hours`, `5 hours`, `40 minutes`: two units at most, and minutes below three hours."""
    seconds = max(0, int(time.total_seconds()))
    if seconds >= 3 * 3600 and -seconds % 3600 <= FRESH:
        seconds += -seconds % 3600
    if seconds < 60:
        return "less than a minute"
    counted = []
    for name, size in UNITS:
        number, seconds = divmod(seconds, size)
        counted.append((number, name))
    days, hours, minutes = counted
    wanted = [days, hours] if days[0] or hours[0] >= 3 else [hours, minutes]
    return " and ".join(f"{number} {name}{'' if number == 1 else 's'}" for number, name in wanted if number)
