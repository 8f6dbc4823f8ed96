"""Players who get letters about new seeks, and the newest each knows."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Connection, delete, func, select, update

from pbem.store.engine import add_row
from pbem.store.tables import challenges
from pbem.store.tables.finding import seek_letters

_WAITING = (challenges.c.to_id.is_(None), challenges.c.state == "open")


def set_wanted(db: Connection, player_id: int, next_at: datetime | None) -> None:
    """Send a player new seeks, first at `next_at`; None ends it."""
    if next_at is None:
        db.execute(delete(seek_letters).where(seek_letters.c.player_id == player_id))
        return
    told = db.execute(select(func.max(challenges.c.id))).scalar() or 0
    add_row(db, seek_letters, player_id=player_id, told=told, next_at=next_at)


def take_due(db: Connection, now: datetime, without: Collection[int]) -> tuple[int, int] | None:
    """Lock a player with new seeks; returns player and newest known. Skips those in `without`."""
    newer = select(challenges.c.id).where(
        *_WAITING,
        challenges.c.expires_at > now,
        challenges.c.id > seek_letters.c.told,
        challenges.c.from_id != seek_letters.c.player_id,
    )
    query = (
        select(seek_letters)
        .where(seek_letters.c.next_at <= now, newer.exists())
        .where(seek_letters.c.player_id.not_in(tuple(without)))
        .order_by(seek_letters.c.next_at, seek_letters.c.player_id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    row = db.execute(query).first()
    return None if row is None else (row.player_id, row.told)


def newest_known(db: Connection, player_id: int) -> int | None:
    """Return the newest seek that a player knows; None if not wanted."""
    query = select(seek_letters.c.told).where(seek_letters.c.player_id == player_id)
    return db.execute(query).scalar()


def newest_seek(db: Connection) -> int:
    return db.execute(select(func.max(challenges.c.id)).where(*_WAITING)).scalar() or 0


def record_told(db: Connection, player_id: int, told: int) -> None:
    """Record that a player knows the seeks up to this number."""
    mine = seek_letters.c.player_id == player_id
    db.execute(update(seek_letters).where(mine).values(told=told))


def delay(db: Connection, player_id: int, next_at: datetime) -> None:
    """Look for seeks for this player no earlier than then."""
    mine = seek_letters.c.player_id == player_id
    db.execute(update(seek_letters).where(mine).values(next_at=next_at))
