"""Rows of outages that every clock is credited with."""

from datetime import datetime

from sqlalchemy import Connection, bindparam, insert, select, update

from pbem.core.clock.intervals import Intervals, union
from pbem.store.tables import outages

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
