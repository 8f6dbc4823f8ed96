"""Moves the bytes of old mails and letters to blobs. Deletes blobs that are no longer needed.

A blob is written first, then its row gets its name. If the process dies between, the row has its bytes still,
and the blob is an orphan, which is deleted two days later. Only what is finished moves: mails that were
handled, and letters without secrets, which are never sent again.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from secrets import token_hex

from sqlalchemy import (
    ColumnElement,
    Connection,
    LargeBinary,
    Table,
    delete,
    func,
    insert,
    literal,
    select,
    update,
)

from pbem.store.blobs import NAME, Blobs, blobs_of, is_moved, released_blobs, stored_bytes
from pbem.store.columns import MOVED, Moved
from pbem.store.engine import Store
from pbem.store.retention import HANDLED_STATES
from pbem.store.tables import messages_in, outbox

SLICE = 50
"""Rows that one transaction changes."""
ORPHAN_AGE = timedelta(days=2)
"""By then whoever wrote a blob has named it in its row, or never will."""
TABLES = {"m": messages_in, "o": outbox}

Until = Callable[[], bool]


def _finished(before: datetime) -> dict[str, ColumnElement[bool]]:
    """Return the conditions for mails and letters that may move, by kind."""
    mails = messages_in.c.state.in_(HANDLED_STATES) & (messages_in.c.received_at < before)
    letters = (outbox.c.state == "sent") & outbox.c.blank_at.is_(None) & (outbox.c.created_at < before)
    return {"m": mails, "o": letters}


def move_old_bytes(store: Store, now: datetime, before: datetime, until: Until) -> int:
    """Move what is from before a moment; returns the number of rows. Raises Unavailable."""
    blobs, moved = blobs_of(store.engine), 0
    for kind, finished in _finished(before).items() if blobs else ():
        table, last = TABLES[kind], 0
        stored = stored_bytes(table)
        there = (finished, func.length(stored) > 0, ~is_moved(table))
        while not until():
            query = select(table.c.id, stored.label("stored")).where(table.c.id > last, *there)
            with store.read() as db:
                rows = db.execute(query.order_by(table.c.id).limit(SLICE)).all()
            if not rows:
                break
            assert blobs is not None
            names = _write(blobs, f"{now:%Y-%m-%d}/{kind}", [(row.id, row.stored) for row in rows])
            with store.write() as db:
                for row, name in zip(rows, names, strict=True):
                    moved += _name_blob(db, table, row.id, row.stored, name)
            last = rows[-1].id
    return moved


def _write(blobs: Blobs, prefix: str, rows: Sequence[tuple[int, bytes]]) -> list[bytes]:
    """Write blobs; returns their names."""
    names = []
    for id, stored in rows:
        name = f"{prefix}{id}-{token_hex(4)}"
        blobs.write(name, bytes(stored))
        names.append(name.encode("ascii"))
    return names


def _name_blob(db: Connection, table: Table, id: int, stored: bytes, name: bytes) -> bool:
    """Give a row the name of its blob. A row that changed meanwhile keeps its bytes."""
    same = (table.c.id == id, stored_bytes(table) == literal(stored, LargeBinary))
    if db.execute(update(table).where(*same).values(raw=Moved(name))).rowcount:
        return True
    db.execute(insert(released_blobs).values(name=MOVED + name))
    return False


def delete_released_blobs(store: Store, until: Until) -> int:
    """Delete the blobs that were released; returns their number. Raises Unavailable."""
    blobs, deleted = blobs_of(store.engine), 0
    while blobs and not until():
        with store.read() as db:
            rows = db.execute(select(released_blobs).order_by(released_blobs.c.id).limit(SLICE)).all()
        if not rows:
            break
        for row in rows:
            blobs.delete(bytes(row.name).removeprefix(MOVED).decode("ascii"))
        with store.write() as db:
            db.execute(delete(released_blobs).where(released_blobs.c.id.in_([row.id for row in rows])))
        deleted += len(rows)
    return deleted


def delete_orphans(store: Store, now: datetime, until: Until) -> int:
    """Delete old blobs that no row names; returns their number. Raises Unavailable."""
    blobs, deleted = blobs_of(store.engine), 0
    for names in blobs.names(f"{now - ORPHAN_AGE:%Y-%m-%d}") if blobs else ():
        if until():
            break
        assert blobs is not None
        for name in sorted({*names} - _named(store, names)):
            blobs.delete(name)
            deleted += 1
    return deleted


def count_moved(store: Store) -> int:
    """Count the rows whose bytes are in blobs."""
    with store.read() as db:
        counts = (select(func.count()).select_from(table).where(is_moved(table)) for table in TABLES.values())
        return sum(db.execute(query).scalar_one() for query in counts)


def count_missing(store: Store) -> int:
    """Count the rows whose blobs are missing. Without the setting all of them are. Raises Unavailable."""
    blobs = blobs_of(store.engine)
    there = sum(len(_named(store, names)) for names in blobs.names()) if blobs else 0
    return max(0, count_moved(store) - there)


def _named(store: Store, names: Sequence[str]) -> set[str]:
    """Return those of these names that rows have."""
    found = set[str]()
    with store.read() as db:
        for kind, table in TABLES.items():
            matches = filter(None, map(NAME.fullmatch, names))
            ids = [int(match["id"]) for match in matches if match["kind"] == kind]
            query = select(stored_bytes(table)).where(table.c.id.in_(ids), is_moved(table))
            found |= {bytes(name).removeprefix(MOVED).decode("ascii") for name in db.scalars(query)}
    return found & {*names}
