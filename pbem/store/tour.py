"""The leagues of a year as a tour counts them."""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import CTE, BigInteger, ColumnElement, Connection, Select, and_, case, func, literal, select
from sqlalchemy import union_all as all_of

from pbem.core.events import league
from pbem.core.events.table import HALVES
from pbem.core.events.tour import TAKING_PART, game_points
from pbem.core.game.journal import SEATS
from pbem.store.event_tables import event_games, event_players, events
from pbem.store.tables import BOT_IDS, games
from rules.contract import Seat

_BEGUN = and_(
    events.c.kind == league.LEAGUE, events.c.state.in_((league.STARTING, league.RUNNING, league.OVER))
)
_EVENT, _GAMES, _DIVISION = 10**10, 10**9, 10**4
"""Steps of the number by which players are ordered: an event, its games after its players, a division."""


def tour_points(db: Connection, rules: Collection[str], year: int) -> list[tuple[int, int]]:
    """The points of each player, most first, without bots; level players in the order in which they came."""
    begun = _begun_in(rules, year)
    order = func.row_number().over(order_by=(events.c.starts_at, events.c.id))
    mine = select(events.c.id, order.label("n")).where(begun).cte("mine")
    got = all_of(_seated(mine), *(_scored(mine, seat) for seat in SEATS)).subquery()
    points = func.sum(got.c.points)
    query = select(got.c.player, points).where(got.c.player.not_in(BOT_IDS)).group_by(got.c.player)
    rows = db.execute(query.order_by(points.desc(), func.min(got.c.came), got.c.player))
    return [(player, int(each)) for player, each in rows]


def tour_years(db: Connection, rules: Collection[str]) -> list[int]:
    """The years from that of the first season on to that of the newest."""
    begun = (_BEGUN, events.c.rules.in_(rules))
    first, last = db.execute(
        select(func.min(events.c.starts_at), func.max(events.c.starts_at)).where(*begun)
    ).one()
    return list(range(first.year, last.year + 1)) if first else []


def _begun_in(rules: Collection[str], year: int) -> ColumnElement[bool]:
    begins, ends = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    within = (events.c.starts_at >= begins, events.c.starts_at < ends)
    return and_(_BEGUN, events.c.rules.in_(rules), *within)


def _seated(mine: CTE) -> Select[Any]:
    """Those who played in the seasons, with the points for that."""
    came = literal(_EVENT, BigInteger) * mine.c.n + event_players.c.n
    query = select(event_players.c.player_id.label("player"), literal(TAKING_PART).label("points"))
    query = query.add_columns(came.label("came")).join(mine, mine.c.id == event_players.c.event_id)
    return query.where(event_players.c.state.in_((league.PLAYING, league.LEFT)))


def _scored(mine: CTE, seat: Seat) -> Select[Any]:
    """Those in a seat, with the points of games: a place may have gone to another player since."""
    own, planned = (table.c[("first_id", "second_id")[seat]] for table in (games, event_games))
    points = case({score: game_points(score)[seat] for score in HALVES}, value=event_games.c.score)
    came = literal(_EVENT, BigInteger) * mine.c.n + _GAMES + _DIVISION * event_games.c.division
    joined = event_games.join(mine, mine.c.id == event_games.c.event_id)
    joined = joined.outerjoin(games, games.c.id == event_games.c.game_id)
    query = select(func.coalesce(own, planned), points, came + 2 * event_games.c.n + seat)
    return query.select_from(joined).where(event_games.c.score.in_(list(HALVES)))
