"""Barred addresses, as keyed digests: they outlive their players."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Column, Connection, String, delete, select

from pbem.store.columns import Moment, table
from pbem.store.engine import upsert

bars = table("bars", Column("digest", String(64), primary_key=True), Column("at", Moment, nullable=False))


def keep_bar(db: Connection, digest: str, now: datetime) -> None:
    """Keep the bar of an address, by its digest."""
    db.execute(upsert(db, bars).values(digest=digest, at=now).on_conflict_do_nothing())


def is_kept(db: Connection, digests: Sequence[str]) -> bool:
    """True if an address with one of these digests is barred."""
    return db.execute(select(bars.c.digest).where(bars.c.digest.in_(digests)).limit(1)).first() is not None


def drop_bars(db: Connection, digests: Sequence[str]) -> None:
    db.execute(delete(bars).where(bars.c.digest.in_(digests)))
