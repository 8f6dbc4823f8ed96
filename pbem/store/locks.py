"""Locks for work that one process does, longer than a transaction.

The lock ends with the process: on PostgreSQL with its connection, on SQLite with the lock on a file beside
the database.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import func, select

from pbem.store.engine import Store


@contextmanager
def alone(store: Store, what: str) -> Iterator[bool]:
    """Try to lock `what`; yields True if it is locked until the end."""
    if store.engine.dialect.name == "sqlite":
        with open(f"{store.engine.url.database}.{what}.lock", "a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            yield True
        return
    number = func.hashtextextended(what, 0)
    with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
        got = bool(db.execute(select(func.pg_try_advisory_lock(number))).scalar_one())
        try:
            yield got
        finally:
            if got:
                db.execute(select(func.pg_advisory_unlock(number)))
