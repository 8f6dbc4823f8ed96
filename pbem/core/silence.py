"""Games without a clock: when nothing has happened for so long that they are closed. Values only.

What either player does or says ends the silence, and so does a director; what the clock wrote does not.
Days off of whoever is to play do not count, nor what stops both clocks.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import takewhile

from pbem.core.game import Game
from pbem.core.journal import BY_CLOCK, WARN
from pbem.core.spans import FOREVER, reached
from rules.contract import Seat

MAX_SILENCE = timedelta(days=60)
"""How long nothing may happen in a game without a clock."""
NOTICE = timedelta(days=7)
"""How long before that both are told."""
LATE = timedelta(days=1)
"""A warning that comes later than this counts from when it came: both have the whole time then."""


def ends(game: Game, to_play: Seat) -> datetime | None:
    """When silence brings the next thing: the warning, or after it the close; None where clocks stand."""
    pauses, warned = game.halts.of(to_play).all, warned_at(game)
    heard = [entry.at for entry in game.open_entries if entry.kind not in BY_CLOCK]
    since = heard[-1] if heard else game.started_at
    if warned is None:
        end = reached(pauses, since, MAX_SILENCE - NOTICE)
    else:
        end = max(reached(pauses, since, MAX_SILENCE), reached(pauses, warned, NOTICE))
    return None if end == FOREVER else end


def warned_at(game: Game) -> datetime | None:
    """When both were told of the silence that lasts still; None where they were not."""
    silent = takewhile(lambda entry: entry.kind in BY_CLOCK, reversed(game.open_entries))
    return next((entry.at for entry in silent if entry.kind == WARN), None)
