"""Result and rating rows, written with the end or reopening of games.

The games of one kind are rated one after the other, in the order of their ends. The transaction that ends one
holds a lock of that kind. When a game is inserted between rated ones, or removed, everything after it is
rated again.

Of a game against a bot only the bot's rating and sums change: ratings and statistics of people are made by
people alone.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby, islice
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, tuple_, update

from pbem.core.clock.time_control import NONE
from pbem.core.game.game import Game
from pbem.core.game.journal import FLAG, PLY, REPLACE, ROLLBACK, SEATS, TAKEBACK, TIMEOUT, Entry
from pbem.core.game.state import State
from pbem.core.ratings.glicko import Rating
from pbem.core.ratings.results import GameRating, Result, counts_for_rating, rate_game, result_of
from pbem.core.ratings.sums import SUMS, ResultSums, counted_seats
from pbem.store import players
from pbem.store.locks import advisory_lock
from pbem.store.tables import games, journal
from pbem.store.tables.ratings import rating_steps, ratings, results, summaries
from rules.contract import SEAT_NAMES

CHUNK = 2000
"""Games summed up at a time in a full rebuild."""

Place = tuple[datetime, int]
"""A game's place in the order of ends: its end and its number."""


def update_result(db: Connection, game: Game, state: State) -> None:
    """Update results, statistics and ratings after a possible change of `game`'s result."""
    advisory_lock(db, f"ratings {game.rules.key}")
    row = db.execute(select(results).where(results.c.game_id == game.id)).first()
    old, new = None if row is None else _from_row(row), _of_game(game, state)
    if old == new:
        return
    since = [(result.at, result.game) for result in (old, new) if result is not None and result.rated]
    changes = ResultSums(players.bot_ids(db))
    if old is not None:
        db.execute(delete(results).where(results.c.game_id == game.id))
        changes.add(old, -1)
    if new is not None:
        db.execute(insert(results).values(_row(new)))
        changes.add(new, 1)
    _add_sums(db, changes)
    if since:
        _rate_from(db, game.rules.key, min(since))


def _of_game(game: Game, state: State) -> Result | None:
    ending = state.ending
    if ending is None:
        return None
    seats, end = (game.seats[0].id, game.seats[1].id), (ending.at, ending.how, ending.winner)
    timed = game.time_control.bank is not None
    return result_of(game.id, game.rules.key, seats, end, game.journal, rated=game.rated, timed=timed)


# Results as rows.


_SAME = ("rules", "how", "winner", "rated", "plies", "opening", "short")
"""Columns called as the fields of a `Result`."""


def _row(result: Result) -> dict[str, Any]:
    pairs = {"id": result.seats, "turns": result.turns, "late": result.late}
    of_seats = {f"{SEAT_NAMES[seat]}_{name}": pair[seat] for name, pair in pairs.items() for seat in SEATS}
    same = {name: getattr(result, name) for name in _SAME}
    return {"game_id": result.game, "ended_at": result.at, **of_seats, **same}


def _from_row(row: Row[Any]) -> Result:
    return Result(
        game=row.game_id,
        at=row.ended_at,
        seats=(row.first_id, row.second_id),
        turns=(row.first_turns, row.second_turns),
        late=(row.first_late, row.second_late),
        **{name: getattr(row, name) for name in _SAME},
    )


# Statistics and sums.


def _add_sums(db: Connection, changes: ResultSums) -> None:
    """Add sums to their rows, and make rows that are missing."""
    for (rules, what, label), n in sorted(changes.figures.items()):
        here = (summaries.c.rules == rules, summaries.c.what == what, summaries.c.label == label)
        if n and not db.execute(update(summaries).where(*here).values(n=summaries.c.n + n)).rowcount:
            db.execute(insert(summaries).values(rules=rules, what=what, label=label, n=n))
    for (rules, player), sums in sorted(changes.sums.items()):
        more = {name: ratings.c[name] + sums[name] for name in SUMS}
        if not db.execute(update(ratings).where(*_is_rating_of(rules, player)).values(more)).rowcount:
            named = {name: sums[name] for name in SUMS}
            new = {"rules": rules, "player_id": player, **_standing_row(GameRating()), "rated": 0}
            db.execute(insert(ratings).values(new | named))
    changed = {rules for rules, _, _ in changes.figures}
    db.execute(delete(summaries).where(summaries.c.n == 0, summaries.c.rules.in_(changed)))


def _is_rating_of(rules: str, player: int) -> tuple[Any, Any]:
    return ratings.c.rules == rules, ratings.c.player_id == player


# Ratings.


def _standing_row(standing: GameRating) -> dict[str, Any]:
    return {
        "value": standing.rating.value,
        "deviation": standing.rating.deviation,
        "volatility": standing.rating.volatility,
        "at": standing.at,
        "lost_on_time": standing.lost_on_time,
        "sure_until": standing.provisional_from,
    }


def standing_of(row: Row[Any]) -> GameRating:
    return GameRating(Rating(row.value, row.deviation, row.volatility), row.at, row.lost_on_time)


@dataclass
class _RatingUpdate:
    """The ratings of one kind of game during an update."""

    db: Connection
    rules: str
    bots: Set[int]
    standings: dict[int, GameRating] = field(default_factory=dict)
    new: Counter[int] = field(default_factory=Counter)

    def steps(self, found: Iterable[Result]) -> Iterator[dict[str, Any]]:
        """Yield the rating steps of games, in order."""
        for result in found:
            before = [self._standing(player) for player in result.seats]
            if not counts_for_rating(result, self.standings):
                continue
            after = rate_game(result, before[0], before[1])
            for seat in counted_seats(result, self.bots):
                player = result.seats[seat]
                self.standings[player] = after[seat]
                self.new[player] += 1
                yield _step(result, seat, before[seat], after[seat])

    def _standing(self, player: int) -> GameRating:
        if player not in self.standings:
            row = self.db.execute(select(ratings).where(*_is_rating_of(self.rules, player))).first()
            self.standings[player] = GameRating() if row is None else standing_of(row)
        return self.standings[player]

    def keep(self) -> None:
        for player in sorted(self.new):
            rated = ratings.c.rated + self.new[player]
            row = _standing_row(self.standings[player]) | {"rated": rated}
            self.db.execute(update(ratings).where(*_is_rating_of(self.rules, player)).values(row))


def _step(result: Result, seat: int, before: GameRating, after: GameRating) -> dict[str, Any]:
    return {
        "game_id": result.game,
        "seat": seat,
        "rules": result.rules,
        "player_id": result.seats[seat],
        "at": result.at,
        "before": before.rating.value,
        "value": after.rating.value,
        "deviation": after.rating.deviation,
        "volatility": after.rating.volatility,
        "lost_on_time": result.loser_on_time == result.seats[seat],
    }


def _rate_from(db: Connection, rules: str, since: Place) -> None:
    """Rate again that game and all later ones, often just one."""
    _rewind(db, rules, since)
    ladder = _RatingUpdate(db, rules, players.bot_ids(db))
    steps = ladder.steps(_rated_from(db, rules, since))
    while chunk := list(islice(steps, CHUNK)):
        db.execute(insert(rating_steps), chunk)
    ladder.keep()


def _rated_from(db: Connection, rules: str, since: Place) -> Iterator[Result]:
    """Yield games that may be rated, by end, read in slices because there may be many."""
    query = select(results).where(results.c.rules == rules, results.c.rated)
    query = query.order_by(results.c.ended_at, results.c.game_id).limit(CHUNK)
    place = tuple_(results.c.ended_at, results.c.game_id)
    page = query.where(place >= tuple_(*since, types=_PLACE))
    while rows := db.execute(page).all():
        yield from map(_from_row, rows)
        page = query.where(place > tuple_(rows[-1].ended_at, rows[-1].game_id, types=_PLACE))


_PLACE = (results.c.ended_at.type, results.c.game_id.type)


def _rewind(db: Connection, rules: str, since: Place) -> None:
    """Delete the steps from that game on, and restore all earlier ratings."""
    place = tuple_(rating_steps.c.at, rating_steps.c.game_id) >= tuple_(*since, types=_PLACE)
    gone = (rating_steps.c.rules == rules, place)
    query = select(rating_steps.c.player_id, func.count()).where(*gone)
    counted = db.execute(query.group_by(rating_steps.c.player_id)).all()
    if not counted:
        return
    db.execute(delete(rating_steps).where(*gone))
    for player, n in sorted(tuple(row) for row in counted):
        row = _standing_row(_last(db, rules, player)) | {"rated": ratings.c.rated - n}
        db.execute(update(ratings).where(*_is_rating_of(rules, player)).values(row))


def _last(db: Connection, rules: str, player: int) -> GameRating:
    """Return a player's rating by the remaining steps."""
    query = select(rating_steps).where(rating_steps.c.player_id == player, rating_steps.c.rules == rules)
    query = query.order_by(rating_steps.c.at.desc(), rating_steps.c.game_id.desc())
    row = db.execute(query.limit(1)).first()
    if row is None:
        return GameRating()
    lost = db.execute(query.where(rating_steps.c.lost_on_time).limit(1)).first()
    return GameRating(Rating(row.value, row.deviation, row.volatility), row.at, lost.at if lost else None)


# Complete rebuild.


def rebuild_ratings(db: Connection) -> tuple[int, int]:
    """Rebuild everything from games; returns the counts of ended and rated games."""
    kinds = db.scalars(select(games.c.rules).distinct().order_by(games.c.rules)).all()
    for rules in kinds:
        advisory_lock(db, f"ratings {rules}")
    for table in (rating_steps, ratings, summaries, results):
        db.execute(delete(table))
    count, changes = 0, ResultSums(players.bot_ids(db))
    for found in _all_results(db):
        count += len(found)
        db.execute(insert(results), [_row(result) for result in found])
        for result in found:
            changes.add(result, 1)
    _add_sums(db, changes)
    for rules in kinds:
        _rate_from(db, rules, _FIRST)
    return count, db.execute(select(func.count(rating_steps.c.game_id.distinct()))).scalar_one()


_FIRST: Place = (datetime(1970, 1, 1, tzinfo=UTC), 0)
_RESULT_ENTRIES = (PLY, TAKEBACK, ROLLBACK, REPLACE, FLAG, TIMEOUT)
"""The entries that a result is made of."""


def _all_results(db: Connection) -> Iterator[list[Result]]:
    query = select(games).where(games.c.ended_at.is_not(None)).order_by(games.c.id).limit(CHUNK)
    last = 0
    while rows := db.execute(query.where(games.c.id > last)).all():
        last = rows[-1].id
        entries = _journals(db, rows)
        yield [_sum_up(row, entries.get(row.id, [])) for row in rows]


def _journals(db: Connection, rows: Sequence[Row[Any]]) -> dict[int, list[Entry]]:
    """Return the entries that `result_of` needs, by game."""
    query = (
        select(journal)
        .where(journal.c.game_id.between(rows[0].id, rows[-1].id), journal.c.kind.in_(_RESULT_ENTRIES))
        .order_by(journal.c.game_id, journal.c.n)
    )
    found = groupby(db.execute(query), lambda row: row.game_id)
    return {id: [Entry(row.n, row.at, row.kind, row.seat, row.data) for row in group] for id, group in found}


def _sum_up(row: Row[Any], entries: Iterable[Entry]) -> Result:
    seats, end = (row.first_id, row.second_id), (row.ended_at, row.ended_by, row.winner)
    timed = row.pace != str(NONE)
    return result_of(row.id, row.rules, seats, end, entries, rated=row.rated, timed=timed)
