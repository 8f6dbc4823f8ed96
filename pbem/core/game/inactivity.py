"""Silence in games without a clock, which closes them in the end.

Any act or word of a player or director ends it; the clock's entries do not. Vacation of the player to move
does not count, nor do stops of both clocks.
"""

from datetime import datetime, timedelta
from itertools import takewhile

from pbem.core.clock.intervals import FOREVER, moment_after
from pbem.core.game.game import Game
from pbem.core.game.journal import CLOCK_KINDS, WARN
from rules.contract import Seat

MAX_SILENCE = timedelta(days=60)
"""Maximum silence in a game without a clock."""
WARNING_PERIOD = timedelta(days=7)
"""The time between the warning and the close."""
MAX_WARNING_DELAY = timedelta(days=1)
"""Maximum delay of a warning. A later one counts from its arrival, so that both have the whole time."""


def silence_end(game: Game, to_play: Seat) -> datetime | None:
    """The next event by silence: the warning, then the close. None while clocks are stopped without end."""
    pauses, warned = game.stops.of(to_play), warning_time(game)
    heard = [entry.at for entry in game.open_entries if entry.kind not in CLOCK_KINDS]
    since = heard[-1] if heard else game.started_at
    if warned is None:
        end = moment_after(pauses, since, MAX_SILENCE - WARNING_PERIOD)
    else:
        end = max(moment_after(pauses, since, MAX_SILENCE), moment_after(pauses, warned, WARNING_PERIOD))
    return None if end == FOREVER else end


def warning_time(game: Game) -> datetime | None:
    silent = takewhile(lambda entry: entry.kind in CLOCK_KINDS, reversed(game.open_entries))
    return next((entry.at for entry in silent if entry.kind == WARN), None)
