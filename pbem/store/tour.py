"""The tour of a year, counted from seats and results of leagues."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Select, case, func, literal, or_, select
from sqlalchemy import union_all as all_of

from pbem.core.events import league
from pbem.core.events.table import HALVES
from pbem.core.events.tour import TAKING_PART, TourRow, game_points
from pbem.core.game.journal import SEATS
from pbem.store.tables import BOT_IDS, games, players
from pbem.store.tables.events import event_games, event_players, events
from rules.contract import Seat

_BEGUN = (
    events.c.kind == league.LEAGUE,
    events.c.club_id.is_(None),
    events.c.state.in_((league.STARTING, league.RUNNING, league.OVER)),
)


def tour_rows(db: Connection, year: int, most: int, mine: int | None = None) -> tuple[list[TourRow], int]:
    """Return the first rows and that of `mine`; count all rows."""
    since, until = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    parts = [_seated(), *map(_scored, SEATS)]
    within = (events.c.starts_at >= since, events.c.starts_at < until)
    got = all_of(*(part.where(*within) for part in parts)).subquery()
    points = func.sum(got.c.points)
    sums = select(got.c.player, points.label("points")).where(got.c.player.not_in(BOT_IDS))
    total = sums.group_by(got.c.player).having(points > 0).subquery()
    from_top = total.c.points.desc()
    placed = select(
        total,
        func.rank().over(order_by=from_top).label("place"),
        func.row_number().over(order_by=(from_top, total.c.player)).label("number"),
        func.count().over().label("every"),
    ).subquery()
    query = select(placed, players.c.name).join(players, players.c.id == placed.c.player)
    query = query.where(or_(placed.c.number <= most, placed.c.player == mine)).order_by(placed.c.number)
    rows = db.execute(query).all()
    shown = [TourRow(row.place, row.player, row.name, int(row.points)) for row in rows]
    return shown, rows[0].every if rows else 0


def _seated() -> Select[Any]:
    """Select those who played in the seasons, with the points for that."""
    query = select(event_players.c.player_id.label("player"), literal(TAKING_PART).label("points"))
    query = query.join(events, events.c.id == event_players.c.event_id)
    return query.where(*_BEGUN, event_players.c.state.in_((league.PLAYING, league.LEFT)))


def _scored(seat: Seat) -> Select[Any]:
    """Select who had a seat, with points. A place may have gone to another player since."""
    own, planned = (table.c[("first_id", "second_id")[seat]] for table in (games, event_games))
    points = case({score: game_points(score)[seat] for score in HALVES}, value=event_games.c.score)
    joined = event_games.join(events, events.c.id == event_games.c.event_id)
    joined = joined.outerjoin(games, games.c.id == event_games.c.game_id)
    query = select(func.coalesce(own, planned).label("player"), points.label("points"))
    return query.select_from(joined).where(*_BEGUN, event_games.c.score.in_(list(HALVES)))
