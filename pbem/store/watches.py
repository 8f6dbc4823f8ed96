"""Watched games: their spectators, and the plies already reported to them."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Connection, delete, func, insert, or_, select, tuple_, update

from pbem.core.players import Player
from pbem.store.tables import games, watches

Watch = tuple[int, int, int]
"""Player, game, and the number of plies reported to the player."""


def watched_by_player(db: Connection, player: Player) -> list[int]:
    """Return the games that a player watches, ascending."""
    query = select(watches.c.game_id).where(watches.c.player_id == player.id).order_by(watches.c.game_id)
    return list(db.scalars(query))


def count_watchers(db: Connection, game: int) -> int:
    return db.scalar(select(func.count()).where(watches.c.game_id == game)) or 0


def add_watch(db: Connection, player: Player, game: int, seen: int, now: datetime) -> None:
    """Watch a game; `seen` is its current number of plies."""
    db.execute(insert(watches).values(player_id=player.id, game_id=game, seen=seen, since=now))


def remove_watch(db: Connection, player_id: int, game: int) -> None:
    db.execute(delete(watches).where(watches.c.player_id == player_id, watches.c.game_id == game))


def lock_watch(db: Connection, without: Collection[tuple[int, int]]) -> Watch | None:
    """Lock a watch of a game with news, none in `without`, (player, game), or locked by another process."""
    query = (
        select(watches.c.player_id, watches.c.game_id, watches.c.seen)
        .join(games, games.c.id == watches.c.game_id)
        .where(or_(games.c.plies != watches.c.seen, games.c.ended_at.is_not(None)))
        .where(tuple_(watches.c.player_id, watches.c.game_id).not_in(list(without)))
        .order_by(watches.c.game_id, watches.c.player_id)
        .limit(1)
        .with_for_update(of=watches, skip_locked=True)
    )
    row = db.execute(query).first()
    return None if row is None else (row.player_id, row.game_id, row.seen)


def record_reported(db: Connection, player_id: int, game: int, seen: int) -> None:
    """Record that the first `seen` plies were reported to the player."""
    mine = (watches.c.player_id == player_id) & (watches.c.game_id == game)
    db.execute(update(watches).where(mine).values(seen=seen))
