"""Counts of what has happened in a game or an event, for pages that ask if they are still current."""

from sqlalchemy import func, select

from pbem.store.engine import Connection
from pbem.store.tables import games
from pbem.store.tables.events import event_games, events


def entries_of_game(db: Connection, id: int) -> int | None:
    """Return the number of a game's entries that a page shows, None without such a game."""
    return db.execute(select(games.c.entries).where(games.c.id == id)).scalar()


def entries_of_event(db: Connection, id: int) -> int | None:
    """Return the number of entries of an event and its games, None without such an event."""
    of_games = (
        select(func.coalesce(func.sum(games.c.entries), 0))
        .select_from(event_games.join(games, games.c.id == event_games.c.game_id))
        .where(event_games.c.event_id == id)
    )
    query = select(events.c.entries + of_games.scalar_subquery()).where(events.c.id == id)
    return db.execute(query).scalar()
