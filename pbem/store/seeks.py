"""Seeks: rows of `challenges` without an opponent yet."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select, update

from pbem.core.lobby.challenges import Seek
from pbem.core.players import Player
from pbem.store import players
from pbem.store.challenges import insert_open, terms_of
from pbem.store.games import GamesByKey
from pbem.store.tables import challenges

_SEEKS = select(challenges).where(challenges.c.to_id.is_(None)).order_by(challenges.c.id)


def _open_seeks(now: datetime) -> Select[Any]:
    return _SEEKS.where(challenges.c.state == "open", challenges.c.expires_at > now)


def insert_seek(db: Connection, wish: Seek) -> Seek:
    """Store an open seek; returns it with its number."""
    return replace(wish, id=insert_open(db, wish, None))


def open_seeks(
    db: Connection,
    games_by_key: GamesByKey,
    now: datetime,
    *,
    rules: str = "",
    after: int = 0,
    most: int = 200,
) -> list[Seek]:
    """Return open seeks after number `after`, oldest first. They are of one game or of all."""
    kinds = [rules] if rules else list(games_by_key)
    query = _open_seeks(now).where(challenges.c.rules.in_(kinds), challenges.c.id > after).limit(most)
    rows = [row for row in db.execute(query) if row.rules in games_by_key]
    known = players.players_by_ids(db, {row.from_id for row in rows})
    return [_seek(row, games_by_key, known) for row in rows]


def count_open_seeks(db: Connection, now: datetime) -> int:
    return db.execute(_open_seeks(now).with_only_columns(func.count()).order_by(None)).scalar_one()


def own_seeks(db: Connection, games_by_key: GamesByKey, player: Player, now: datetime) -> list[Seek]:
    """Return the player's own open seeks, oldest first."""
    rows = db.execute(_open_seeks(now).where(challenges.c.from_id == player.id))
    return [_seek(row, games_by_key, {player.id: player}) for row in rows if row.rules in games_by_key]


def lock_seek(db: Connection, games_by_key: GamesByKey, number: int) -> tuple[Seek | None, str, int | None]:
    """Lock a seek and return it with its state and taker."""
    row = db.execute(select(challenges).where(challenges.c.id == number).with_for_update()).first()
    if row is None or row.rules not in games_by_key:
        return None, "", None
    return _seek(row, games_by_key, players.players_by_ids(db, (row.from_id,))), row.state, row.to_id


def is_open_seek(db: Connection, number: int, now: datetime) -> bool:
    return db.execute(_open_seeks(now).where(challenges.c.id == number)).first() is not None


def set_taker(db: Connection, seek: Seek, taker: Player) -> None:
    """Store who takes a seek."""
    db.execute(update(challenges).where(challenges.c.id == seek.id).values(to_id=taker.id))


def _seek(row: Row[Any], games_by_key: GamesByKey, known: Mapping[int, Player]) -> Seek:
    return Seek(**terms_of(row, games_by_key, known))
