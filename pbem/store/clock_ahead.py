"""Repair of future times that a fast system clock has written."""

from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, update

from pbem.store import game_locks
from pbem.store.tables import heartbeats, messages_in, outages, outbox, players

MAX_WAIT = timedelta(hours=2)
"""Longest delay of a mail or letter."""
MAX_DIGEST_WAIT = timedelta(days=2)
"""Longest time until the next digest."""


def repair_future_times(db: Connection, now: datetime, ahead: timedelta) -> None:
    """Reset every time that a clock ahead by over `ahead` wrote.

    An outage lies in the past, so one that ends later ends now. All game clocks are checked again.
    """
    db.execute(update(heartbeats).where(heartbeats.c.at > now + ahead).values(at=now))
    db.execute(delete(outages).where(outages.c.begins_at > now))
    db.execute(update(outages).where(outages.c.ends_at > now).values(ends_at=now))
    for table, state in ((messages_in, "new"), (outbox, "queued")):
        waits = (table.c.state == state, table.c.next_at > now + MAX_WAIT)
        db.execute(update(table).where(*waits).values(next_at=None))
    far = players.c.digest_at > now + MAX_DIGEST_WAIT
    db.execute(update(players).where(far).values(digest_at=now))
    game_locks.wake_clocks(db, now)
