"""Locks on several games, and for work longer than a transaction.

Games are locked before other rows, the lowest number first, and all before any is read; that prevents
deadlocks. The lock of a process ends with it: on PostgreSQL with an open transaction, which reads nothing
and so holds up no vacuum, on SQLite with the lock on a file beside the database.
"""

import fcntl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Select, func, select, update

from pbem.core.players import Player
from pbem.store.engine import Store, is_sqlite
from pbem.store.tables import games, has_seat


@contextmanager
def process_lock(store: Store, what: str) -> Iterator[bool]:
    """Try to lock `what` until the block ends. Yield True if it succeeded."""
    if store.engine.dialect.name == "sqlite":
        with open(f"{store.engine.url.database}.{what}.lock", "a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            yield True
        return
    with store.write() as db:
        yield try_advisory_lock(db, what)


def advisory_lock(db: Connection, what: str) -> None:
    """Lock `what` until this transaction ends. PostgreSQL locks a hash of the name."""
    if not is_sqlite(db):
        db.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(what, 0))))


def vacation_lock_name(player: Player) -> str:
    """Return the name of the lock on a player's vacations, for `advisory_lock`."""
    return f"days off of {player.id}"


def try_advisory_lock(db: Connection, what: str) -> bool:
    """Try to lock `what` as `advisory_lock` does, without waiting; False if another transaction has it."""
    if is_sqlite(db):
        return True
    got = select(func.pg_try_advisory_xact_lock(func.hashtextextended(what, 0)))
    return bool(db.execute(got).scalar_one())


def lock_game_rows(db: Connection, ids: Iterable[int]) -> None:
    """Lock these games against other decisions, lowest number first. SQLite needs no lock."""
    if not is_sqlite(db):
        db.execute(_ascending(games.c.id.in_(tuple(ids))))


def lock_running_games(db: Connection, player_id: int) -> list[int]:
    return list(db.scalars(_ascending(has_seat(player_id), games.c.ended_at.is_(None))))


def _ascending(*which: ColumnElement[bool]) -> Select[tuple[int]]:
    """Select game numbers in ascending order and lock each row."""
    return select(games.c.id).where(*which).order_by(games.c.id).with_for_update(key_share=True)


def wake_clocks(db: Connection, now: datetime) -> None:
    """Schedule a check of every running clock: all deadlines have moved."""
    ticking = _ascending(games.c.next_event_at > now)
    db.execute(update(games).where(games.c.id.in_(ticking)).values(next_event_at=now))


def wake_player_clocks(db: Connection, player_id: int, now: datetime, *, besides: int = 0) -> None:
    """Schedule a check of a player's running games, but one. Skips locked ones, against deadlocks."""
    ticking = (has_seat(player_id), games.c.id != besides, games.c.next_event_at > now)
    free = select(games.c.id).where(*ticking).with_for_update(key_share=True, skip_locked=True)
    db.execute(update(games).where(games.c.id.in_(free)).values(next_event_at=now))
