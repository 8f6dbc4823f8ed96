"""Rows of challenges and seeks. A seek is a challenge without an opponent yet."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, case, func, insert, or_, select, update

from pbem.core.clock.time_control import read_pace
from pbem.core.lobby.challenges import STANDING_DAYS, Challenge, Seek
from pbem.core.players import Player
from pbem.store import ladders, players
from pbem.store.games import GamesByKey
from pbem.store.tables import challenges, games

_SAME = ("options", "seats", "rated", "soft", "created_at", "expires_at", "comment", "bots", "near", "up_to")
"""Columns called as the fields of a challenge and of a seek."""

T = TypeVar("T", bound=Seek)
_IS_SEEK = challenges.c.to_id.is_(None)
_OF_STANDING = challenges.alias("of_standing")
_TO_GAMES = _OF_STANDING.join(games, games.c.id == _OF_STANDING.c.game_id)
_OF_THIS = _OF_STANDING.c.standing == challenges.c.id
_RUNNING = (
    select(func.count())
    .select_from(_TO_GAMES)
    .where(_OF_THIS, games.c.ended_at.is_(None))
    .correlate(challenges)
    .scalar_subquery()
)
"""The running games of a standing seek."""
_WINNER = case((games.c.winner == 0, games.c.first_id), (games.c.winner == 1, games.c.second_id))
_LATE = or_(
    games.c.ended_by == "void", and_(games.c.ended_by == "timeout", _WINNER != _OF_STANDING.c.from_id)
)
_STANDS = or_(
    challenges.c.up_to == 0,
    ~select(_OF_STANDING.c.id).select_from(_TO_GAMES).where(_OF_THIS, _LATE).correlate(challenges).exists(),
)
"""False for a standing seek if its seeker seems away: a game of it was lost on time, or is void."""
_HAS_PLACE = or_(challenges.c.up_to == 0, challenges.c.up_to > _RUNNING)


def _is_open(now: datetime) -> ColumnElement[bool]:
    return and_(challenges.c.state == "open", challenges.c.expires_at > now, _STANDS)


def _query(games_by_key: GamesByKey, *which: ColumnElement[bool]) -> Select[Any]:
    known = challenges.c.rules.in_(list(games_by_key))
    return select(challenges).where(known, *which).order_by(challenges.c.id)


def _load(db: Connection, games_by_key: GamesByKey, kind: type[T], rows: Sequence[Row[Any]]) -> list[T]:
    """Return rows as challenges or as seeks; the rules of each must be installed."""
    known = players.players_by_ids(db, {id for row in rows for id in (row.from_id, row.to_id) if id})
    found, running = [], _running_games(db, [row.id for row in rows if row.up_to])
    for row in rows:
        terms = {name: getattr(row, name) for name in _SAME} | {"seeker": known[row.from_id]}
        if kind is Challenge:
            terms |= {"challenged": known[row.to_id], "invitation": row.invitation or 0}
        terms |= {"rules": games_by_key[row.rules], "time_control": read_pace(row.pace)}
        terms["running"] = len(running.get(row.id, ()))
        found.append(kind(id=row.id, **terms))
    return found


def _running_games(db: Connection, seeks: Sequence[int]) -> dict[int, list[int]]:
    """Return the takers of the running games of standing seeks, by seek."""
    query = select(_OF_STANDING.c.standing, _OF_STANDING.c.to_id).select_from(_TO_GAMES)
    query = query.where(_OF_STANDING.c.standing.in_(seeks), games.c.ended_at.is_(None))
    found: dict[int, list[int]] = {}
    for row in db.execute(query) if seeks else ():
        found.setdefault(row.standing, []).append(row.to_id)
    return found


def plays_standing_seek(db: Connection, seek: Seek, player: Player) -> bool:
    """True if a game of this standing seek runs with the player."""
    return player.id in _running_games(db, [seek.id]).get(seek.id, ())


def take_standing_seek(db: Connection, taken: Challenge, game_id: int, now: datetime) -> None:
    """Store a game of a standing seek, which stays open with a new date of expiry."""
    seek = (challenges.c.id == taken.id,)
    copied = [column for column in challenges.c if column.name not in ("id", "to_id", "state", "comment")]
    row = dict(db.execute(select(*copied).where(*seek)).one()._mapping)
    row |= {"to_id": taken.challenged.id, "state": "accepted", "game_id": game_id, "created_at": now}
    db.execute(insert(challenges).values(row | {"standing": taken.id}))
    until = now + timedelta(days=STANDING_DAYS)
    db.execute(update(challenges).where(*seek).values(expires_at=until))


def add_challenge(db: Connection, wish: T) -> T:
    """Store an open challenge or seek; returns it with its number."""
    values = {name: getattr(wish, name) for name in _SAME} | {
        "from_id": wish.seeker.id,
        "to_id": wish.challenged.id if isinstance(wish, Challenge) else None,
        "invitation": (wish.invitation or None) if isinstance(wish, Challenge) else None,
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
    """Return unanswered challenges to or from the player, oldest first.

    Whoever invited an address does not learn whose it is, and so sees no challenge.
    """
    named = and_(challenges.c.from_id == player.id, challenges.c.invitation.is_(None))
    mine = or_(challenges.c.to_id == player.id, named)
    query = _query(games_by_key, ~_IS_SEEK, mine, _is_open(now))
    rows = db.execute(query.with_for_update() if lock else query).all()
    return _load(db, games_by_key, Challenge, rows)


def challenges_to(db: Connection, games_by_key: GamesByKey, player: Player, now: datetime) -> list[Challenge]:
    """Return unanswered challenges to the player, oldest first."""
    waiting = open_challenges(db, games_by_key, player, now)
    return [challenge for challenge in waiting if challenge.challenged.id == player.id]


def count_unsuccessful(db: Connection, player: Player, other: Player, since: datetime) -> tuple[int, int]:
    """Count a player's failed challenges to anybody and to `other`; only the second counts ladders too."""
    same = case((challenges.c.to_id == other.id, 1), else_=0)
    mine = (challenges.c.from_id == player.id, challenges.c.created_at > since)
    query = select(func.count(), func.coalesce(func.sum(same), 0)).where(
        *mine,
        challenges.c.to_id.is_not(None),
        challenges.c.state != "accepted",
        challenges.c.invitation.is_(None),
    )
    every, to_one = db.execute(query).one()
    return every, to_one + ladders.count_unplayed(db, player.id, other.id, since)


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
    """Close a challenge or seek as `accepted`, `declined` or `withdrawn`, and delete its words."""
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
    """Return open seeks after number `after`, of one kind of game or of all, oldest first.

    A standing seek is left out while as many of its games run as its seeker wants.
    """
    query = _query(games_by_key, _IS_SEEK, _is_open(now), _HAS_PLACE, challenges.c.id > after).limit(most)
    if rules:
        query = query.where(challenges.c.rules == rules)
    return _load(db, games_by_key, Seek, db.execute(query).all())


def next_seek_for_bots(
    db: Connection,
    games_by_key: GamesByKey,
    now: datetime,
    before: datetime,
    after: int,
    levels: Sequence[int],
) -> Seek | None:
    """Lock the oldest open seek for bots numbered above `after` and made by `before`, or return None."""
    wanted = (challenges.c.bots.in_(levels), challenges.c.created_at <= before, challenges.c.id > after)
    query = _query(games_by_key, _IS_SEEK, _is_open(now), *wanted).limit(1).with_for_update(skip_locked=True)
    return next(iter(_load(db, games_by_key, Seek, db.execute(query).all())), None)


def own_seeks(db: Connection, games_by_key: GamesByKey, player: Player, now: datetime) -> list[Seek]:
    """Return the player's open seeks, oldest first. Standing ones may wait for a game's end."""
    query = _query(games_by_key, _IS_SEEK, _is_open(now), challenges.c.from_id == player.id)
    return _load(db, games_by_key, Seek, db.execute(query).all())


def lock_seek(db: Connection, games_by_key: GamesByKey, number: int) -> tuple[Seek | None, str, int | None]:
    """Lock a seek and return it with its state and taker."""
    row = db.execute(_query(games_by_key, challenges.c.id == number).with_for_update()).first()
    if row is None:
        return None, "", None
    (seek,) = _load(db, games_by_key, Seek, [row])
    ended = db.execute(select(challenges.c.id).where(challenges.c.id == number, ~_STANDS)).first()
    return seek, "ended" if ended else row.state, row.to_id


def count_open_seeks(db: Connection, now: datetime) -> int:
    return db.execute(select(func.count()).where(_IS_SEEK, _is_open(now), _HAS_PLACE)).scalar_one()


def is_open_seek(db: Connection, number: int, now: datetime) -> bool:
    query = select(challenges.c.id).where(_IS_SEEK, _is_open(now), challenges.c.id == number)
    return db.execute(query).first() is not None


def set_taker(db: Connection, seek: Seek, taker: Player) -> None:
    db.execute(update(challenges).where(challenges.c.id == seek.id).values(to_id=taker.id))
