"""Locks for work that one process does, longer than a transaction.

The lock ends with the process: on PostgreSQL with its connection, on SQLite with the lock on a file beside
the database.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, func, select

from pbem.core.players import Player
from pbem.store.engine import Store, is_sqlite


@contextmanager
def process_lock(store: Store, what: str) -> Iterator[bool]:
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


def advisory_lock(db: Connection, what: str) -> None:
    """Lock `what` until this transaction ends.

    SQLite has only one writer; PostgreSQL takes an advisory lock by a hash of the name.
    """
    if not is_sqlite(db):
        db.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(what, 0))))


def vacation_lock_name(player: Player) -> str:
    """Return the name of the lock on a player's vacations, for `advisory_lock`."""
    return f"days off of {player.id}"


def try_advisory_lock(db: Connection, what: str) -> bool:
    """Try the same lock without waiting; False where another transaction has it."""
    if is_sqlite(db):
        return True
    got = select(func.pg_try_advisory_xact_lock(func.hashtextextended(what, 0)))
    return bool(db.execute(got).scalar_one())
