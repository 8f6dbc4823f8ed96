"""Locks on several games, taken in one order to prevent deadlocks.

Games come first, the lowest number first, and all are locked before any is read. Other rows follow.
"""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Select, bindparam, select, update

from pbem.store.columns import Moment
from pbem.store.engine import is_sqlite
from pbem.store.tables import games, has_seat

_FREE = (
    select(games.c.id)
    .where(
        has_seat(bindparam("player")),
        games.c.id != bindparam("besides"),
        games.c.next_event_at > bindparam("now", type_=Moment),
    )
    .with_for_update(key_share=True, skip_locked=True)
)
_LOOK_AT_THOSE = (
    update(games).where(games.c.id.in_(_FREE)).values(next_event_at=bindparam("now", type_=Moment))
)


def lock_game_rows(db: Connection, ids: Iterable[int]) -> None:
    """Lock these games, the lowest number first, against other decisions.

    A caller with several games locks them before it reads any, and other rows afterwards; that prevents
    deadlocks. SQLite has only one writer, so it needs no lock.
    """
    if not is_sqlite(db):
        db.execute(_ascending(games.c.id.in_(tuple(ids))))


def lock_running_games(db: Connection, player_id: int) -> list[int]:
    return list(db.scalars(_ascending(has_seat(player_id), games.c.ended_at.is_(None))))


def _ascending(*which: ColumnElement[bool]) -> Select[tuple[int]]:
    """Select game numbers in ascending order and lock each row."""
    return select(games.c.id).where(*which).order_by(games.c.id).with_for_update(key_share=True)


def wake_clocks(db: Connection, now: datetime) -> None:
    """Schedule a check of every running clock: all deadlines have moved."""
    ticking = _ascending(games.c.next_event_at > now)
    db.execute(update(games).where(games.c.id.in_(ticking)).values(next_event_at=now))


def wake_player_clocks(db: Connection, player_id: int, now: datetime, *, besides: int) -> None:
    """Schedule a check of a player's running games but one; locked ones are skipped, against deadlocks."""
    db.execute(_LOOK_AT_THOSE, {"player": player_id, "now": now, "besides": besides})
