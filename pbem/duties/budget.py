"""The bots' seconds of a day, and their shares."""

from datetime import datetime

from pbem.app import App
from pbem.store import bots
from pbem.store.engine import Connection

SHARE_OF_PLAYER = 0.25
"""The part of a day's seconds for one player at most."""
SHARE_OF_SLOW = 0.8
"""The part that the levels above 3 have."""
SHARE_OF_JOBS = 0.5
"""The part that jobs may use up where nobody waits for them."""


def seconds_of_player(app: App) -> float:
    """Return the most seconds of a day for one player."""
    return SHARE_OF_PLAYER * app.config.bot_seconds[1]


def has_player_time(app: App, db: Connection, player_id: int, now: datetime) -> bool:
    return bots.seconds_of_player(db, player_id, now) < seconds_of_player(app)


def has_time(app: App, db: Connection, now: datetime, share: float = 1.0) -> bool:
    """True if less than this part of the day is used up."""
    return bots.seconds_of_day(db, now) < share * app.config.bot_seconds[1]
