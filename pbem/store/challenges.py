"""Rows of challenges and seeks. A seek is a challenge without an opponent yet."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, case, func, insert, or_, select, update

from pbem.core.clock.time_control import read_pace
from pbem.core.lobby.challenges import Challenge, Seek
from pbem.core.players import Player
from pbem.store import players
from pbem.store.games import GamesByKey
from pbem.store.tables import challenges

_SAME = ("options", "seats", "rated", "soft", "created_at", "expires_at")
"""Columns called as the fields of a challenge and of a seek."""


def insert_open(db: Connection, wish: Seek, to: int | None) -> int:
    """Store an open seek, or challenge to a player; returns its number."""
    values = {name: getattr(wish, name) for name in _SAME} | {
        "from_id": wish.seeker.id,
        "to_id": to,
        "rules": wish.rules.key,
        "options": dict(wish.options),
        "pace": str(wish.time_control),
        "state": "open",
    }
    return db.execute(insert(challenges).values(values).returning(challenges.c.id)).scalar_one()


def terms_of(row: Row[Any], games_by_key: GamesByKey, known: Mapping[int, Player]) -> dict[str, Any]:
    """Return the shared fields of a challenge and a seek. The row's rules must be installed."""
    terms = {"id": row.id, "rules": games_by_key[row.rules], "time_control": read_pace(row.pace)}
    return terms | {name: getattr(row, name) for name in _SAME} | {"seeker": known[row.from_id]}


def add_challenge(db: Connection, wish: Challenge) -> Challenge:
    """Store an open challenge; returns it with its number."""
    return replace(wish, id=insert_open(db, wish, wish.challenged.id))


def open_challenges(
    db: Connection, games_by_key: GamesByKey, player: Player, now: datetime, *, lock: bool = False
) -> list[Challenge]:
    """Return unanswered challenges to or from the player, oldest first."""
    mine = or_(challenges.c.to_id == player.id, challenges.c.from_id == player.id)
    query = (
        select(challenges)
        .where(mine, challenges.c.state == "open", challenges.c.expires_at > now)
        .where(challenges.c.to_id.is_not(None))
        .order_by(challenges.c.id)
    )
    query = query.with_for_update() if lock else query
    rows = [row for row in db.execute(query) if row.rules in games_by_key]
    known = players.players_by_ids(db, {id for row in rows for id in (row.from_id, row.to_id)})
    return [_challenge(row, games_by_key, known) for row in rows]


def count_unsuccessful(db: Connection, wish: Challenge, since: datetime) -> tuple[int, int]:
    """Count the challenger's challenges since then that became no game: all, and to this player."""
    same = case((challenges.c.to_id == wish.challenged.id, 1), else_=0)
    mine = (challenges.c.from_id == wish.challenger.id, challenges.c.created_at > since)
    query = select(func.count(), func.coalesce(func.sum(same), 0)).where(
        *mine, challenges.c.to_id.is_not(None), challenges.c.state != "accepted"
    )
    every, to_one = db.execute(query).one()
    return every, to_one


def find_challenge(
    db: Connection, games_by_key: GamesByKey, id: int
) -> tuple[Challenge, str, int | None] | None:
    """Return a challenge with its state and game, None if unknown."""
    row = db.execute(select(challenges).where(challenges.c.id == id)).first()
    if row is None or row.to_id is None or row.rules not in games_by_key:
        return None
    known = players.players_by_ids(db, (row.from_id, row.to_id))
    return _challenge(row, games_by_key, known), row.state, row.game_id


def _challenge(row: Row[Any], games_by_key: GamesByKey, known: Mapping[int, Player]) -> Challenge:
    return Challenge(challenged=known[row.to_id], **terms_of(row, games_by_key, known))


def close_challenge(db: Connection, id: int, state: str, game_id: int | None = None) -> None:
    """Close a challenge or a seek: `accepted` (with its game), `declined` or `withdrawn`."""
    change = update(challenges).where(challenges.c.id == id)
    db.execute(change.values(state=state, game_id=game_id))


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
