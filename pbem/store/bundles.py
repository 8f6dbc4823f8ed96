"""Bundles that were sent, boards that wait, and digests that are due."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection, case, func, insert, select, update

from pbem.core.game.journal import PLY, START
from pbem.core.letters.boards import Bundle
from pbem.core.players import Player
from pbem.store.tables import bundles, games, has_seat, journal, outbox, players


def add_bundle(db: Connection, player: Player, entries: Mapping[int, int], now: datetime) -> int:
    """Store a bundle with its games' lengths. Return its number for the reply address."""
    return add_bundles(db, [(player, entries)], now)[0]


def add_bundles(
    db: Connection, shown: Sequence[tuple[Player, Mapping[int, int]]], now: datetime
) -> list[int]:
    """Store bundles by one statement. Return their numbers in the same order."""
    rows = [
        {
            "player_id": player.id,
            "created_at": now,
            "entries": {str(game): length for game, length in entries.items()},
        }
        for player, entries in shown
    ]
    query = insert(bundles).returning(bundles.c.id, sort_by_parameter_order=True)
    return list(db.scalars(query, rows)) if rows else []


def bundle_by_id(db: Connection, id: int) -> Bundle | None:
    row = db.execute(select(bundles).where(bundles.c.id == id)).first()
    if row is None:
        return None
    entries = {int(game): length for game, length in row.entries.items()}
    return Bundle(row.id, row.player_id, row.created_at, entries)


def waiting_game_ids(db: Connection, player: Player, *, every: bool = False) -> list[int]:
    """Return the games that await the player's move, oldest first. `every` adds the others."""
    seat = case((games.c.first_id == player.id, 0), else_=1)
    waits = func.coalesce(games.c.to_play == seat, False)
    turns = (journal.c.game_id == games.c.id, journal.c.kind.in_((PLY, START)))
    turn_began = select(func.max(journal.c.at)).where(*turns).scalar_subquery()
    query = select(games.c.id).where(has_seat(player.id), games.c.ended_at.is_(None))
    query = query.order_by(waits.desc(), turn_began, games.c.id)
    return list(db.scalars(query if every else query.where(waits)))


def changed_game_ids(db: Connection, player: Player, since: datetime) -> list[int]:
    """Return the player's games that changed after `since`, running or ended."""
    query = select(games.c.id).where(has_seat(player.id), games.c.changed_at > since)
    return list(db.scalars(query.order_by(games.c.id)))


def letter_written_at(db: Connection, player: Player, message_ids: Collection[str]) -> datetime | None:
    """Return the time of the newest of these letters, or None."""
    these = (outbox.c.message_id.in_(tuple(message_ids)), outbox.c.player_id == player.id)
    query = select(func.max(outbox.c.created_at)).where(*these)
    return db.execute(query).scalar_one() if message_ids else None


def take_digest(db: Connection, now: datetime, without: Collection[int]) -> tuple[int, datetime] | None:
    """Lock the player whose digest is longest due, and return when. Players in `without` are skipped."""
    query = (
        select(players.c.id, players.c.digest_at)
        .where(players.c.digest_at <= now, players.c.id.not_in(tuple(without)))
        .order_by(players.c.digest_at, players.c.id)
        .with_for_update(key_share=True, skip_locked=True)
    )
    row = db.execute(query.limit(1)).first()
    return None if row is None else (row.id, row.digest_at)


def move_digest(db: Connection, player_id: int, due: datetime | None) -> None:
    db.execute(update(players).where(players.c.id == player_id).values(digest_at=due))


def last_digest_at(db: Connection, player: Player, since: datetime) -> datetime:
    """Return when the player's newest digest was written, else `since`."""
    query = select(func.max(outbox.c.created_at)).where(
        outbox.c.recipient == player.address, outbox.c.created_at > since, outbox.c.kind == "digest"
    )
    return db.execute(query).scalar_one() or since
