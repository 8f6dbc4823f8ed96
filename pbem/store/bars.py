"""Barred addresses, as keyed digests: they outlive their players."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, delete, select

from pbem.store.engine import upsert
from pbem.store.tables.operation import bars


def keep_bar(db: Connection, digest: str, now: datetime) -> None:
    """Keep the bar of an address, by its digest."""
    db.execute(upsert(db, bars).values(digest=digest, at=now).on_conflict_do_nothing())


def is_kept(db: Connection, digests: Sequence[str]) -> bool:
    """True if an address with one of these digests is barred."""
    return db.execute(select(bars.c.digest).where(bars.c.digest.in_(digests)).limit(1)).first() is not None


def drop_bars(db: Connection, digests: Sequence[str]) -> None:
    db.execute(delete(bars).where(bars.c.digest.in_(digests)))
