"""Leagues that players watch, and the results still to tell them."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Connection, delete, func, select, tuple_, update

from pbem.core.events.league import EventGame
from pbem.core.players import Player
from pbem.store.engine import upsert
from pbem.store.events import DIVISION_GAMES
from pbem.store.tables import games
from pbem.store.tables.events import event_games
from pbem.store.tables.finding import watched_leagues


def leagues_watched_by(db: Connection, player: Player) -> list[str]:
    """Return the keys of the games whose leagues a player watches, sorted."""
    query = select(watched_leagues.c.rules).where(watched_leagues.c.player_id == player.id)
    return list(db.scalars(query.order_by(watched_leagues.c.rules)))


def watch_league(db: Connection, player: Player, rules: str, now: datetime, due_at: datetime) -> None:
    """Have a player told of results from `now` on, first at `due_at`."""
    new = upsert(db, watched_leagues).values(player_id=player.id, rules=rules, told_at=now, due_at=due_at)
    db.execute(new.on_conflict_do_nothing())


def unwatch_league(db: Connection, player_id: int, rules: str) -> bool:
    """Stop telling a player of results; False if the player did not watch this league."""
    mine = (watched_leagues.c.player_id == player_id, watched_leagues.c.rules == rules)
    return db.execute(delete(watched_leagues).where(*mine)).rowcount == 1


def take_due(
    db: Connection, now: datetime, without: Collection[tuple[int, str]]
) -> tuple[int, str, datetime] | None:
    """Lock a due reader. Return player, game and time of the last news. Skip those in `without`."""
    query = (
        select(watched_leagues)
        .where(watched_leagues.c.due_at <= now)
        .where(tuple_(watched_leagues.c.player_id, watched_leagues.c.rules).not_in(list(without)))
        .order_by(watched_leagues.c.due_at, watched_leagues.c.player_id, watched_leagues.c.rules)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    row = db.execute(query).first()
    return None if row is None else (row.player_id, row.rules, row.told_at)


def record_told(db: Connection, player_id: int, rules: str, now: datetime, due_at: datetime) -> None:
    """Record that a player knows results before `now`, and hears of later ones at `due_at`."""
    mine = (watched_leagues.c.player_id == player_id, watched_leagues.c.rules == rules)
    db.execute(update(watched_leagues).where(*mine).values(told_at=now, due_at=due_at))


def results_since(db: Connection, event: int, division: int, since: datetime) -> list[EventGame]:
    """Return a division's games that ended since then, in that order."""
    ended = DIVISION_GAMES.join(games, games.c.id == event_games.c.game_id).where(games.c.ended_at >= since)
    mine = (event_games.c.event_id == event, event_games.c.division == division)
    query = ended.where(*mine, event_games.c.score.is_not(None))
    return [EventGame(*row) for row in db.execute(query.order_by(games.c.ended_at, games.c.id))]


def count_results_elsewhere(db: Connection, event: int, division: int, since: datetime) -> int:
    """Count the games of other divisions that ended since then."""
    joined = event_games.join(games, games.c.id == event_games.c.game_id)
    elsewhere = (event_games.c.event_id == event, event_games.c.division != division)
    query = select(func.count()).select_from(joined).where(*elsewhere, games.c.ended_at >= since)
    return db.execute(query).scalar_one()
