"""Rate limits in the database: all processes share the counts.

A digest replaces every name that would identify the person.
"""

from datetime import datetime, timedelta

from sqlalchemy import Connection, case, or_

from pbem.store.engine import upsert
from pbem.store.tables import attempts


def count_attempt(db: Connection, what: str, now: datetime, window: timedelta) -> int:
    """Count one more `what`; returns the count in the current window.

    A window in the future was begun by a wrong clock, so a new one begins.
    """
    fresh = upsert(db, attempts).values(what=what, since=now, number=1)
    over = or_(attempts.c.since <= now - window, attempts.c.since > now + window)
    after = fresh.on_conflict_do_update(
        index_elements=[attempts.c.what],
        set_={
            "since": case((over, fresh.excluded.since), else_=attempts.c.since),
            "number": case((over, 1), else_=attempts.c.number + 1),
        },
    )
    return int(db.execute(after.returning(attempts.c.number)).scalar_one())
