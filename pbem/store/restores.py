"""Restores from a backup. Numbers given afterwards may repeat those in old letters.

The hours between the backup and the loss are gone here, but their letters are in people's mailboxes. Numbers
of games, challenges, questions and journal entries from those hours are given again. So each restore has an
epoch, which is in the Message-IDs and reply addresses of letters; newer rows are known by their date.
"""

from datetime import UTC, datetime
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Table, func, insert, or_, select, update

from pbem.store.tables import bundles, challenges, confirmations, games, restores
from pbem.store.tables.finding import invitations

EPOCH_START = datetime(2026, 1, 1, tzinfo=UTC)
"""The start of epochs, in seconds: two restores of one backup get two epochs."""

_EPOCH = select(func.coalesce(func.max(restores.c.epoch), 0))
NUMBERED_TABLES: dict[str, Table] = {
    "player": challenges,
    "bundle": bundles,
    "confirm": confirmations,
    "invite": invitations,
}
"""Tables whose numbers the reply addresses of each use contain, besides games."""


_asked: WeakKeyDictionary[Connection, int] = WeakKeyDictionary()
"""The epoch by transaction: each letter and each answer asks for it."""


def restore_epoch(db: Connection) -> int:
    """Return the epoch for letters now; 0 without any restore. A transaction asks once."""
    if db not in _asked:
        _asked[db] = db.execute(_EPOCH).scalar_one()
    return _asked[db]


def last_restore(db: Connection) -> datetime | None:
    return db.execute(select(func.max(restores.c.at))).scalar()


def record_restore(db: Connection, now: datetime) -> int:
    """Record a restore and each journal's length; returns the new epoch."""
    number = max(restore_epoch(db) + 1, int((now - EPOCH_START).total_seconds()))
    db.execute(insert(restores).values(epoch=number, at=now))
    _asked[db] = number
    longer = or_(games.c.restored_entries.is_(None), games.c.restored_entries > games.c.entries)
    db.execute(update(games).where(longer).values(restored_entries=games.c.entries))
    return number


def known_entries(db: Connection, game: int, since: int) -> int | None:
    """Return the number of a game's entries that letters of epoch `since` know; None: all of them."""
    if restore_epoch(db) <= since:
        return None
    query = select(func.coalesce(games.c.restored_entries, 0)).where(games.c.id == game)
    return db.execute(query).scalar_one()


def is_reused_number(db: Connection, use: str, number: int, since: int) -> bool:
    """True if a number from epoch `since` means another row now, as its own was lost in a restore."""
    table = NUMBERED_TABLES[use]
    restored = select(func.min(restores.c.at)).where(restores.c.epoch > since).scalar_subquery()
    query = select(table.c.id).where(table.c.id == number, table.c.created_at >= restored)
    return db.execute(query).first() is not None
