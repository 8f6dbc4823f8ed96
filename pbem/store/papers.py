"""The Saturday paper: a week's events, the issues, and their readers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, case, func, or_, select, union_all

from pbem.core.exercises.analysis import ANALYSIS, key_of_ended
from pbem.core.exercises.puzzle import Puzzle
from pbem.core.paper import USUAL_RATING, EndedGame, Issue, Newcomer, RatingGain, Week, read_issue, read_week
from pbem.core.ratings.results import MAX_SURE_DEVIATION
from pbem.store.due_players import DuePlayers
from pbem.store.engine import add_row
from pbem.store.puzzles import newest_puzzles
from pbem.store.tables import BOT_IDS, HAS_BOT, games, players
from pbem.store.tables.bots import bot_jobs
from pbem.store.tables.learning import paper_readers, papers
from pbem.store.tables.ratings import rating_steps, ratings, results

READERS = DuePlayers(paper_readers)
KEYS_AT_ONCE = 500
MAX_PUZZLES = 200
"""The newest puzzles among which those of a week are looked for."""

_NAMED = (players.c.address != "", players.c.barred == "", players.c.id.not_in(BOT_IDS))
_NAMES = select(players.c.id).where(*_NAMED)
"""People who are neither erased nor barred."""


@dataclass(frozen=True)
class StoredIssue:
    """An issue as stored; its week has ended."""

    week: Week
    made_at: datetime
    issue: Issue


def _within(column: Any, week: Week) -> tuple[ColumnElement[bool], ...]:
    return column >= week.begins, column < week.ends


def ended_games(db: Connection, rules: Sequence[str], week: Week) -> list[EndedGame]:
    """Return the week's ended games between people. Void and short ones are left out."""
    first, second = ratings.alias("first_rating"), ratings.alias("second_rating")
    query = (
        select(games.c.id, games.c.ended_at, games.c.plies, *(_rating(each) for each in (first, second)))
        .join_from(games, results, results.c.game_id == games.c.id)
        .outerjoin(first, _has_rating(first, games.c.first_id))
        .outerjoin(second, _has_rating(second, games.c.second_id))
        .where(*_within(games.c.ended_at, week), games.c.rules.in_(rules))
        .where(results.c.how != "void", ~results.c.short)
        .where(games.c.first_id.in_(_NAMES), games.c.second_id.in_(_NAMES))
    )
    return [EndedGame(row[0], row[1], row[2], (row[3], row[4])) for row in db.execute(query)]


def _rating(rated: Any) -> ColumnElement[float]:
    return func.coalesce(rated.c.value, USUAL_RATING)


def _has_rating(rated: Any, player: Any) -> ColumnElement[bool]:
    return and_(rated.c.rules == games.c.rules, rated.c.player_id == player, rated.c.rated > 0)


def values_of(db: Connection, ended: Sequence[EndedGame]) -> Mapping[int, Sequence[float]]:
    """Return these games' evaluations, by game. Games without one are left out."""
    keys = {key_of_ended(each.id, each.ended_at): each for each in ended}
    found: dict[int, Sequence[float]] = {}
    for start in range(0, len(keys), KEYS_AT_ONCE):
        some = list(keys)[start : start + KEYS_AT_ONCE]
        query = select(bot_jobs.c.key, bot_jobs.c.result).where(bot_jobs.c.kind == ANALYSIS, bot_jobs.c.done)
        for row in db.execute(query.where(bot_jobs.c.key.in_(some))):
            values = row.result["values"] if row.result else []
            if len(values) == keys[row.key].plies + 1:
                found[keys[row.key].id] = values
    return found


def rating_steps_of(db: Connection, rules: Sequence[str], week: Week) -> list[RatingGain]:
    """The changes of people's ratings in the week, in order."""
    seat_won = case((results.c.winner.is_(None), None), else_=results.c.winner == rating_steps.c.seat)
    known = (rating_steps.c[name] for name in ("game_id", "rules", "player_id", "before", "value"))
    query = (
        select(*known, rating_steps.c.deviation <= MAX_SURE_DEVIATION, seat_won.label("won"))
        .join_from(rating_steps, results, results.c.game_id == rating_steps.c.game_id)
        .where(*_within(rating_steps.c.at, week), rating_steps.c.rules.in_(rules))
        .where(rating_steps.c.player_id.in_(_NAMES))
        .order_by(rating_steps.c.at, rating_steps.c.game_id)
    )
    return [RatingGain(*row[:6], None if row.won is None else bool(row.won)) for row in db.execute(query)]


def first_finished(db: Connection, rules: Sequence[str], week: Week) -> list[Newcomer]:
    """Return people whose first finished game ended in the week, with it."""
    ended = (*_within(games.c.ended_at, week), games.c.ended_by != "void", games.c.rules.in_(rules))
    seats = union_all(
        *(
            select(seat.label("player"), games.c.id.label("game"), games.c.ended_at).where(*ended)
            for seat in (games.c.first_id, games.c.second_id)
        )
    ).subquery()
    earlier = games.alias("earlier")
    before = and_(
        or_(earlier.c.first_id == seats.c.player, earlier.c.second_id == seats.c.player),
        earlier.c.ended_at < week.begins,
        earlier.c.ended_by != "void",
    )
    query = select(seats).where(seats.c.player.in_(_NAMES), ~select(earlier.c.id).where(before).exists())
    first: dict[int, int] = {}
    for row in db.execute(query.order_by(seats.c.ended_at, seats.c.game)):
        first.setdefault(row.player, row.game)
    return [Newcomer(player, game) for player, game in first.items()]


def puzzles_of_week(db: Connection, rules: Sequence[str], week: Week) -> list[Puzzle]:
    """Return the week's puzzles from games of people who may be named."""
    found = [
        each
        for each in newest_puzzles(db, rules, MAX_PUZZLES, None)
        if each.created_at and week.begins <= each.created_at < week.ends
    ]
    known = select(games.c.id).where(
        games.c.id.in_([each.game_id for each in found]),
        games.c.ended_at.is_not(None),
        games.c.first_id.in_(_NAMES),
        games.c.second_id.in_(_NAMES),
    )
    ids = set(db.scalars(known))
    return [each for each in found if each.game_id in ids]


def is_of_first_weeks(db: Connection, week: Week) -> bool:
    """True if people were here when the week ended, and no game of theirs had ended yet."""
    here = select(players.c.id).where(players.c.created_at < week.ends, players.c.id.not_in(BOT_IDS)).limit(1)
    ended = select(games.c.id).where(games.c.ended_at < week.ends, ~HAS_BOT).limit(1)
    return db.scalar(here) is not None and db.scalar(ended) is None


def is_made(db: Connection, week: Week) -> bool:
    return db.execute(select(papers.c.week).where(papers.c.week == str(week))).first() is not None


def store_issue(db: Connection, week: Week, issue: Issue, now: datetime) -> None:
    """Store a week's issue, unless another process has stored it."""
    add_row(db, papers, week=str(week), made_at=now, issue=issue.data)


def find_issue(db: Connection, week: Week) -> Issue | None:
    """The issue of a week, None before it is made."""
    data = db.execute(select(papers.c.issue).where(papers.c.week == str(week))).scalar()
    return None if data is None else read_issue(data)


def newest_issues(db: Connection, most: int, before: Week | None = None) -> list[StoredIssue]:
    """The newest issues that say something; those before a week."""
    query = select(papers).order_by(papers.c.week.desc())
    rows = db.execute(query if before is None else query.where(papers.c.week < str(before)))
    told = (row for row in rows if row.issue)
    found = (StoredIssue(read_week(row.week), row.made_at, read_issue(row.issue)) for row in told)
    return list(islice(found, most))


def is_due(db: Connection, now: datetime) -> bool:
    """True if a reader waits for the paper."""
    query = select(paper_readers.c.player_id).where(paper_readers.c.due_at <= now).limit(1)
    return db.execute(query).first() is not None
