"""Watched games with their reported plies, and watched players."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Connection, and_, delete, func, insert, or_, select, tuple_, update

from pbem.core.players import Player
from pbem.store import players as player_rows
from pbem.store.tables import games, has_seat, watches
from pbem.store.tables.finding import watched_players

Watch = tuple[int, int, int]
"""Player, game, and the number of plies reported to the player."""
WatchedPlayer = tuple[int, int, int]
"""Player, the player whose games they watch, and the newest game that was looked at."""


def watched_by_player(db: Connection, player: Player, *, asked: bool = False) -> list[int]:
    """Return the games that a player watches, ascending. With `asked` only those asked for by number."""
    query = select(watches.c.game_id).where(watches.c.player_id == player.id).order_by(watches.c.game_id)
    return list(db.scalars(query.where(watches.c.by_player.is_(None)) if asked else query))


def count_watchers(db: Connection, game: int) -> int:
    return db.scalar(select(func.count()).where(watches.c.game_id == game)) or 0


def add_watch(
    db: Connection, player: Player, game: int, seen: int, now: datetime, by_player: int | None = None
) -> None:
    """Watch a game from ply `seen` on. `by_player` is the watched player it comes by."""
    values = {"player_id": player.id, "game_id": game, "seen": seen, "since": now}
    db.execute(insert(watches).values(values | {"by_player": by_player}))


def keep_watch(db: Connection, player: Player, game: int, by_player: int | None) -> None:
    """Let a watched game come by another player, or by number (None)."""
    mine = (watches.c.player_id == player.id, watches.c.game_id == game)
    db.execute(update(watches).where(*mine).values(by_player=by_player))


def remove_watch(db: Connection, player_id: int, game: int) -> None:
    db.execute(delete(watches).where(watches.c.player_id == player_id, watches.c.game_id == game))


def lock_watch(db: Connection, without: Collection[tuple[int, int]]) -> Watch | None:
    """Lock a watch of a game with news. Skips those in `without` (player, game) and locked ones."""
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


def players_watched_by(db: Connection, player: Player) -> list[Player]:
    """Return the players whose games a player watches, by name."""
    ids = list(
        db.scalars(select(watched_players.c.watched_id).where(watched_players.c.player_id == player.id))
    )
    return sorted(player_rows.players_by_ids(db, ids).values(), key=lambda other: other.name.lower())


def watch_player(db: Connection, player: Player, other: Player, now: datetime) -> None:
    """Watch another's games; those that run now are added by `watch_games`."""
    last = newest_game_of(db, other.id)
    values = {"player_id": player.id, "watched_id": other.id, "last_game": last, "since": now}
    db.execute(insert(watched_players).values(values))


def unwatch_player(db: Connection, player_id: int, other_id: int) -> None:
    """Stop watching another's games. Games asked for by number stay."""
    mine = (watched_players.c.player_id == player_id, watched_players.c.watched_id == other_id)
    db.execute(delete(watched_players).where(*mine))
    kept = (watches.c.player_id == player_id, watches.c.by_player == other_id)
    db.execute(delete(watches).where(*kept))


def running_games_of(db: Connection, other_id: int, after: int = 0) -> list[tuple[int, int, int, int]]:
    """Return a player's running games after number `after`. Each is (game, plies, first, second)."""
    query = select(games.c.id, games.c.plies, games.c.first_id, games.c.second_id)
    query = query.where(has_seat(other_id), games.c.ended_at.is_(None), games.c.id > after)
    return [(row.id, row.plies, row.first_id, row.second_id) for row in db.execute(query)]


def lock_watched_player(db: Connection, without: Collection[tuple[int, int]]) -> WatchedPlayer | None:
    """Lock a watched player with games not looked at yet. Skips those in `without` (player, watched)."""
    newer = and_(has_seat(watched_players.c.watched_id), games.c.id > watched_players.c.last_game)
    pair = tuple_(watched_players.c.player_id, watched_players.c.watched_id)
    query = (
        select(watched_players)
        .where(select(games.c.id).where(newer).exists(), pair.not_in(list(without)))
        .order_by(watched_players.c.player_id, watched_players.c.watched_id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    row = db.execute(query).first()
    return None if row is None else (row.player_id, row.watched_id, row.last_game)


def record_looked_at(db: Connection, player_id: int, other_id: int, last: int) -> None:
    """Record that another's games up to number `last` were looked at."""
    mine = (watched_players.c.player_id == player_id, watched_players.c.watched_id == other_id)
    db.execute(update(watched_players).where(*mine).values(last_game=last))


def newest_game_of(db: Connection, other_id: int) -> int:
    return db.scalar(select(func.max(games.c.id)).where(has_seat(other_id))) or 0
