"""Players, their addresses, and confirmations: questions to an address, each good once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, select, update

from pbem.core.players import TOKEN, Player, Preferences, same_address
from pbem.store import restores
from pbem.store.tables import BOT_IDS, addresses, confirmations, players
from pbem.store.tables.ratings import ratings

EXPIRED_AT = datetime(1970, 1, 1, tzinfo=UTC)

_PLAYERS = select(players, addresses.c.address.label("proven"), addresses.c.suspended_at).outerjoin(
    addresses, addresses.c.player_id == players.c.id
)
"""A query for players, also erased ones, who have no address but whose games still exist."""
_BY_IDS = _PLAYERS.where(players.c.id.in_(bindparam("ids", expanding=True)))
"""A statement built once, because SQLAlchemy takes as long to build it as to run it."""


def _players(rows: Iterable[Row[Any]]) -> dict[int, Player]:
    found: dict[int, list[Row[Any]]] = {}
    for row in rows:
        found.setdefault(row.id, []).append(row)
    return {id: _player(of_one) for id, of_one in found.items()}


def _player(rows: list[Row[Any]]) -> Player:
    """Return a player from their rows, one for each address."""
    proven = frozenset(row.proven for row in rows if row.proven is not None)
    suspended = frozenset(row.proven for row in rows if row.suspended_at is not None)
    row = rows[0]
    director = row.director and not row.barred  # the office rests
    told = (frozenset(row.stopped), _wishes(row.wishes), suspended, row.barred, director)
    return Player(row.id, row.name, row.address, proven, row.created_at, row.epoch, *told)


OWN_FIELDS = frozenset(field.name for field in fields(Preferences)) - {"more"}


def _wishes(kept: Mapping[str, Any]) -> Preferences:
    """Read stored preferences; `more` has those without a field."""
    own = {key: value for key, value in kept.items() if key in OWN_FIELDS}
    return Preferences(**own, more={key: value for key, value in kept.items() if key not in OWN_FIELDS})


def players_by_ids(db: Connection, ids: Iterable[int]) -> dict[int, Player]:
    """Return players by row number; unknown numbers are left out."""
    return _players(db.execute(_BY_IDS, {"ids": list(ids)}))


def player_by_id(db: Connection, id: int) -> Player | None:
    return players_by_ids(db, (id,)).get(id)


def list_players(db: Connection) -> list[Player]:
    return list(_players(db.execute(_PLAYERS.order_by(players.c.id))).values())


def player_by_name(db: Connection, name: str) -> Player | None:
    """Return the player called `name`, in any case."""
    rows = db.execute(_PLAYERS.where(players.c.name_key == name.lower()))
    return next(iter(_players(rows).values()), None)


def player_by_address(db: Connection, address: str) -> Player | None:
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


def players_by_name_order(
    db: Connection, begins: str, after: str, most: int, rules: str = ""
) -> list[Player]:
    """Return players by name after one, also erased ones. `rules` asks for ended games."""
    key = players.c.name_key
    begun = key.startswith(begins.lower(), autoescape=True)
    query = select(players.c.id).where(key > after.lower(), begun)
    if rules:
        query = query.where(players.c.id.in_(select(ratings.c.player_id).where(ratings.c.rules == rules)))
    ids = list(db.scalars(query.order_by(key).limit(most)))
    found = players_by_ids(db, ids)
    return [found[id] for id in ids]


def bot_ids(db: Connection) -> frozenset[int]:
    return frozenset(db.scalars(BOT_IDS))


def add_player(db: Connection, name: str, address: str, now: datetime) -> Player:
    """Register `name` at `address`; raises IntegrityError where either is taken.

    After a restore, the number may have been another player's in the lost hours. The new epoch makes that
    player's reply addresses void.
    """
    names, epoch = {"name": name, "name_key": name.lower()}, restores.restore_epoch(db)
    new = insert(players).values(**names, address=address, epoch=epoch, created_at=now)
    id = db.execute(new.returning(players.c.id)).scalar_one()
    player = Player(id, name, address, frozenset({same_address(address)}), now, epoch=epoch)
    add_address(db, player, address, now)
    return player


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


def set_letter_address(db: Connection, player: Player, address: str) -> None:
    """Send the player's letters to `address` from now on."""
    db.execute(update(players).where(players.c.id == player.id).values(address=address))


def set_category_stopped(db: Connection, player: Player, category: str, *, stop: bool = True) -> None:
    """Stop letters of a category to the player, or resume them."""
    row = select(players.c.stopped).where(players.c.id == player.id).with_for_update(key_share=True)
    stopped = set(db.execute(row).scalar_one())
    stopped = stopped | {category} if stop else stopped - {category}
    db.execute(update(players).where(players.c.id == player.id).values(stopped=sorted(stopped)))


def set_preference(db: Connection, player: Player, key: str, value: Any) -> None:
    row = select(players.c.wishes).where(players.c.id == player.id).with_for_update(key_share=True)
    wishes = {**db.execute(row).scalar_one(), key: value}
    db.execute(update(players).where(players.c.id == player.id).values(wishes=wishes))


def revoke_addresses(db: Connection, player: Player) -> None:
    """Revoke all the player's reply addresses, their token and open confirmations."""
    change = update(players).where(players.c.id == player.id)
    db.execute(change.values(epoch=players.c.epoch + 1))
    set_preference(db, player, TOKEN, False)
    asked = confirmations.c.address.in_({*player.addresses, player.address})
    db.execute(update(confirmations).where(asked).values(expires_at=EXPIRED_AT))


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


def find_confirmation(db: Connection, id: int, *, lock: bool = False) -> Confirmation | None:
    columns = (confirmations.c[field.name] for field in fields(Confirmation))
    query = select(*columns).where(confirmations.c.id == id)
    row = db.execute(query.with_for_update() if lock else query).first()
    return None if row is None else Confirmation(*row)


def open_confirmation(db: Connection, purpose: str, address: str, now: datetime) -> Confirmation | None:
    """Return the newest question of a purpose to an address that waits for its answer, locked, or None."""
    columns = (confirmations.c[field.name] for field in fields(Confirmation))
    query = select(*columns).where(
        confirmations.c.purpose == purpose,
        confirmations.c.address == address,
        confirmations.c.used_at.is_(None),
        confirmations.c.expires_at > now,
    )
    row = db.execute(query.order_by(confirmations.c.id.desc()).limit(1).with_for_update()).first()
    return None if row is None else Confirmation(*row)


def use_confirmation(db: Connection, confirmation: Confirmation, now: datetime) -> None:
    db.execute(update(confirmations).where(confirmations.c.id == confirmation.id).values(used_at=now))


def change_confirmation(db: Connection, confirmation: Confirmation, data: Mapping[str, Any]) -> None:
    db.execute(update(confirmations).where(confirmations.c.id == confirmation.id).values(data=dict(data)))


def count_confirmations(
    db: Connection, purpose: str, since: datetime, address: str | None = None, *, answered: bool | None = None
) -> int:
    """Count a purpose's questions since then, to one address or all; `answered` or not, None: both."""
    query = select(func.count()).where(confirmations.c.purpose == purpose, confirmations.c.created_at > since)
    if address is not None:
        query = query.where(confirmations.c.address == address)
    if answered is not None:
        used = confirmations.c.used_at
        query = query.where(used.is_not(None) if answered else used.is_(None))
    return db.execute(query).scalar_one()
