"""Rows of digests: who wants one, and when the next is due."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Connection, bindparam, func, select, update

from pbem.core.players import Player
from pbem.store.players import set_preference
from pbem.store.tables import outbox, players


def set_digest(db: Connection, player: Player, hour: int | None, due: datetime | None) -> None:
    """Store the local hour of a player's digest, and the next time."""
    set_preference(db, player, "digest", hour)
    move_digest(db, player.id, due)


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
    """Lock the player whose digest is longest due, none in `without` or locked; returns (player, when)."""
    row = db.execute(_DIGEST, {"now": now, "without": tuple(without)}).first()
    return None if row is None else (row.id, row.digest_at)


def move_digest(db: Connection, player_id: int, due: datetime | None) -> None:
    db.execute(update(players).where(players.c.id == player_id).values(digest_at=due))


def last_digest_at(db: Connection, player: Player, since: datetime) -> datetime:
    """Return when the player's newest digest was written, else `since`."""
    query = select(func.max(outbox.c.created_at)).where(
        outbox.c.recipient == player.address, outbox.c.created_at > since, outbox.c.kind == "digest"
    )
    return db.execute(query).scalar_one() or since
