"""Both clocks of a game as people read them. Times are rounded down, but for `ROUNDING_SECONDS`."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.core.clock.intervals import interval_at
from pbem.core.game.fold import clocks_between
from pbem.core.game.game import Game
from rules.contract import Seat


@dataclass(frozen=True)
class PlayerClock:
    """One player's clock, with the end of a vacation or a stop."""

    name: str
    seat: Seat
    left: timedelta
    to_play: bool
    away_until: datetime | None = None
    stopped_until: datetime | None = None
    weekend: bool = False
    """True if the clock rests for a weekend now."""
    bot: bool = False
    """True if the player is a bot, whose clock never runs."""

    @property
    def runs(self) -> bool:
        return self.to_play and self.stopped_until is None


@dataclass(frozen=True)
class ClockDisplay:
    """Both clocks at a moment, the first seat's first. No deadline: stopped with no known end."""

    at: datetime
    player_clocks: tuple[PlayerClock, PlayerClock]
    deadline: datetime | None
    grace: timedelta

    @property
    def running(self) -> PlayerClock:
        return self.player_clocks[0] if self.player_clocks[0].to_play else self.player_clocks[1]


def clock_display(game: Game, now: datetime) -> ClockDisplay | None:
    if not game.clock.ticks:
        return None
    hands = _player_clock(game, 0, now), _player_clock(game, 1, now)
    return ClockDisplay(now, hands, game.deadline, game.clock.grace)


def _player_clock(game: Game, seat: Seat, now: datetime) -> PlayerClock:
    stands, away = interval_at(game.stops.of(seat, now), now), interval_at(game.stops.vacation[seat], now)
    left, to_play = game.clock.left(seat, game.stops, now), game.clock.running == seat
    player, stopped_until = game.seats[seat], stands[1] if stands else None
    away_until = away[1] if away and not player.bot else None
    weekends = game.stops.weekends[seat]
    weekend = weekends is not None and interval_at(weekends.since(now), now) is not None
    return PlayerClock(player.name, seat, left, to_play, away_until, stopped_until, weekend, bool(player.bot))


def times_used(game: Game) -> dict[int, timedelta]:
    """Return how long each move took its player, by ply, without moves by plans or a director."""
    clocks = clocks_between(game)
    return {
        ply.n: clocks[ply.entry - 1].used(ply.seat, game.stops, game.journal[ply.entry - 1].effective_time)
        for ply in game.state.plies
        if not (ply.auto or ply.entered)
    }


ROUNDING_SECONDS = 5 * 60
"""In seconds. From three hours on, this much may be missing from an hour that is shown as full."""


def describe_duration(time: timedelta) -> str:
    """Describe a duration in two units at most, like `5 hours`. Minutes appear only below three hours."""
    seconds = max(0, int(time.total_seconds()))
    if seconds >= 3 * 3600 and -seconds % 3600 <= ROUNDING_SECONDS:
        seconds += -seconds % 3600
    if seconds < 60:
        return "less than a minute"
    counted = [(seconds // 86400, "day"), (seconds // 3600 % 24, "hour"), (seconds // 60 % 60, "minute")]
    wanted = counted[:2] if seconds >= 3 * 3600 else counted[1:]
    return " and ".join(f"{number} {name}{'' if number == 1 else 's'}" for number, name in wanted if number)


UNITS = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))


def describe_time_used(time: timedelta) -> str:
    """Describe how long a move took in two units at most, like `2 d 3 h` or `12 s`; "" for no second."""
    seconds = int(time.total_seconds())
    first = next((n for n, (_, size) in enumerate(UNITS) if seconds >= size), len(UNITS))
    shown = UNITS[first : first + 2] if first < 2 else UNITS[first : first + 1]
    counted = []
    for name, size in shown:
        number, seconds = divmod(seconds, size)
        counted += [f"{number} {name}"] if number else []
    return " ".join(counted)
