"""Outages credited to clocks, heartbeats, and times from a fast clock."""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from pbem.core.clock.intervals import Intervals, union
from pbem.store import locks
from pbem.store.engine import upsert
from pbem.store.tables import heartbeats, messages_in, outages, outbox, players

BACKUP_HEARTBEAT = "backup"

_OUTAGES = select(outages.c.begins_at, outages.c.ends_at).where(outages.c.ends_at > bindparam("since"))


def outages_since(db: Connection, since: datetime) -> Intervals:
    """Return the server's outages that ended after `since`."""
    return union((row.begins_at, row.ends_at) for row in db.execute(_OUTAGES, {"since": since}))


def add_outage(db: Connection, begins: datetime, ends: datetime) -> None:
    """Give every clock the time between the two moments back."""
    grown = (
        update(outages).where(outages.c.begins_at == begins, outages.c.ends_at < ends).values(ends_at=ends)
    )
    if not db.execute(grown).rowcount:
        db.execute(insert(outages).values(begins_at=begins, ends_at=ends))


def last_heartbeat(db: Connection, name: str) -> datetime | None:
    return db.execute(select(heartbeats.c.at).where(heartbeats.c.name == name)).scalar_one_or_none()


def last_backup(db: Connection) -> datetime | None:
    """Return the time of the last backup by `pbem backup`."""
    return last_heartbeat(db, BACKUP_HEARTBEAT)


def delete_heartbeats(db: Connection, names: Collection[str]) -> None:
    db.execute(delete(heartbeats).where(heartbeats.c.name.in_(names)))


def record_heartbeat(db: Connection, name: str, now: datetime) -> datetime | None:
    """Record the heartbeat of `name`; returns the previous one or None, to one process at a time."""
    first = upsert(db, heartbeats).values(name=name, at=now).on_conflict_do_nothing()
    if db.execute(first.returning(heartbeats.c.name)).first() is not None:
        return None
    row = select(heartbeats.c.at).where(heartbeats.c.name == name).with_for_update()
    before: datetime = db.execute(row).scalar_one()
    db.execute(update(heartbeats).where(heartbeats.c.name == name).values(at=max(now, before)))
    return before


MAX_WAIT = timedelta(hours=2)
"""Longest delay of a mail or letter."""
MAX_DIGEST_WAIT = timedelta(days=2)
"""Longest time until the next digest."""


def repair_future_times(db: Connection, now: datetime, ahead: timedelta) -> None:
    """Reset every time that a clock ahead by over `ahead` wrote. Outages end now; clocks are checked."""
    db.execute(update(heartbeats).where(heartbeats.c.at > now + ahead).values(at=now))
    db.execute(delete(outages).where(outages.c.begins_at > now))
    db.execute(update(outages).where(outages.c.ends_at > now).values(ends_at=now))
    for table, state in ((messages_in, "new"), (outbox, "queued")):
        waits = (table.c.state == state, table.c.next_at > now + MAX_WAIT)
        db.execute(update(table).where(*waits).values(next_at=None))
    far = players.c.digest_at > now + MAX_DIGEST_WAIT
    db.execute(update(players).where(far).values(digest_at=now))
    locks.wake_clocks(db, now)
