"""Silence in games without a clock, which closes them in the end.

Any act or word of a player or director ends it; the clock's entries do not. Vacation of the player to move
does not count, nor do stops of both clocks.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import takewhile

from pbem.core.clock.intervals import FOREVER, reached
from pbem.core.game.game import Game
from pbem.core.game.journal import BY_CLOCK, WARN
from rules.contract import Seat

MAX_SILENCE = timedelta(days=60)
"""Maximum silence in a game without a clock."""
NOTICE = timedelta(days=7)
"""The time between the warning and the close."""
LATE = timedelta(days=1)
"""Maximum delay of a warning. A later one counts from its arrival, so that both have the whole time."""


def ends(game: Game, to_play: Seat) -> datetime | None:
    """The next event by silence: the warning, then the close. None while clocks are stopped without end."""
    pauses, warned = game.stops.of(to_play).all, warned_at(game)
    heard = [entry.at for entry in game.open_entries if entry.kind not in BY_CLOCK]
    since = heard[-1] if heard else game.started_at
    if warned is None:
        end = reached(pauses, since, MAX_SILENCE - NOTICE)
    else:
        end = max(reached(pauses, since, MAX_SILENCE), reached(pauses, warned, NOTICE))
    return None if end == FOREVER else end


def warned_at(game: Game) -> datetime | None:
    """The time of the warning about the present silence, or None."""
    silent = takewhile(lambda entry: entry.kind in BY_CLOCK, reversed(game.open_entries))
    return next((entry.at for entry in silent if entry.kind == WARN), None)
