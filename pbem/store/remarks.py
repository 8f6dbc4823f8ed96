"""Players' words in the journals of games: remarks while one runs, comments when it is over."""

from datetime import datetime
from typing import cast

from sqlalchemy import ColumnElement, Connection, FromClause, and_, case, func, or_, select

from pbem.core.game.journal import COMMENT, SAY, Entry, public_data
from pbem.core.players import Player
from pbem.store.tables import games, has_seat, journal


def unanswered_words(db: Connection, player: Player) -> dict[int, int]:
    """Count the other's remarks after the player's own last entry, by running game."""
    remark = and_(games.c.ended_at.is_(None), journal.c.kind == SAY, journal.c.seat == 1 - _seat_of(player))
    return _count_unanswered(db, player, remark)


def unanswered_comments(db: Connection, player: Player, since: datetime) -> dict[int, int]:
    """Count comments since a moment and after the player's own last entry, by finished game."""
    ended = (games.c.ended_at.is_not(None), games.c.changed_at > since)
    return _count_unanswered(db, player, and_(*ended, journal.c.kind == COMMENT, journal.c.at > since))


def _count_unanswered(db: Connection, player: Player, wanted: ColumnElement[bool]) -> dict[int, int]:
    own = journal.alias()
    mine = or_(own.c.seat == _seat_of(player), and_(own.c.kind == COMMENT, _by(own, player)))
    answered = select(func.coalesce(func.max(own.c.n), 0)).where(own.c.game_id == games.c.id, mine)
    query = (
        select(games.c.id, func.count())
        .join(journal, journal.c.game_id == games.c.id)
        .where(has_seat(player.id), wanted, journal.c.n > answered.scalar_subquery())
        .group_by(games.c.id)
    )
    return {row[0]: row[1] for row in db.execute(query)}


def _seat_of(player: Player) -> ColumnElement[int]:
    return case((games.c.first_id == player.id, 0), else_=1)


def comments_of_player(db: Connection, player: Player) -> list[tuple[int, Entry]]:
    """Return a player's comments, each with its game, by game."""
    query = select(journal).where(journal.c.kind == COMMENT, _by(journal, player))
    rows = db.execute(query.order_by(journal.c.game_id, journal.c.n))
    return [(row.game_id, Entry(row.n, row.at, row.kind, row.seat, public_data(row.data))) for row in rows]


def _by(entries: FromClause, player: Player) -> ColumnElement[bool]:
    return cast(ColumnElement[bool], entries.c.data["player"].as_integer() == player.id)
