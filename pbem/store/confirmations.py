"""Rows of questions sent to an address, each good once."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from pbem.store.tables import confirmations


@dataclass(frozen=True)
class Confirmation:
    """A question to an address: `purpose`, `data`; usable once, until `expires_at`."""

    id: int
    purpose: str
    address: str
    data: Mapping[str, Any]
    expires_at: datetime
    used_at: datetime | None


def add_confirmation(
    db: Connection, purpose: str, address: str, data: Mapping[str, Any], now: datetime, until: datetime
) -> Confirmation:
    """Store a question to `address`; its letter carries the number."""
    values = {"purpose": purpose, "address": address, "data": dict(data), "expires_at": until}
    new = insert(confirmations).values(created_at=now, **values).returning(confirmations.c.id)
    return Confirmation(db.execute(new).scalar_one(), purpose, address, data, until, None)


def lock_confirmation(db: Connection, id: int) -> Confirmation | None:
    columns = (confirmations.c[field.name] for field in fields(Confirmation))
    row = db.execute(select(*columns).where(confirmations.c.id == id).with_for_update()).first()
    return None if row is None else Confirmation(*row)


def use_confirmation(db: Connection, confirmation: Confirmation, now: datetime) -> None:
    db.execute(update(confirmations).where(confirmations.c.id == confirmation.id).values(used_at=now))


def count_confirmations(
    db: Connection, purpose: str, since: datetime, address: str | None = None, *, answered: bool | None = None
) -> int:
    """Count questions of a purpose since then, to one or all addresses; `answered`: only such, or others."""
    query = select(func.count()).where(confirmations.c.purpose == purpose, confirmations.c.created_at > since)
    if address is not None:
        query = query.where(confirmations.c.address == address)
    if answered is not None:
        used = confirmations.c.used_at
        query = query.where(used.is_not(None) if answered else used.is_(None))
    return db.execute(query).scalar_one()
