"""Players who are on their game's page, and agreements of two people to play on at once."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, or_, select

from pbem.core.play.live import AWAY, LONGEST, LivePlay
from pbem.core.players import Player
from pbem.store.engine import put_row
from pbem.store.tables import AGREED, games, live
from pbem.store.tables.columns import UtcDateTime
from rules.contract import Seat

_AWAY, _LONGEST = (bindparam(name, type_=UtcDateTime) for name in ("away", "longest"))
IS_OVER = and_(
    AGREED, or_(live.c.agreed_at <= _LONGEST, live.c.first_seen <= _AWAY, live.c.second_seen <= _AWAY)
)
"""The condition that live play must end, with the times of `over_since`."""

_OF_GAME = select(live).where(live.c.game_id == bindparam("game"))
_AGREED = select(live).where(live.c.game_id.in_(bindparam("ids", expanding=True)), AGREED)
_NEWS = (
    select(games.c.entries, games.c.first_id, games.c.second_id, games.c.ended_at, live)
    .select_from(games.outerjoin(live, live.c.game_id == games.c.id))
    .where(games.c.id == bindparam("game"))
)


@dataclass(frozen=True)
class LiveNews:
    """A game's number of entries, its players, and its live play if somebody was on its page."""

    entries: int
    ids: tuple[int, int]
    play: LivePlay | None

    def seat_of(self, player: Player | None) -> Seat | None:
        if player is None or player.id not in self.ids:
            return None
        return 0 if player.id == self.ids[0] else 1


def over_since(now: datetime) -> dict[str, datetime]:
    return {"away": now - AWAY, "longest": now - LONGEST}


def live_play(db: Connection, game_id: int) -> LivePlay:
    row = db.execute(_OF_GAME, {"game": game_id}).first()
    return LivePlay() if row is None else _play(row)


def agreed_plays(db: Connection, ids: Collection[int]) -> dict[int, LivePlay]:
    """Return the live play of these games, by number, that has not been ended."""
    return {row.game_id: _play(row) for row in db.execute(_AGREED, {"ids": ids})}


def live_news(db: Connection, game_id: int) -> LiveNews | None:
    row = db.execute(_NEWS, {"game": game_id}).first()
    if row is None:
        return None
    there = row.game_id is not None and row.ended_at is None
    return LiveNews(row.entries, (row.first_id, row.second_id), _play(row) if there else None)


def store_presence(db: Connection, game_id: int, seat: Seat, now: datetime) -> None:
    put_row(db, live, {"game_id": game_id}, **{("first_seen", "second_seen")[seat]: now})


def store_play(db: Connection, game_id: int, play: LivePlay) -> None:
    seen = {"first_seen": play.seen[0], "second_seen": play.seen[1]}
    agreed = {"agreed_at": play.agreed_at, "entry": play.entry}
    offered = {"offered_by": play.offered_by, "offered_at": play.offered_at}
    put_row(db, live, {"game_id": game_id}, **seen, **offered, **agreed)


def first_over(db: Connection, now: datetime, without: Collection[int]) -> tuple[int] | None:
    """Return the number of a game whose live play must end, none of `without`."""
    query = select(live.c.game_id).where(IS_OVER, live.c.game_id.not_in(tuple(without)))
    row = db.execute(query.order_by(live.c.game_id).limit(1), over_since(now)).first()
    return None if row is None else (row.game_id,)


def _play(row: Row[Any]) -> LivePlay:
    seen = (row.first_seen, row.second_seen)
    return LivePlay(seen, row.offered_by, row.offered_at, row.agreed_at, row.entry)
