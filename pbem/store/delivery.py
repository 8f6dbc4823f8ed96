"""Letters on their way from the outbox to the relay.

A letter is claimed by moving its `next_at` a lease ahead, so a process that dies holding it loses it when the
lease runs out, and nobody else takes it meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, or_, select, update

from pbem.core.blanking import without_secrets
from pbem.store.engine import is_sqlite
from pbem.store.tables import outbox


@dataclass(frozen=True)
class Due:
    """A letter claimed for sending."""

    id: int
    envelope_from: str
    recipient: str
    raw: bytes
    attempts: int
    created_at: datetime
    kind: str


def claim(db: Connection, now: datetime, lease: timedelta, most: int) -> list[Due]:
    """Take up to `most` letters whose time has come; they are ours until the lease runs out."""
    due = (
        select(outbox.c.id)
        .where(outbox.c.state == "queued", or_(outbox.c.next_at.is_(None), outbox.c.next_at <= now))
        .order_by(outbox.c.id)
        .limit(most)
    )
    if not is_sqlite(db):
        due = due.with_for_update(skip_locked=True)
    change = (
        update(outbox)
        .where(outbox.c.id.in_(due))
        .values(next_at=now + lease, attempts=outbox.c.attempts + 1)
        .returning(
            outbox.c.id,
            outbox.c.envelope_from,
            outbox.c.recipient,
            outbox.c.raw,
            outbox.c.attempts,
            outbox.c.created_at,
            outbox.c.kind,
        )
    )
    return sorted((Due(*row) for row in db.execute(change)), key=lambda letter: letter.id)


def sent(db: Connection, ids: Sequence[int], now: datetime) -> None:
    """The relay has taken these."""
    change = update(outbox).where(outbox.c.id.in_(ids))
    db.execute(change.values(state="sent", sent_at=now, next_at=None, detail=""))


def put_back(db: Connection, ids: Sequence[int]) -> None:
    """These were claimed and never offered to the relay: they are due at once, as if never claimed."""
    change = update(outbox).where(outbox.c.id.in_(ids))
    db.execute(change.values(next_at=None, attempts=outbox.c.attempts - 1))


def later(db: Connection, id: int, next_at: datetime, detail: str) -> None:
    """The relay said not now: try again at `next_at`."""
    change = update(outbox).where(outbox.c.id == id)
    db.execute(change.values(next_at=next_at, detail=without_secrets(detail)))


def failed(db: Connection, id: int, detail: str) -> None:
    """The relay said never, or too long had passed."""
    change = update(outbox).where(outbox.c.id == id)
    db.execute(change.values(state="failed", next_at=None, detail=without_secrets(detail)))


def dropped(db: Connection, id: int, why: str) -> None:
    """What this says is no longer so: it is not sent."""
    db.execute(update(outbox).where(outbox.c.id == id).values(state="dropped", next_at=None, detail=why))
