"""Rows of challenges and seeks. A seek is a challenge without an opponent yet."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, case, func, insert, or_, select, update

from pbem.core.clock.time_control import read_pace
from pbem.core.lobby.challenges import Challenge, Seek
from pbem.core.players import Player
from pbem.store import players
from pbem.store.games import GamesByKey
from pbem.store.tables import challenges

_SAME = ("options", "seats", "rated", "soft", "created_at", "expires_at", "comment")
"""Columns called as the fields of a challenge and of a seek."""

T = TypeVar("T", bound=Seek)
_IS_SEEK = challenges.c.to_id.is_(None)


def _is_open(now: datetime) -> ColumnElement[bool]:
    return and_(challenges.c.state == "open", challenges.c.expires_at > now)


def _query(games_by_key: GamesByKey, *which: ColumnElement[bool]) -> Select[Any]:
    known = challenges.c.rules.in_(list(games_by_key))
    return select(challenges).where(known, *which).order_by(challenges.c.id)


def _load(db: Connection, games_by_key: GamesByKey, kind: type[T], rows: Sequence[Row[Any]]) -> list[T]:
    """Return rows as challenges or as seeks. Their rules must be installed."""
    known = players.players_by_ids(db, {id for row in rows for id in (row.from_id, row.to_id) if id})
    found = []
    for row in rows:
        terms = {name: getattr(row, name) for name in _SAME} | {"seeker": known[row.from_id]}
        if kind is Challenge:
            terms["challenged"] = known[row.to_id]
        terms |= {"rules": games_by_key[row.rules], "time_control": read_pace(row.pace)}
        found.append(kind(id=row.id, **terms))
    return found


def add_challenge(db: Connection, wish: T) -> T:
    """Store an open challenge or seek; returns it with its number."""
    values = {name: getattr(wish, name) for name in _SAME} | {
        "from_id": wish.seeker.id,
        "to_id": wish.challenged.id if isinstance(wish, Challenge) else None,
        "rules": wish.rules.key,
        "options": dict(wish.options),
        "pace": str(wish.time_control),
        "state": "open",
    }
    new = insert(challenges).values(values).returning(challenges.c.id)
    return replace(wish, id=db.execute(new).scalar_one())


def open_challenges(
    db: Connection, games_by_key: GamesByKey, player: Player, now: datetime, *, lock: bool = False
) -> list[Challenge]:
    """Return unanswered challenges to or from the player, oldest first."""
    mine = or_(challenges.c.to_id == player.id, challenges.c.from_id == player.id)
    query = _query(games_by_key, ~_IS_SEEK, mine, _is_open(now))
    rows = db.execute(query.with_for_update() if lock else query).all()
    return _load(db, games_by_key, Challenge, rows)


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
    row = db.execute(_query(games_by_key, ~_IS_SEEK, challenges.c.id == id)).first()
    if row is None:
        return None
    (found,) = _load(db, games_by_key, Challenge, [row])
    return found, row.state, row.game_id


def close_challenge(db: Connection, id: int, state: str, game_id: int | None = None) -> None:
    """Close a challenge or a seek: `accepted` (with its game), `declined` or `withdrawn`. Its words go."""
    change = update(challenges).where(challenges.c.id == id)
    db.execute(change.values(state=state, game_id=game_id, comment=""))


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
    query = _query(games_by_key, _IS_SEEK, _is_open(now), challenges.c.id > after).limit(most)
    if rules:
        query = query.where(challenges.c.rules == rules)
    return _load(db, games_by_key, Seek, db.execute(query).all())


def own_seeks(db: Connection, games_by_key: GamesByKey, player: Player, now: datetime) -> list[Seek]:
    """Return the player's own open seeks, oldest first."""
    query = _query(games_by_key, _IS_SEEK, _is_open(now), challenges.c.from_id == player.id)
    return _load(db, games_by_key, Seek, db.execute(query).all())


def lock_seek(db: Connection, games_by_key: GamesByKey, number: int) -> tuple[Seek | None, str, int | None]:
    """Lock a seek and return it with its state and taker."""
    row = db.execute(_query(games_by_key, challenges.c.id == number).with_for_update()).first()
    if row is None:
        return None, "", None
    (seek,) = _load(db, games_by_key, Seek, [row])
    return seek, row.state, row.to_id


def count_open_seeks(db: Connection, now: datetime) -> int:
    return db.execute(select(func.count()).where(_IS_SEEK, _is_open(now))).scalar_one()


def is_open_seek(db: Connection, number: int, now: datetime) -> bool:
    query = select(challenges.c.id).where(_IS_SEEK, _is_open(now), challenges.c.id == number)
    return db.execute(query).first() is not None


def set_taker(db: Connection, seek: Seek, taker: Player) -> None:
    db.execute(update(challenges).where(challenges.c.id == seek.id).values(to_id=taker.id))
