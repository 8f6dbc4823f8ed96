"""The leagues of a year as a tour counts them."""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, func, select

from pbem.core.events import league
from pbem.core.events.table import HALVES, Result
from pbem.core.events.tour import Event
from pbem.store.event_tables import event_games, event_players, events
from pbem.store.tables import games

_BEGUN = and_(
    events.c.kind == league.LEAGUE, events.c.state.in_((league.STARTING, league.RUNNING, league.OVER))
)


def tour_events(db: Connection, rules: Collection[str], year: int) -> list[Event[int]]:
    """The seasons that began in a year, in order, with who played in them and the results so far."""
    mine = _begun_in(rules, year)
    numbers = list(db.scalars(select(events.c.id).where(mine).order_by(events.c.starts_at, events.c.id)))
    seated: dict[int, list[int]] = {number: [] for number in numbers}
    states = event_players.c.state.in_((league.PLAYING, league.LEFT))
    players = select(event_players.c.event_id, event_players.c.player_id)
    players = players.join(events, events.c.id == event_players.c.event_id).where(mine, states)
    for event, player in db.execute(players.order_by(event_players.c.n, event_players.c.player_id)):
        seated[event].append(player)
    found: dict[int, list[Result[int]]] = {number: [] for number in numbers}
    for row in db.execute(_results().where(mine)):
        found[row.event_id].append(Result(row.first, row.second, row.score))
    return [Event(tuple(seated[number]), tuple(found[number])) for number in numbers]


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


def _results() -> Select[Any]:
    """The results of games, for those who sat in them: a place may have gone to another player since."""
    first = func.coalesce(games.c.first_id, event_games.c.first_id).label("first")
    second = func.coalesce(games.c.second_id, event_games.c.second_id).label("second")
    joined = event_games.join(events, events.c.id == event_games.c.event_id)
    joined = joined.outerjoin(games, games.c.id == event_games.c.game_id)
    query = select(event_games.c.event_id, first, second, event_games.c.score).select_from(joined)
    order = (event_games.c.event_id, event_games.c.division, event_games.c.n)
    return query.where(event_games.c.score.in_(list(HALVES))).order_by(*order)
