"""Games and their journals."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    and_,
    bindparam,
    case,
    func,
    insert,
    inspect,
    or_,
    select,
    update,
)

from pbem.core.clock.intervals import FOREVER
from pbem.core.clock.mail_times import MailStop, MailStops
from pbem.core.clock.time_control import read_pace
from pbem.core.game.game import Game
from pbem.core.game.journal import Entry, PendingMove, public_data
from pbem.core.game.state import State
from pbem.core.play.clock_events import MAX_REMINDER_AGE, next_check
from pbem.core.players import Player
from pbem.store import event_entries, game_counts, guesses, players, ratings, vacations
from pbem.store.tables import HAS_BOT, games, has_seat, journal
from pbem.store.tables.columns import UtcDateTime
from pbem.store.tables.ratings import results
from rules.contract import Rules, Seat

SUMMARY = ("entries", "plies", "to_play", "changed_at", "ended_at", "ended_by", "winner", "reason")
"""The columns of a game's row that follow from its journal."""

GamesByKey = Mapping[str, Rules]
"""The installed games. Rows of other games are skipped, not lost."""

_GAME = select(games).where(games.c.id == bindparam("id"))
_GAME_LOCKED = _GAME.with_for_update(key_share=True)
"""FOR NO KEY UPDATE on PostgreSQL: letters and reminders of the game need not wait."""
_GAMES = select(games).where(games.c.id.in_(bindparam("ids", expanding=True))).order_by(games.c.id)
_JOURNALS = (
    select(journal.c.game_id, journal.c.n, journal.c.at, journal.c.kind, journal.c.seat, journal.c.data)
    .where(journal.c.game_id.in_(bindparam("ids", expanding=True)))
    .order_by(journal.c.game_id, journal.c.n)
)
_WRITTEN = insert(journal)
_ADDED = insert(games).returning(games.c.id, sort_by_parameter_order=True)

_MOVED = games.c.deadline_at.is_distinct_from(bindparam("deadline", type_=UtcDateTime))
_CLOCK = {
    "next_event_at": bindparam("next_event_at", type_=UtcDateTime),
    "deadline_at": bindparam("deadline", type_=UtcDateTime),
    "deadline_moves": games.c.deadline_moves + case((_MOVED, 1), else_=0),
    "deadline_moved_at": case(
        (_MOVED, bindparam("moved_at", type_=UtcDateTime)), else_=games.c.deadline_moved_at
    ),
}
_RESCHEDULED = update(games).where(games.c.id == bindparam("game")).values(_CLOCK)
"""The columns that follow from a game's clock, and the deadline's changes."""
_APPENDED = _RESCHEDULED.values({name: bindparam(name, type_=games.c[name].type) for name in SUMMARY})


def any_stored(db: Connection) -> bool:
    """True if the database has games; it may have no tables yet."""
    return inspect(db).has_table(games.name) and db.scalar(select(games.c.id).limit(1)) is not None


def load_game(db: Connection, games_by_key: GamesByKey, id: int, *, lock: bool = False) -> Game | None:
    """Load a game with its journal, or None without its rules. `lock` keeps other decisions out."""
    rows = db.execute(_GAME_LOCKED if lock else _GAME, {"id": id}).all()
    return next(iter(_games(db, games_by_key, rows)), None)


def load_games(db: Connection, games_by_key: GamesByKey, ids: Sequence[int]) -> list[Game]:
    """Load games with journals, by number. Missing games, or those without rules, are left out."""
    return _games(db, games_by_key, db.execute(_GAMES, {"ids": ids}).all())


def _games(db: Connection, games_by_key: GamesByKey, rows: Sequence[Row[Any]]) -> list[Game]:
    known = [row for row in rows if row.rules in games_by_key]
    if not known:
        return []
    seated = players.players_by_ids(db, {id for row in known for id in (row.first_id, row.second_id)})
    entries: dict[int, list[Entry]] = {row.id: [] for row in known}
    for e in db.execute(_JOURNALS, {"ids": list(entries)}):
        entries[e.game_id].append(Entry(e.n, e.at, e.kind, e.seat, public_data(e.data)))
    return _with_stops(db, [_game(games_by_key[row.rules], row, seated, entries[row.id]) for row in known])


def _game(rules: Rules, row: Row[Any], seated: Mapping[int, Player], entries: Sequence[Entry]) -> Game:
    return Game(
        id=row.id,
        rules=rules,
        options=row.options,
        seed=int(row.seed),
        seats=(seated[row.first_id], seated[row.second_id]),
        started_at=row.started_at,
        journal=tuple(entries),
        rated=row.rated,
        rules_version=row.rules_version,
        time_control=read_pace(row.pace),
        soft=row.soft,
        pending=_pending_move(row.held),
        stands=_stands(row.stands),
    )


def with_current_stops(db: Connection, game: Game) -> Game:
    return game.with_stops(vacations.clock_stops(db, [game])[0])


def _with_stops(db: Connection, found: Sequence[Game]) -> list[Game]:
    stops = vacations.clock_stops(db, found)
    return [replace(game, stops=each) for game, each in zip(found, stops, strict=True)]


def _pending_move(kept: Mapping[str, Any] | None) -> PendingMove | None:
    if kept is None:
        return None
    seat: Seat = kept["seat"]
    entries = tuple(
        Entry(n, datetime.fromisoformat(e["at"]), e["kind"], seat, e["data"])
        for n, e in enumerate(kept["entries"], 1)
    )
    return PendingMove(seat, datetime.fromisoformat(kept["until"]), entries)


def _stands(kept: Iterable[Mapping[str, Any]] | None) -> MailStops:
    return tuple(
        MailStop(each["seat"], each["mail"], *(datetime.fromisoformat(each[name]) for name in _TIMES))
        for each in kept or ()
    )


_TIMES = ("begins", "ends")


def set_mail_stops(db: Connection, game: Game, stands: MailStops, now: datetime) -> Game:
    """Store the clock stops of a player's waiting mails. Return the locked game."""
    kept = [vars(each) | {name: getattr(each, name).isoformat() for name in _TIMES} for each in stands]
    db.execute(update(games).where(games.c.id == game.id).values(stands=kept or None))
    after = replace(game, stands=stands)
    reschedule(db, after, now)
    return after


def set_pending_move(db: Connection, game: Game, pending: PendingMove | None) -> Game:
    """Store a game's pending move, or None; returns the game."""
    kept = None
    if pending is not None:
        waits = [{"at": e.at.isoformat(), "kind": e.kind, "data": dict(e.data)} for e in pending.entries]
        kept = {"seat": pending.seat, "until": pending.until.isoformat(), "entries": waits}
    after = replace(game, pending=pending)
    db.execute(update(games).where(games.c.id == game.id).values(held=kept))
    reschedule(db, after)
    return after


def add_games(db: Connection, new: Sequence[Game]) -> list[Game]:
    """Create rows of games without entries; returns the numbered games in order."""
    ids = db.scalars(_ADDED, [_first_row(game) for game in new]).all()
    for key, number in Counter(game.rules.key for game in new).items():
        game_counts.record_outcome(db, key, None, "running", number)
    return _with_stops(db, [replace(game, id=id) for game, id in zip(new, ids, strict=True)])


def _first_row(game: Game) -> dict[str, Any]:
    return {
        "rules": game.rules.key,
        "rules_version": game.rules_version,
        "options": dict(game.options),
        "seed": str(game.seed),
        "first_id": game.seats[0].id,
        "second_id": game.seats[1].id,
        "rated": game.rated,
        "pace": str(game.time_control),
        "soft": game.soft,
        "started_at": game.started_at,
        "changed_at": game.started_at,
    }


def store_begun(db: Connection, begun: Sequence[Game]) -> None:
    """Write the journals of new games, and then their rows."""
    db.execute(insert(journal), [row for game in begun for row in _journal_rows(game, game.journal)])
    db.execute(
        _APPENDED, [row_summary(game.state, game.open_entries) | _clock_columns(game) for game in begun]
    )


def _journal_rows(game: Game, entries: Sequence[Entry]) -> list[dict[str, Any]]:
    return [vars(entry) | {"game_id": game.id, "data": dict(entry.data)} for entry in entries]


def append_entries(db: Connection, game: Game, state: State, entries: Sequence[Entry]) -> Game:
    """Write new entries and the game's row; returns the game. Raises Conflict for an entry already there."""
    if not entries:
        return game
    db.execute(_WRITTEN, _journal_rows(game, entries))
    after = game.with_entries(entries)
    db.execute(_APPENDED, row_summary(state, after.open_entries) | _clock_columns(after))
    guesses.settle(db, after, state, entries)
    if state.ending != game.state.ending:
        ratings.update_result(db, after, state)
        event_entries.record_score(db, after, state)
    was, now = game_counts.outcome_of(game.state.ending), game_counts.outcome_of(state.ending)
    if was != now:
        game_counts.record_outcome(db, game.rules.key, was, now)
    return after


def reseat(db: Connection, game: Game, seat: Seat, player: Player) -> None:
    """Seat another player, as the journal says already."""
    column = "first_id" if seat == 0 else "second_id"
    db.execute(update(games).where(games.c.id == game.id).values({column: player.id}))


def due_game_ids(db: Connection, now: datetime, most: int) -> list[int]:
    """Return numbers of games with a due clock event, oldest first.

    At equal times flags come first: a flag may start a vacation, which stops reminders of other games. Sorted
    in Python, because a database would sort everything that an outage has made due.
    """
    columns = (games.c.id, games.c.next_event_at, games.c.deadline_at)
    due = select(*columns).where(games.c.next_event_at <= now)
    rows = db.execute(due.order_by(games.c.next_event_at).limit(most))
    return [id for *_, id in sorted((at, flag or FOREVER, id) for id, at, flag in rows)]


def reschedule(
    db: Connection, game: Game, now: datetime | None = None, after: datetime | None = None
) -> None:
    """Store the next check of a game, after its clock stops changed.

    `now` is the time of the change, if not the last entry's. Reminders until `after` are handled. By default
    those too old to be sent count as handled: a check for them would be wasted.
    """
    if after is None and now is not None:
        after = now - MAX_REMINDER_AGE
    db.execute(_RESCHEDULED, _clock_columns(game, now, after))


def _clock_columns(game: Game, now: datetime | None = None, after: datetime | None = None) -> dict[str, Any]:
    """Return the clock columns of a game's row, for `_RESCHEDULED`."""
    at = now or (game.journal[-1].at if game.journal else game.started_at)
    check = next_check(game, after)
    return {"game": game.id, "next_event_at": check, "deadline": game.deadline, "moved_at": at}


def deadline_changes(db: Connection, id: int) -> tuple[int, datetime]:
    """Return the number and the last time of a game's deadline changes."""
    columns = (games.c.deadline_moves, games.c.deadline_moved_at, games.c.changed_at)
    row = db.execute(select(*columns).where(games.c.id == id)).one()
    return row.deadline_moves, row.deadline_moved_at or row.changed_at


def delay_check(db: Connection, id: int, by: datetime, moment: datetime) -> None:
    """Delay a game's check that is due `by` now, until `moment`."""
    due = (games.c.id == id, games.c.next_event_at <= by)
    db.execute(update(games).where(*due).values(next_event_at=moment))


def set_next_check(db: Connection, id: int, moment: datetime) -> None:
    db.execute(update(games).where(games.c.id == id).values(next_event_at=moment))


def row_summary(state: State, entries: Sequence[Entry]) -> dict[str, Any]:
    """Return the columns made from a journal; `entries` are its public ones."""
    ending = state.ending
    end = (ending.at, ending.how, ending.winner, ending.reason) if ending else (None,) * 4
    values = (len(entries), len(state.plies), state.to_play, entries[-1].at, *end)
    return dict(zip(SUMMARY, values, strict=True))


def stored_summary(db: Connection, id: int) -> dict[str, Any]:
    """Return the same columns from the row."""
    query = select(*(games.c[name] for name in SUMMARY)).where(games.c.id == id)
    return dict(db.execute(query).one()._mapping)


@dataclass(frozen=True)
class RunningGame:
    """A running game in a list, enough for one line."""

    id: int
    rules: Rules
    opponent: str
    plies: int
    your_turn: bool
    changed_at: datetime
    deadline: datetime | None = None
    """End of the current turn's time, None without a running clock."""


def running_of_player(db: Connection, games_by_key: GamesByKey, player: Player) -> list[RunningGame]:
    """Return the player's running games, first those where it is their turn."""
    query = select(games).where(has_seat(player.id), games.c.ended_at.is_(None)).order_by(games.c.id)
    rows = [row for row in db.execute(query) if row.rules in games_by_key]
    names = players.players_by_ids(db, {id for row in rows for id in (row.first_id, row.second_id)})
    found = []
    for row in rows:
        seat: Seat = 0 if row.first_id == player.id else 1
        across = names[row.second_id if seat == 0 else row.first_id].name
        waits = row.to_play == seat and not (row.held and row.held["seat"] == seat)
        moments = (row.changed_at, row.deadline_at)
        found.append(RunningGame(row.id, games_by_key[row.rules], across, row.plies, waits, *moments))
    return sorted(found, key=lambda game: (not game.your_turn, game.id))


def ended_since(
    db: Connection, keys: Sequence[str], since: datetime, least: int
) -> list[tuple[int, datetime]]:
    """List games with at least `least` plies that ended since then."""
    ended = (games.c.ended_at >= since, games.c.plies >= least, games.c.rules.in_(keys))
    rows = db.execute(select(games.c.id, games.c.ended_at).where(*ended).order_by(games.c.ended_at))
    return [(row.id, row.ended_at) for row in rows]


def end_of_game(db: Connection, id: int, *, lock: bool = False) -> datetime | None:
    query = select(games.c.ended_at).where(games.c.id == id)
    return db.execute(query.with_for_update() if lock else query).scalar()


def another_running(db: Connection, player: Player) -> int | None:
    """Return the newest running game without this player, or None."""
    query = select(games.c.id).where(~has_seat(player.id), games.c.ended_at.is_(None))
    return db.scalars(query.order_by(games.c.id.desc()).limit(1)).first()


def players_in_games(db: Connection) -> list[Player]:
    ids: set[int] = set()
    for column in (games.c.first_id, games.c.second_id):
        ids.update(db.scalars(select(column).where(games.c.ended_at.is_(None)).distinct()))
    found = players.players_by_ids(db, ids)
    return [found[id] for id in sorted(found)]


def count_running(db: Connection, player: Player) -> tuple[int, int]:
    query = select(func.count(), func.count(games.c.ended_at)).where(has_seat(player.id))
    every, ended = db.execute(query).one()
    return every - ended, ended


def count_running_with_people(db: Connection, player: Player) -> int:
    query = select(func.count()).where(has_seat(player.id), ~HAS_BOT, games.c.ended_at.is_(None))
    return db.execute(query).scalar_one()


def count_finished_in_time(db: Connection, player: Player) -> int:
    """Count the player's games with people finished in time. Void and short ones do not count."""
    first, second = games.c.first_id == player.id, games.c.second_id == player.id
    won = or_(and_(first, games.c.winner == 0), and_(second, games.c.winner == 1))
    in_time = or_(
        games.c.ended_by.not_in(("void", "claim", "timeout")), and_(games.c.ended_by == "timeout", won)
    )
    short = select(results.c.game_id).where(results.c.game_id == games.c.id, results.c.short).exists()
    query = select(func.count()).select_from(games).where(or_(first, second), in_time, ~short, ~HAS_BOT)
    return db.execute(query).scalar_one()


def count_rated_together(db: Connection, rules: str, pair: tuple[Player, Player], since: datetime) -> int:
    """Count two players' rated games begun after `since`, running ones too."""
    ids = [player.id for player in pair]
    query = select(func.count()).select_from(games.outerjoin(results, results.c.game_id == games.c.id))
    both = (games.c.first_id.in_(ids), games.c.second_id.in_(ids), games.c.rules == rules)
    counts = or_(results.c.rated, results.c.game_id.is_(None))
    return db.execute(query.where(*both, games.c.started_at > since, games.c.rated, counts)).scalar_one()


def list_game_ids(db: Connection, player: Player | None = None, *, every: bool = True) -> list[int]:
    """Return game numbers, ascending: a player's or all. Ended games only with `every`."""
    query = select(games.c.id).order_by(games.c.id)
    if player is not None:
        query = query.where(has_seat(player.id))
    if not every:
        query = query.where(games.c.ended_at.is_(None))
    return list(db.scalars(query))


def rules_key_of(db: Connection, id: int) -> str | None:
    """Return the key of a game's rules, or None. The rules need not be installed."""
    return db.execute(select(games.c.rules).where(games.c.id == id)).scalar_one_or_none()
