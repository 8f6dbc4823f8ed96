"""Players, their addresses, and their confirmations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, or_, select, update

from pbem.core.people import Player, Wishes, same_address
from pbem.store import restores
from pbem.store.engine import is_sqlite
from pbem.store.tables import addresses, confirmations, players

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Confirmation:
    """A question to an address: `purpose`, `data`; usable once, until `expires_at`."""

    id: int
    purpose: str
    address: str
    data: Mapping[str, Any]
    expires_at: datetime
    used_at: datetime | None


_PLAYERS = select(players, addresses.c.address.label("proven"), addresses.c.suspended_at).outerjoin(
    addresses, addresses.c.player_id == players.c.id
)
"""Erased players too, who have no address: their games still exist."""
_BY_IDS = _PLAYERS.where(players.c.id.in_(bindparam("ids", expanding=True)))
_BY_TWO = _PLAYERS.where(or_(players.c.id == bindparam("one"), players.c.id == bindparam("other")))
"""Built once: building a statement takes SQLAlchemy as long as running it."""


def _players(rows: Iterable[Row[Any]]) -> dict[int, Player]:
    found: dict[int, Row[Any]] = {}
    proven: dict[int, set[str]] = {}
    suspended: dict[int, set[str]] = {}
    for row in rows:
        found[row.id] = row
        proven.setdefault(row.id, set()).update({row.proven} - {None})
        if row.suspended_at is not None:
            suspended.setdefault(row.id, set()).add(row.proven)
    return {
        id: Player(
            id,
            row.name,
            row.address,
            frozenset(proven[id]),
            row.created_at,
            row.epoch,
            frozenset(row.stopped),
            _wishes(row.wishes),
            frozenset(suspended.get(id, ())),
            row.barred,
        )
        for id, row in found.items()
    }


WISHES = frozenset(field.name for field in fields(Wishes))


def _wishes(kept: Mapping[str, Any]) -> Wishes:
    """Read stored preferences; those that this version does not know are left out."""
    return Wishes(**{key: value for key, value in kept.items() if key in WISHES})


def by_ids(db: Connection, ids: Iterable[int]) -> dict[int, Player]:
    """Return players by row number; unknown numbers are left out."""
    wanted = list(ids)
    if 1 <= len(wanted) <= 2:
        return _players(db.execute(_BY_TWO, {"one": wanted[0], "other": wanted[-1]}))
    return _players(db.execute(_BY_IDS, {"ids": wanted}))


def by_id(db: Connection, id: int) -> Player | None:
    return by_ids(db, (id,)).get(id)


def everybody(db: Connection) -> list[Player]:
    """Return all players, by number."""
    return list(_players(db.execute(_PLAYERS.order_by(players.c.id))).values())


def by_name(db: Connection, name: str) -> Player | None:
    """Return the player called `name`, in any case."""
    rows = db.execute(_PLAYERS.where(players.c.name_key == name.lower()))
    return next(iter(_players(rows).values()), None)


def by_address(db: Connection, address: str) -> Player | None:
    """Return the player who proved `address`."""
    owner = select(addresses.c.player_id).where(addresses.c.address == same_address(address))
    rows = db.execute(_PLAYERS.where(players.c.id.in_(owner)))
    return next(iter(_players(rows).values()), None)


def names_like(db: Connection, name: str, most: int = 400) -> list[str]:
    """Return similar names for suggestions: alphabetic neighbours with the same first letter."""
    key, start = name.lower(), name[:1].lower()
    column, here = players.c.name_key, players.c.address != ""
    near = (
        select(players.c.name, column).where(here, column >= key).order_by(column),
        select(players.c.name, column).where(here, column < key).order_by(column.desc()),
    )
    rows = [row for query in near for row in db.execute(query.limit(most // 2))]
    return [row.name for row in rows if row.name_key.startswith(start)]


def add(db: Connection, name: str, address: str, now: datetime) -> Player:
    """Register `name` at `address`; raises IntegrityError where either is taken.

    After a restore, the number may have been another player's in the lost hours. The new epoch makes that
    player's reply addresses void.
    """
    row = db.execute(
        insert(players)
        .values(
            name=name,
            name_key=name.lower(),
            address=address,
            epoch=restores.epoch(db),
            stopped=[],
            created_at=now,
            wishes={},
        )
        .returning(players.c.id, players.c.epoch)
    ).one()
    key = same_address(address)
    db.execute(insert(addresses).values(address=key, player_id=row.id, proven_at=now))
    return Player(row.id, name, address, frozenset({key}), now, epoch=row.epoch)


def addresses_of(db: Connection, player: Player) -> list[str]:
    """Return the player's proven addresses, the latest first."""
    query = select(addresses.c.address).where(addresses.c.player_id == player.id)
    return list(db.scalars(query.order_by(addresses.c.proven_at.desc(), addresses.c.address)))


def add_address(db: Connection, player: Player, address: str, now: datetime) -> None:
    """Add a proven address; raises IntegrityError where somebody has it."""
    db.execute(insert(addresses).values(address=same_address(address), player_id=player.id, proven_at=now))


def drop_address(db: Connection, player: Player, address: str) -> None:
    mine = addresses.c.player_id == player.id
    db.execute(delete(addresses).where(mine, addresses.c.address == same_address(address)))


def send_to(db: Connection, player: Player, address: str) -> None:
    """Send the player's letters to `address` from now on."""
    db.execute(update(players).where(players.c.id == player.id).values(address=address))


def stop(db: Connection, player: Player, category: str, *, stop: bool = True) -> None:
    """Stop letters of a category to the player, or resume them."""
    row = select(players.c.stopped).where(players.c.id == player.id).with_for_update(key_share=True)
    stopped = set(db.execute(row).scalar_one())
    stopped = stopped | {category} if stop else stopped - {category}
    db.execute(update(players).where(players.c.id == player.id).values(stopped=sorted(stopped)))


def wish(db: Connection, player: Player, key: str, value: Any) -> None:
    """Set one of a player's preferences."""
    row = select(players.c.wishes).where(players.c.id == player.id).with_for_update(key_share=True)
    wishes = {**db.execute(row).scalar_one(), key: value}
    db.execute(update(players).where(players.c.id == player.id).values(wishes=wishes))


def one_at_a_time(db: Connection, what: str) -> None:
    """Lock `what` until this transaction ends.

    SQLite has only one writer; PostgreSQL takes an advisory lock by a hash of the name.
    """
    if not is_sqlite(db):
        db.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(what, 0))))


def days_off_of(player: Player) -> str:
    """Return the name of the lock on a player's vacations, for `one_at_a_time`."""
    return f"days off of {player.id}"


def nobody_else(db: Connection, what: str) -> bool:
    """Try the same lock without waiting; False where another transaction has it."""
    if is_sqlite(db):
        return True
    return bool(
        db.execute(select(func.pg_try_advisory_xact_lock(func.hashtextextended(what, 0)))).scalar_one()
    )


def revoke(db: Connection, player: Player) -> None:
    """Revoke all the player's reply addresses and open confirmations. The next letter has new ones."""
    change = update(players).where(players.c.id == player.id)
    db.execute(change.values(epoch=players.c.epoch + 1))
    asked = confirmations.c.address.in_({*player.addresses, player.address})
    db.execute(update(confirmations).where(asked).values(expires_at=LONG_AGO))


def ask(
    db: Connection, purpose: str, address: str, data: Mapping[str, Any], now: datetime, until: datetime
) -> Confirmation:
    """Store a question to `address`; its letter carries the number."""
    row = db.execute(
        insert(confirmations)
        .values(purpose=purpose, address=address, data=dict(data), created_at=now, expires_at=until)
        .returning(confirmations.c.id)
    ).scalar_one()
    return Confirmation(row, purpose, address, data, until, None)


def asked(db: Connection, id: int) -> Confirmation | None:
    """Return a question and lock its row until the transaction ends."""
    row = db.execute(select(confirmations).where(confirmations.c.id == id).with_for_update()).first()
    if row is None:
        return None
    return Confirmation(row.id, row.purpose, row.address, row.data, row.expires_at, row.used_at)


def use(db: Connection, confirmation: Confirmation, now: datetime) -> None:
    db.execute(update(confirmations).where(confirmations.c.id == confirmation.id).values(used_at=now))


def asked_since(
    db: Connection, purpose: str, since: datetime, address: str | None = None, *, answered: bool | None = None
) -> int:
    """Count questions of a purpose since `since`, to one or all addresses.

    `answered`: only those that were confirmed, or only those that were not.
    """
    query = select(func.count()).where(confirmations.c.purpose == purpose, confirmations.c.created_at > since)
    if address is not None:
        query = query.where(confirmations.c.address == address)
    if answered is not None:
        used = confirmations.c.used_at
        query = query.where(used.is_not(None) if answered else used.is_(None))
    return db.execute(query).scalar_one()
