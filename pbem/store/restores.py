"""When the database was brought back from a backup, and what of it is therefore not what old letters name.

The hours between the backup and the loss are gone here, and their letters are in people's mailboxes. Numbers
given then are given again: of games, challenges, questions, journal entries. So each restore has an epoch,
letters bear it in their Message-IDs and reply addresses, and what was made since is known by its date.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection, Table, func, insert, or_, select, update

from pbem.store.tables import bundles, challenges, confirmations, games, restores

FIRST = datetime(2026, 1, 1, tzinfo=UTC)
"""Epochs are seconds since then: whoever restores one backup twice gets two."""

_EPOCH = select(func.coalesce(func.max(restores.c.epoch), 0))
NUMBERED: dict[str, Table] = {"player": challenges, "bundle": bundles, "confirm": confirmations}
"""What the reply addresses of each use name by number, beside games."""


def epoch(db: Connection) -> int:
    """The number that letters bear now; 0 where nothing was ever restored."""
    return db.execute(_EPOCH).scalar_one()


def note(db: Connection, now: datetime) -> int:
    """Keep that the database was just restored, and what of each game is there; the new epoch."""
    number = max(epoch(db) + 1, int((now - FIRST).total_seconds()))
    db.execute(insert(restores).values(epoch=number, at=now))
    longer = or_(games.c.restored_entries.is_(None), games.c.restored_entries > games.c.entries)
    db.execute(update(games).where(longer).values(restored_entries=games.c.entries))
    return number


def entries_known(db: Connection, game: int, since: int) -> int | None:
    """Of how many entries of a game a letter of epoch `since` can tell; None where all there are."""
    if epoch(db) <= since:
        return None
    query = select(func.coalesce(games.c.restored_entries, 0)).where(games.c.id == game)
    return db.execute(query).scalar_one()


def is_another(db: Connection, use: str, number: int, since: int) -> bool:
    """Whether what a letter of epoch `since` calls by this number was lost, and another has it now."""
    table = NUMBERED[use]
    restored = select(func.min(restores.c.at)).where(restores.c.epoch > since).scalar_subquery()
    query = select(table.c.id).where(table.c.id == number, table.c.created_at >= restored)
    return db.execute(query).first() is not None
