"""Several games in hand at once: rows locked in one order, so that nobody waits in a circle.

Games come first, the lowest number first, all that are needed before any is read; other rows after them.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Select, bindparam, or_, select, update

from pbem.store.engine import is_sqlite
from pbem.store.tables import Moment, games

_MINE = or_(games.c.first_id == bindparam("player"), games.c.second_id == bindparam("player"))
_FREE = (
    select(games.c.id)
    .where(_MINE, games.c.id != bindparam("besides"), games.c.next_event_at > bindparam("now", type_=Moment))
    .with_for_update(key_share=True, skip_locked=True)
)
_LOOK_AT_THOSE = (
    update(games).where(games.c.id.in_(_FREE)).values(next_event_at=bindparam("now", type_=Moment))
)


def lock(db: Connection, ids: Iterable[int]) -> None:
    """Have nobody else decide about these games meanwhile; the lowest number first, as everybody does.

    Who has several games in hand takes them so before any is read, and anything else than games after them:
    then nobody waits in a circle. SQLite has but one writer.
    """
    if not is_sqlite(db):
        db.execute(_ascending(games.c.id.in_(tuple(ids))))


def lock_running(db: Connection, player_id: int) -> list[int]:
    """The same for all running games of a player; their numbers."""
    mine = or_(games.c.first_id == player_id, games.c.second_id == player_id)
    return list(db.scalars(_ascending(mine, games.c.ended_at.is_(None))))


def _ascending(*which: ColumnElement[bool]) -> Select[tuple[int]]:
    """The numbers of games, each row locked in its turn."""
    return select(games.c.id).where(*which).order_by(games.c.id).with_for_update(key_share=True)


def look_at_all(db: Connection, now: datetime) -> None:
    """Have the clock look at every game in which a clock runs: all deadlines have moved."""
    ticking = _ascending(games.c.next_event_at > now)
    db.execute(update(games).where(games.c.id.in_(ticking)).values(next_event_at=now))


def look_at_those_of(db: Connection, player_id: int, now: datetime, *, besides: int) -> None:
    """Have the clock look at every running game of a player but one, whose deadlines may have moved.

    A game that somebody has in hand is passed over: nobody waits here for two that wait for each other.
    """
    db.execute(_LOOK_AT_THOSE, {"player": player_id, "now": now, "besides": besides})
