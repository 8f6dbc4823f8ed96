"""Bundles as they were sent, whose boards wait and since when, and whose digest is due."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from sqlalchemy import Connection, and_, bindparam, func, insert, or_, select, update

from pbem.core.bundle import Bundle
from pbem.core.journal import PLY, START
from pbem.core.people import Player
from pbem.store.tables import bundles, games, journal, outbox, players


def add(db: Connection, player: Player, entries: Mapping[int, int], now: datetime) -> int:
    """Keep what a bundle shows: each game's journal length; the number that its reply address carries."""
    shown = {str(game): length for game, length in entries.items()}
    row = insert(bundles).values(player_id=player.id, created_at=now, entries=shown)
    return db.execute(row.returning(bundles.c.id)).scalar_one()


def by_id(db: Connection, id: int) -> Bundle | None:
    row = db.execute(select(bundles).where(bundles.c.id == id)).first()
    if row is None:
        return None
    entries = {int(game): length for game, length in row.entries.items()}
    return Bundle(row.id, row.player_id, row.created_at, entries)


_PLAYS = or_(games.c.first_id == bindparam("player"), games.c.second_id == bindparam("player"))
_TO_PLAY = func.coalesce(
    or_(
        and_(games.c.first_id == bindparam("player"), games.c.to_play == 0),
        and_(games.c.second_id == bindparam("player"), games.c.to_play == 1),
    ),
    False,
)
_TURN_BEGAN = (
    select(func.max(journal.c.at))
    .where(journal.c.game_id == games.c.id, journal.c.kind.in_((PLY, START)))
    .scalar_subquery()
)
_LONGEST_FIRST = select(games.c.id).order_by(_TO_PLAY.desc(), _TURN_BEGAN, games.c.id)
_WAITING = _LONGEST_FIRST.where(_TO_PLAY, games.c.ended_at.is_(None))
_RUNNING = _LONGEST_FIRST.where(_PLAYS, games.c.ended_at.is_(None))
_CHANGED = select(games.c.id).where(_PLAYS, games.c.changed_at > bindparam("since")).order_by(games.c.id)


def waiting(db: Connection, player: Player, *, every: bool = False) -> list[int]:
    """The player's games in which it is his turn, that of the oldest turn first.

    With `every` his other running games stand behind them.
    """
    return list(db.scalars(_RUNNING if every else _WAITING, {"player": player.id}))


def changed(db: Connection, player: Player, since: datetime) -> list[int]:
    """The player's games in which anything happened after `since`, running or ended."""
    return list(db.scalars(_CHANGED, {"player": player.id, "since": since}))


def set_digest(db: Connection, player: Player, hour: int | None, due: datetime | None) -> None:
    """Keep at which local hour the player wants a digest, and when the next is due."""
    row = select(players.c.wishes).where(players.c.id == player.id).with_for_update(key_share=True)
    wishes = {**db.execute(row).scalar_one(), "digest": hour}
    db.execute(update(players).where(players.c.id == player.id).values(wishes=wishes, digest_at=due))


_DIGEST = (
    select(players.c.id, players.c.digest_at)
    .where(
        players.c.digest_at <= bindparam("now"),
        players.c.id.not_in(bindparam("without", expanding=True)),
    )
    .order_by(players.c.digest_at, players.c.id)
    .limit(1)
    .with_for_update(key_share=True, skip_locked=True)
)


def take_digest(db: Connection, now: datetime, without: Collection[int]) -> tuple[int, datetime] | None:
    """(player, when) of the digest that is longest due, its row locked; None where none is.

    Players in `without` are passed over, and those whom another process has in hand.
    """
    row = db.execute(_DIGEST, {"now": now, "without": tuple(without)}).first()
    return None if row is None else (row.id, row.digest_at)


def move_digest(db: Connection, player_id: int, due: datetime | None) -> None:
    db.execute(update(players).where(players.c.id == player_id).values(digest_at=due))


def last_digest(db: Connection, player: Player, since: datetime) -> datetime:
    """When the newest digest to the player was written, `since` where there was none after it."""
    query = select(func.max(outbox.c.created_at)).where(
        outbox.c.recipient == player.address, outbox.c.created_at > since, outbox.c.kind == "digest"
    )
    return db.execute(query).scalar_one() or since


def letter_written(db: Connection, player: Player, message_ids: Collection[str]) -> datetime | None:
    """When the newest of these letters to the player was written, None where none is known."""
    query = select(func.max(outbox.c.created_at)).where(
        outbox.c.message_id.in_(tuple(message_ids)), outbox.c.player_id == player.id
    )
    return db.execute(query).scalar_one() if message_ids else None
