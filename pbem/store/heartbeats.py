"""Rows of heartbeats: when each process was last at work."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Connection, delete, select, update

from pbem.store.engine import upsert
from pbem.store.tables import heartbeats


def last_heartbeat(db: Connection, name: str) -> datetime | None:
    return db.execute(select(heartbeats.c.at).where(heartbeats.c.name == name)).scalar_one_or_none()


def delete_heartbeats(db: Connection, names: Collection[str]) -> None:
    db.execute(delete(heartbeats).where(heartbeats.c.name.in_(names)))


def record_heartbeat(db: Connection, name: str, now: datetime) -> datetime | None:
    """Record the heartbeat of `name`; returns the previous one, or None.

    The row is locked until the transaction ends, so only one of several processes sees a long silence.
    """
    first = upsert(db, heartbeats).values(name=name, at=now).on_conflict_do_nothing()
    if db.execute(first.returning(heartbeats.c.name)).first() is not None:
        return None
    row = select(heartbeats.c.at).where(heartbeats.c.name == name).with_for_update()
    before: datetime = db.execute(row).scalar_one()
    db.execute(update(heartbeats).where(heartbeats.c.name == name).values(at=max(now, before)))
    return before
