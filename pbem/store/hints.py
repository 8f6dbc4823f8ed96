"""The hints that players asked for, one row a move."""

from datetime import datetime

from sqlalchemy import Connection, func, select

from pbem.core.players import Player
from pbem.store.engine import add_row
from pbem.store.tables.bots import hints


def add_hint(db: Connection, player: Player, game: int, entry: int, ply: int, now: datetime) -> None:
    """Store a hint request about ply `ply`. `entry` is that of the ply before, or 0."""
    add_row(db, hints, game_id=game, entry=entry, player_id=player.id, ply=ply, at=now)


def count_hints(db: Connection, player: Player, since: datetime, game: int | None = None) -> int:
    """Count a player's hints since then, in one game or in all."""
    query = select(func.count()).where(hints.c.player_id == player.id, hints.c.at > since)
    return db.execute(query if game is None else query.where(hints.c.game_id == game)).scalar_one()


def count_in_game(db: Connection, game: int) -> int:
    return db.execute(select(func.count()).where(hints.c.game_id == game)).scalar_one()


def hints_of_game(db: Connection, game: int) -> dict[int, list[int]]:
    """The plies before which a hint was given, by player number."""
    query = select(hints.c.player_id, hints.c.ply).where(hints.c.game_id == game).order_by(hints.c.ply)
    found: dict[int, list[int]] = {}
    for row in db.execute(query):
        found.setdefault(row.player_id, []).append(row.ply)
    return found
