"""Rating tables, statistics and results for pages and letters. Read only; nothing here counts games."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, or_, select, tuple_

from pbem.core.ratings.glicko import Rating
from pbem.core.ratings.results import GameRating, RatingChange
from pbem.core.ratings.statistics import Share
from pbem.store.ratings import standing_of
from pbem.store.tables import BOT_IDS, games, players
from pbem.store.tables.ratings import rating_steps, ratings, summaries

OPENINGS = 10


@dataclass(frozen=True)
class Career:
    """A player's results in one game."""

    rules: str
    player: int
    name: str
    standing: GameRating
    rated: int
    won: int
    drawn: int
    lost: int
    turns: int
    late: int

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost


@dataclass(frozen=True)
class GameStatistics:
    results: Mapping[str, int]
    lengths: Mapping[int, int]
    months: Mapping[str, int]
    openings: Sequence[tuple[str, int]]

    @property
    def games(self) -> int:
        return sum(self.results.values())

    @property
    def first(self) -> Share:
        """The first seat's share of decided games."""
        won = self.results.get("first", 0)
        return Share(won, won + self.results.get("second", 0))


@dataclass(frozen=True)
class Point:
    game: int
    at: datetime
    rating: Rating


_PERSON = ratings.c.player_id.not_in(BOT_IDS)
_CAREERS = select(ratings, players.c.name).join(players, players.c.id == ratings.c.player_id)


def _career(row: Row[Any]) -> Career:
    sums = (row.rated, row.won, row.drawn, row.lost, row.turns, row.late)
    return Career(row.rules, row.player_id, row.name, standing_of(row), *sums)


def best_rated(
    db: Connection, rules: str, now: datetime, most: int, below: Career | None = None
) -> list[Career]:
    """Return people with a certain rating, highest first; those after `below`."""
    query = _CAREERS.where(ratings.c.rules == rules, ratings.c.sure_until > now, _PERSON)
    if below is not None:
        place = tuple_(-ratings.c.value, ratings.c.player_id)
        query = query.where(ratings.c.value <= below.standing.rating.value)
        query = query.where(place > tuple_(-below.standing.rating.value, below.player))
    query = query.order_by(ratings.c.value.desc(), ratings.c.player_id).limit(most)
    return list(map(_career, db.execute(query)))


def rank(db: Connection, career: Career, now: datetime) -> int | None:
    """Return a player's rank, None where the rating is uncertain."""
    if career.standing.provisional_from is None or career.standing.provisional_from <= now:
        return None
    return place_below(db, career, now) - 1


def place_below(db: Connection, career: Career, now: datetime) -> int:
    """Return the place of the first in `best_rated` below this player, whose own rating may be uncertain."""
    value = career.standing.rating.value
    order = tuple_(-ratings.c.value, ratings.c.player_id) <= tuple_(-value, career.player)
    above = (ratings.c.rules == career.rules, ratings.c.value >= value, ratings.c.sure_until > now, order)
    return 1 + db.execute(select(func.count()).where(*above, _PERSON)).scalar_one()


def provisional_rated(db: Connection, rules: str, now: datetime, most: int) -> list[Career]:
    """Return people with a provisional rating, highest first."""
    ends = ratings.c.sure_until
    unsure = (ratings.c.rules == rules, or_(ends.is_(None), ends <= now), ratings.c.rated > 0)
    query = _CAREERS.where(*unsure, _PERSON)
    return list(map(_career, db.execute(query.order_by(ratings.c.value.desc()).limit(most))))


def bot_careers(db: Connection, rules: str) -> list[Career]:
    """Return the bots' own list: their results in one game, by level."""
    query = _CAREERS.where(ratings.c.rules == rules, ~_PERSON).order_by(players.c.name_key)
    return [career for career in map(_career, db.execute(query)) if career.games]


def careers(db: Connection, ids: Iterable[int]) -> dict[int, list[Career]]:
    """Return players' results by player, the most played game first."""
    found: dict[int, list[Career]] = {id: [] for id in ids}
    for row in db.execute(_CAREERS.where(ratings.c.player_id.in_(found))):
        if row.rated or row.won or row.drawn or row.lost or row.late:
            found[row.player_id].append(_career(row))
    return {id: sorted(each, key=lambda c: (-c.games, c.rules)) for id, each in found.items()}


def share_in_time(careers: Iterable[Career]) -> Share:
    """Return the share of turns with a clock made in time."""
    counted = [(career.turns, career.turns + career.late) for career in careers]
    return Share(sum(made for made, _ in counted), sum(every for _, every in counted))


_STAND = select(ratings).where(
    ratings.c.rules == bindparam("rules"),
    or_(ratings.c.player_id == bindparam("first"), ratings.c.player_id == bindparam("second")),
    ratings.c.rated > 0,
)
_STAND_ALL = select(ratings).where(
    ratings.c.player_id.in_(bindparam("ids", expanding=True)), ratings.c.rated > 0
)
"""A query for every letter about a rated game, so it is built once."""


def standings_of(db: Connection, rules: str, pair: tuple[int, int]) -> dict[int, GameRating]:
    """Return two players' ratings in one game; unrated players are left out."""
    rows = db.execute(_STAND, {"rules": rules, "first": pair[0], "second": pair[1]})
    return {row.player_id: standing_of(row) for row in rows}


def standings_of_players(db: Connection, ids: Iterable[int]) -> dict[tuple[int, str], GameRating]:
    """Return ratings by player and kind of game, without unrated ones."""
    rows = db.execute(_STAND_ALL, {"ids": set(ids)})
    return {(row.player_id, row.rules): standing_of(row) for row in rows}


def rating_changes_of(db: Connection, game: int) -> dict[int, RatingChange]:
    rows = db.execute(select(rating_steps).where(rating_steps.c.game_id == game))
    return {row.player_id: RatingChange(row.before, row.value) for row in rows}


def rating_curve(db: Connection, player: int, rules: str, most: int = 300) -> list[Point]:
    """Return a player's newest ratings in one game, in order."""
    query = select(rating_steps).where(rating_steps.c.player_id == player, rating_steps.c.rules == rules)
    newest = query.order_by(rating_steps.c.at.desc(), rating_steps.c.game_id.desc()).limit(most)
    rows = db.execute(newest).all()[::-1]
    return [Point(row.game_id, row.at, Rating(row.value, row.deviation, row.volatility)) for row in rows]


def game_statistics(db: Connection, rules: str) -> GameStatistics:
    found: dict[str, dict[str, int]] = {"result": {}, "length": {}, "month": {}}
    query = select(summaries).where(summaries.c.rules == rules)
    for row in db.execute(query.where(summaries.c.what.in_(found))):
        found[row.what][row.label] = row.n
    openings = query.where(summaries.c.what == "opening")
    openings = openings.order_by(summaries.c.n.desc(), summaries.c.label).limit(OPENINGS)
    return GameStatistics(
        found["result"],
        {int(length): n for length, n in found["length"].items()},
        found["month"],
        [(row.label, row.n) for row in db.execute(openings)],
    )


def last_result_at(db: Connection, rules: str | None = None) -> datetime | None:
    """Return when a game of this kind, or any, ended last."""
    query = select(func.max(games.c.ended_at))
    return db.execute(query if rules is None else query.where(games.c.rules == rules)).scalar_one()
