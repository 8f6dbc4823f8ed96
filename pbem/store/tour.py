"""A tour's points by year and player, kept as results come.

Whatever changes results or seats of leagues does so in a block `counted`, which adds the difference.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    text,
)
from sqlalchemy import union_all as all_of

from pbem.core.events import league
from pbem.core.events.table import HALVES
from pbem.core.events.tour import TAKING_PART, Place, game_points, tour_places
from pbem.core.game.journal import SEATS
from pbem.store.engine import is_sqlite, upsert
from pbem.store.event_tables import event_games, event_players, events, tour_points
from pbem.store.tables import BOT_IDS, games
from rules.contract import Seat

Points = Counter[tuple[int, int]]
"""Points by year and player."""

_BEGUN = and_(
    events.c.kind == league.LEAGUE, events.c.state.in_((league.STARTING, league.RUNNING, league.OVER))
)


def _seated() -> Select[Any]:
    """Those who played in the seasons, with the points for that."""
    query = select(events.c.starts_at, event_players.c.player_id.label("player"))
    query = query.add_columns(literal(TAKING_PART).label("points"))
    query = query.join(events, events.c.id == event_players.c.event_id)
    return query.where(_BEGUN, event_players.c.state.in_((league.PLAYING, league.LEFT)))


def _scored(seat: Seat) -> Select[Any]:
    """Select who had a seat, with points. A place may have gone to another player since."""
    own, planned = (table.c[("first_id", "second_id")[seat]] for table in (games, event_games))
    points = case({score: game_points(score)[seat] for score in HALVES}, value=event_games.c.score)
    query = select(events.c.starts_at, func.coalesce(own, planned).label("player"), points.label("points"))
    joined = event_games.join(events, events.c.id == event_games.c.event_id)
    joined = joined.outerjoin(games, games.c.id == event_games.c.game_id)
    return query.select_from(joined).where(_BEGUN, event_games.c.score.in_(list(HALVES)))


def _sums(*parts: Select[Any]) -> Select[Any]:
    """Select sums of points by season start and player, without bots."""
    got = all_of(*parts).subquery()
    query = select(got.c.starts_at, got.c.player, func.sum(got.c.points).label("points"))
    return query.where(got.c.player.not_in(BOT_IDS)).group_by(got.c.starts_at, got.c.player)


def _sums_where(seats: ColumnElement[bool], results: ColumnElement[bool]) -> Select[Any]:
    return _sums(_seated().where(seats), *(_scored(seat).where(results) for seat in SEATS))


_ALL = _sums(_seated(), *map(_scored, SEATS))
_OF_GAME = _sums(*(_scored(seat).where(event_games.c.game_id == bindparam("game")) for seat in SEATS))
_SEATS_OF_EVENT = event_players.c.event_id == bindparam("event")
_RESULTS_OF_EVENT = event_games.c.event_id == bindparam("event")
_OF_EVENT = _sums_where(_SEATS_OF_EVENT, _RESULTS_OF_EVENT)
_NAMED: BindParameter[Any] = bindparam("players", expanding=True)
_OF_PLAYERS = _sums_where(
    and_(_SEATS_OF_EVENT, event_players.c.player_id.in_(_NAMED)),
    and_(_RESULTS_OF_EVENT, or_(event_games.c.first_id.in_(_NAMED), event_games.c.second_id.in_(_NAMED))),
)


# Keeping the points.


@contextmanager
def counted_game(db: Connection, game: int) -> Iterator[None]:
    """Count what the block changes in a game's points."""
    with _counted(db, _OF_GAME, {"game": game}):
        yield


@contextmanager
def counted(db: Connection, event: int, named: Collection[int] = ()) -> Iterator[None]:
    """Count how the block changes an event's points. `named` are the only players with other rows."""
    query, values = (_OF_PLAYERS, {"players": list(named)}) if named else (_OF_EVENT, {})
    with _counted(db, query, {"event": event, **values}):
        yield


@contextmanager
def _counted(db: Connection, query: Select[Any], values: dict[str, Any]) -> Iterator[None]:
    before = _points(db, query, values)
    yield
    change = _points(db, query, values)
    change.subtract(before)
    _add(db, change)


def _points(db: Connection, query: Select[Any], values: dict[str, Any] | None = None) -> Points:
    found = Points()
    for starts, player, points in db.execute(query, values or {}):
        found[starts.year, player] += int(points)
    return found


def _add(db: Connection, change: Points) -> None:
    """Add to the rows, in one order, which prevents deadlocks."""
    rows = [
        {"year": year, "player_id": player, "points": more}
        for (year, player), more in sorted(change.items())
        if more
    ]
    if not rows:
        return
    new = upsert(db, tour_points)
    total = tour_points.c.points + new.excluded.points
    keys = ["year", "player_id"]
    db.execute(new.on_conflict_do_update(index_elements=keys, set_={"points": total}), rows)
    if any(row["points"] < 0 for row in rows):
        db.execute(delete(tour_points).where(tour_points.c.points == 0))


def rebuild_tours(db: Connection) -> None:
    """Replace all points by those of all leagues. On PostgreSQL nobody adds any meanwhile."""
    if not is_sqlite(db):
        db.execute(text("LOCK TABLE tour_points IN EXCLUSIVE MODE"))
    db.execute(delete(tour_points))
    found = _points(db, _ALL)
    rows = [
        {"year": year, "player_id": player, "points": points}
        for (year, player), points in found.items()
        if points
    ]
    if rows:
        db.execute(insert(tour_points), rows)


def wrong_years(db: Connection) -> list[int]:
    """The years whose points are not those of their leagues."""
    kept = {(row.year, row.player_id): row.points for row in db.execute(select(tour_points))}
    found = {key: points for key, points in _points(db, _ALL).items() if points}
    return sorted({year for (year, _), _ in kept.items() ^ found.items()})


# Reading them.


def places(db: Connection, year: int, most: int, below: Place[int] | None = None) -> list[Place[int]]:
    """Return a tour's rows by points, from the top or below one. Level players come by number."""
    mine = select(tour_points.c.player_id, tour_points.c.points).where(tour_points.c.year == year)
    above = 0
    if below is not None:
        level = (tour_points.c.points == below.points, tour_points.c.player_id <= below.player)
        above = below.place - 1 + _count(db, year, *level)
        later = or_(tour_points.c.points < below.points, tour_points.c.player_id > below.player)
        mine = mine.where(tour_points.c.points <= below.points, later)
    mine = mine.order_by(tour_points.c.points.desc(), tour_points.c.player_id).limit(most)
    return tour_places([(row.player_id, row.points) for row in db.execute(mine)], above, below)


def _count(db: Connection, year: int, *which: ColumnElement[bool]) -> int:
    query = select(func.count()).select_from(tour_points).where(tour_points.c.year == year, *which)
    return db.execute(query).scalar_one()


def place_of(db: Connection, year: int, player: int) -> Place[int] | None:
    """A player's row in the tour of a year, None without points."""
    mine = (tour_points.c.year == year, tour_points.c.player_id == player)
    points = db.execute(select(tour_points.c.points).where(*mine)).scalar_one_or_none()
    if points is None:
        return None
    return Place(1 + _count(db, year, tour_points.c.points > points), player, points)


def count_players(db: Connection, year: int) -> int:
    return _count(db, year)


def tour_years(db: Connection) -> list[int]:
    """Return the years from the first season to the newest."""
    ends = (select(end(tour_points.c.year)).scalar_subquery() for end in (func.min, func.max))
    first, last = db.execute(select(*ends)).one()
    return list(range(first, last + 1)) if first else []
