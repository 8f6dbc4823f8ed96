"""Letters on their way from the outbox to the relay.

A letter is claimed by moving its `next_at` a lease ahead, so a process that dies holding it loses it when the
lease runs out, and nobody else takes it meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, func, or_, select, update

from pbem.core.blanking import without_secrets
from pbem.store import blanking
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
    faults: int = 0


RELAY, OURS, LATE = "relay", "ours", "late"
"""What somebody has to see to: the relay refuses us, a fault of ours, a letter put off for too long."""


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
            outbox.c.faults,
        )
    )
    return sorted((Due(*row) for row in db.execute(change)), key=lambda letter: letter.id)


def sent(db: Connection, ids: Sequence[int], now: datetime) -> None:
    """The relay has taken these."""
    change = update(outbox).where(outbox.c.id.in_(ids))
    db.execute(change.values(state="sent", sent_at=now, next_at=None, detail="", trouble=""))
    blanking.sent(db, ids, now)


def put_back(db: Connection, ids: Sequence[int]) -> None:
    """These were claimed and never offered to the relay: they are due at once, as if never claimed."""
    change = update(outbox).where(outbox.c.id.in_(ids))
    db.execute(change.values(next_at=None, attempts=outbox.c.attempts - 1))


def later(db: Connection, id: int, next_at: datetime, detail: str, trouble: str = "") -> None:
    """The relay said not now: try again at `next_at`."""
    change = update(outbox).where(outbox.c.id == id)
    db.execute(change.values(next_at=next_at, detail=without_secrets(detail), trouble=trouble))


def count_fault(db: Connection, id: int) -> None:
    """The letter failed once more through a fault of ours."""
    db.execute(update(outbox).where(outbox.c.id == id).values(faults=outbox.c.faults + 1))


def failed(db: Connection, id: int, detail: str, trouble: str = "") -> None:
    """The relay said never, or too long had passed; `trouble` where somebody has to see to it."""
    change = update(outbox).where(outbox.c.id == id)
    values = {"state": "failed", "next_at": None, "detail": without_secrets(detail), "trouble": trouble}
    db.execute(change.values(values))


def dropped(db: Connection, id: int, why: str) -> None:
    """What this says is no longer so: it is not sent."""
    values = {"state": "dropped", "next_at": None, "detail": why, "trouble": ""}
    db.execute(update(outbox).where(outbox.c.id == id).values(values))


def serves_others(db: Connection, letter: Due) -> bool:
    """Whether the relay has taken a letter to somebody else that was written after this one."""
    later = (outbox.c.state == "sent", outbox.c.id > letter.id, outbox.c.recipient != letter.recipient)
    return db.execute(select(outbox.c.id).where(*later).limit(1)).first() is not None


# What somebody has to see to.


@dataclass(frozen=True)
class Failing:
    """A letter that was not taken, and why."""

    id: int
    state: str
    trouble: str
    detail: str
    whole: bool
    """Whether its bytes are there still."""

    @property
    def key(self) -> str:
        return f"o{self.id}"


def _failing(*where: ColumnElement[bool]) -> Select[Any]:
    whole = func.length(outbox.c.raw) > 0
    columns = (outbox.c.id, outbox.c.state, outbox.c.trouble, outbox.c.detail, whole)
    return select(*columns).where(*where).order_by(outbox.c.id)


def in_trouble(db: Connection, most: int = 1000) -> list[Failing]:
    """Letters that wait because the relay refuses us, or were given up and may yet be sent; oldest first."""
    open = (outbox.c.state.in_(("queued", "failed")), outbox.c.trouble != "")
    return [Failing(*row) for row in db.execute(_failing(*open).limit(most))]


def letters(db: Connection, ids: Iterable[int]) -> dict[int, Failing]:
    """Letters by number, those that are there."""
    found = db.execute(_failing(outbox.c.id.in_(tuple(ids))))
    return {row.id: Failing(*row) for row in found}


def given_up(db: Connection) -> list[int]:
    """The numbers of all letters that failed, or were put off, and whose bytes are there still."""
    put_off = and_(outbox.c.state == "queued", outbox.c.detail != "")
    whole = func.length(outbox.c.raw) > 0
    return list(db.scalars(select(outbox.c.id).where(or_(outbox.c.state == "failed", put_off), whole)))


def again(db: Connection, ids: Iterable[int], now: datetime) -> int:
    """Have letters that failed or wait sent, as if they had been written now; how many there were."""
    change = update(outbox).where(outbox.c.id.in_(tuple(ids)), outbox.c.state.in_(("queued", "failed")))
    fresh = {"attempts": 0, "faults": 0, "trouble": "", "detail": "", "next_at": None, "created_at": now}
    return db.execute(change.values(state="queued", **fresh)).rowcount
