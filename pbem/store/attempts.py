"""How often something was asked for lately, in the database: every process counts the same.

What is counted is named by a digest wherever it would say who asked.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, case, or_
from sqlalchemy.dialects import postgresql, sqlite

from pbem.store.engine import is_sqlite
from pbem.store.tables import attempts


def count(db: Connection, what: str, now: datetime, window: timedelta) -> int:
    """Count one more of `what`; how many there were since the window began, with this one.

    A window that lies ahead was begun by a clock that was wrong, and another begins.
    """
    make: Any = sqlite.insert if is_sqlite(db) else postgresql.insert
    fresh = make(attempts).values(what=what, since=now, number=1)
    over = or_(attempts.c.since <= now - window, attempts.c.since > now + window)
    after = fresh.on_conflict_do_update(
        index_elements=[attempts.c.what],
        set_={
            "since": case((over, fresh.excluded.since), else_=attempts.c.since),
            "number": case((over, 1), else_=attempts.c.number + 1),
        },
    )
    return int(db.execute(after.returning(attempts.c.number)).scalar_one())
