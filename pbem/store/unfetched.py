"""Mails that a mailbox lists but does not deliver."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Connection, delete, select, update

from pbem.store.engine import upsert
from pbem.store.tables.operation import unfetched


def next_fetch_times(db: Connection, mailbox: str) -> dict[str, datetime]:
    """Return the next try of each undelivered mail, by UID."""
    query = select(unfetched.c.uid, unfetched.c.next_at).where(unfetched.c.mailbox == mailbox)
    return {row.uid: row.next_at for row in db.execute(query)}


def record_failed_fetch(db: Connection, mailbox: str, uid: str, now: datetime) -> int:
    """Count another failed fetch of a mail; returns the number of tries."""
    first = upsert(db, unfetched).values(mailbox=mailbox, uid=uid, tries=1, since=now, next_at=now)
    change = {"tries": unfetched.c.tries + 1}
    statement = first.on_conflict_do_update(index_elements=["mailbox", "uid"], set_=change)
    return db.execute(statement.returning(unfetched.c.tries)).scalar_one()


def set_next_try(db: Connection, mailbox: str, uid: str, moment: datetime) -> None:
    mine = (unfetched.c.mailbox == mailbox, unfetched.c.uid == uid)
    db.execute(update(unfetched).where(*mine).values(next_at=moment))


def forget_fetched(db: Connection, mailbox: str, uids: Collection[str]) -> None:
    """Forget mails that were fetched at last, or deleted."""
    db.execute(delete(unfetched).where(unfetched.c.mailbox == mailbox, unfetched.c.uid.in_(tuple(uids))))
