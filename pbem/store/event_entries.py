"""Journals of events. An entry is folded, and what it changed is written as rows.

`pbem.core.events.fold` says what each kind of entry changes; the scores of games come from the games.
"""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import starmap
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Table, and_, bindparam, delete, insert, select, update

from pbem.core.events import ladder, league, match
from pbem.core.events.event import Data, Entrant, Event, EventEntry
from pbem.core.events.fold import (
    KINDS,
    OTHER,
    EntryKind,
    EventState,
    fold,
    fold_entry,
    game_score,
    kind_of,
    settled,
    with_score,
)
from pbem.core.events.league import EventGame, Settings
from pbem.core.game.game import Game as StoredGame
from pbem.core.game.journal import TIMEOUT
from pbem.core.game.state import State
from pbem.store import ladders
from pbem.store.events import DIVISION_GAMES, event_of, find_event, journal_of
from pbem.store.tables import games, journal
from pbem.store.tables.events import event_games, event_journal, event_players, events

K = TypeVar("K", bound=Hashable)
Row = dict[str, Any]
_WHOLE = replace(OTHER, touched=None)


def record_score(db: Connection, game: StoredGame, state: State) -> None:
    """Store the score of an event's game that ended or was reopened."""
    ending, last = state.ending, game.journal[-1]
    late = last.seat if last.kind == TIMEOUT else None
    score = None if ending is None else game_score(ending.how, ending.winner, late)
    for event, pairing in _pairings_of(db, event_games.c.game_id == game.id):
        _write_games(db, event, [pairing], [with_score(pairing, score)])


def settle(db: Connection, event: int, division: int) -> None:
    """Mark the ended games of a division as handled."""
    here = (event_games.c.event_id == event, event_games.c.division == division)
    ended = [pairing for _, pairing in _pairings_of(db, *here, event_games.c.state == league.ENDED)]
    _write_games(db, event, ended, list(map(settled, ended)))


def _pairings_of(db: Connection, *where: ColumnElement[bool]) -> list[tuple[int, EventGame]]:
    """Pairings with the numbers of their events."""
    query = DIVISION_GAMES.add_columns(event_games.c.event_id).where(*where)
    return [(event, EventGame(*row)) for *row, event in db.execute(query)]


def add_event(
    db: Connection,
    rules: str,
    season: int,
    settings: Settings,
    now: datetime,
    previous: int | None = None,
    club: int | None = None,
) -> int:
    """Create a season of a league, open to all or to a club; returns its number."""
    return _add(db, league.LEAGUE, rules, season, settings, now, previous, club)


def add_ladder(
    db: Connection, rules: str, now: datetime, settings: Settings | None = None, club: int | None = None
) -> int:
    """Create the ladder of a game, open to all or to a club; returns its number."""
    id = _add(db, ladder.LADDER, rules, 0, settings or Settings(), now, club=club)
    append(db, id, "ladder", now)
    return id


def add_match(
    db: Connection,
    rules: str,
    settings: Settings,
    starts: datetime,
    now: datetime,
    clubs: tuple[int, int] | tuple[None, None] = (None, None),
) -> int:
    """Create a match, open to all or to the members of two clubs; returns its number."""
    id = _add(db, match.MATCH, rules, 0, settings, now, club=clubs[0], rival=clubs[1])
    append(db, id, "open", now, starts=starts, next=starts)
    return id


def _add(
    db: Connection,
    kind: str,
    rules: str,
    season: int,
    settings: Settings,
    now: datetime,
    previous: int | None = None,
    club: int | None = None,
    rival: int | None = None,
) -> int:
    """Create an event with its journal's first entry; returns its number."""
    first: Row = {
        "kind": kind,
        "rules": rules,
        "season": season,
        "settings": settings.data,
        "previous_id": previous,
    }
    first |= {} if club is None else {"club_id": club}
    first |= {} if rival is None else {"rival_id": rival}
    blank = {"state": league.NEW, "asked": False, "divisions": 0, "begun": 0, "entries": 1}
    id: int = db.execute(insert(events).values(**first, **blank).returning(events.c.id)).scalar_one()
    db.execute(insert(event_journal).values(event_id=id, n=1, at=now, kind="new", data=first))
    return id


def append(db: Connection, event: int, kind: str, now: datetime, **data: Any) -> int:
    """Write a journal entry and what it changes; returns the entry's number.

    A moment `next` is the next to wake; a ladder's follows from its rows. Raises ValueError for a kind that
    `pbem.core.events.fold.KINDS` does not have.
    """
    if kind not in KINDS:
        raise ValueError(f"no kind of entry: {kind}")
    data = {name: _plain(value) for name, value in data.items()}
    mine = update(events).where(events.c.id == event).values(entries=events.c.entries + 1)
    known = event_of(db.execute(mine.returning(*events.c)).one())
    entry = EventEntry(known.entries, now, kind, data)
    db.execute(insert(event_journal).values(event_id=event, n=entry.n, at=now, kind=kind, data=data))
    before = _load(db, known, kind_of(entry), data)
    after = fold_entry(before, entry)
    _write(db, before, _with_own_scores(db, before, after))
    if known.kind == ladder.LADDER:
        looked = max(entry.at for entry in journal_of(db, event, "ladder", "sink"))
        untils = [each.until for each in ladders.waiting_pairings(db, event)]
        _write_event(db, after.event, replace(after.event, next_at=ladder.next_moment(untils, looked)))
    return entry.n


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _with_own_scores(db: Connection, before: EventState, after: EventState) -> EventState:
    """Score pairings that are not forced any more by their ended games."""
    freed = [
        game.game for key, game in after.games.items() if before.games.get(key, game).forced > game.forced
    ]
    return after.with_scores(_scores(db, after.event.id, [id for id in freed if id is not None]))


# States, read and written.


def _load(db: Connection, event: Event, kind: EntryKind, data: Data) -> EventState:
    """Load what an entry of this kind needs of an event."""
    seats = select(*event_players.c).where(event_players.c.event_id == event.id)
    pairs = DIVISION_GAMES.where(event_games.c.event_id == event.id)
    if kind.touched is not None:
        if not (ids := kind.touched(data)):
            return EventState(event)
        seats = seats.where(event_players.c.player_id.in_(ids))
        pairs = pairs.where(event_games.c.first_id.in_(ids), event_games.c.second_id.in_(ids))
    players = starmap(Entrant, db.execute(seats)) if kind.players else ()
    games = starmap(EventGame, db.execute(pairs)) if kind.games else ()
    return EventState(event).with_new(players, games)


def _write(db: Connection, before: EventState, after: EventState) -> None:
    """Write the difference of two states of an event."""
    _write_event(db, before.event, after.event)
    players = [{id: _player_row(each) for id, each in state.players.items()} for state in (before, after)]
    _write_changes(db, event_players, *players)
    _write_games(db, after.event.id, before.games.values(), after.games.values())


def _write_event(db: Connection, before: Event, after: Event) -> None:
    changed = {name: value for name, value in vars(after).items() if value != getattr(before, name)}
    if changed:
        db.execute(update(events).where(events.c.id == after.id).values(**changed))


def _write_games(
    db: Connection, event: int, before: Collection[EventGame], after: Collection[EventGame]
) -> None:
    rows = [{(each.division, each.n): _game_row(event, each) for each in games} for games in (before, after)]
    _write_changes(db, event_games, *rows)


def _player_row(entrant: Entrant) -> Row:
    names = {"event": "event_id", "player": "player_id"}
    return {names.get(name, name): value for name, value in vars(entrant).items()}


def _game_row(event: int, game: EventGame) -> Row:
    names = {"first": "first_id", "second": "second_id", "game": "game_id"}
    return {"event_id": event} | {names.get(name, name): value for name, value in vars(game).items()}


def _write_changes(db: Connection, table: Table, before: Mapping[K, Row], after: Mapping[K, Row]) -> None:
    """Delete, change and add the rows in which two mappings differ."""
    own = [column.name for column in table.primary_key]
    key = and_(*(table.c[name] == bindparam(f"key_{name}") for name in own))
    gone = [{f"key_{name}": row[name] for name in own} for key, row in before.items() if key not in after]
    new = [row for key, row in after.items() if key not in before]
    changed = [
        {name: value for name, value in row.items() if name not in own}
        | {f"key_{name}": row[name] for name in own}
        for each, row in after.items()
        if each in before and before[each] != row
    ]
    if gone:
        db.execute(delete(table).where(key), gone)
    if changed:
        values: Row = {name: bindparam(name) for name in changed[0] if not name.startswith("key_")}
        db.execute(update(table).where(key).values(values), changed)
    if new:
        db.execute(insert(table), new)


# The scores of games.


def _scores(db: Connection, event: int, numbers: Collection[int] | None = None) -> dict[int, str]:
    """The scores of an event's ended games, by number."""
    if numbers is not None and not numbers:
        return {}
    joined = event_games.join(games, games.c.id == event_games.c.game_id)
    over = (event_games.c.event_id == event, games.c.ended_at.is_not(None))
    query = select(games.c.id, games.c.ended_by, games.c.winner).select_from(joined).where(*over)
    rows = db.execute(query if numbers is None else query.where(games.c.id.in_(numbers)))
    return {row.id: game_score(row.ended_by, row.winner, _late_seat(db, row.id)) for row in rows.all()}


def _late_seat(db: Connection, game: int) -> int | None:
    """The seat whose time ran out, where that ended a game."""
    query = select(journal.c.kind, journal.c.seat).where(journal.c.game_id == game)
    last = db.execute(query.order_by(journal.c.n.desc()).limit(1)).one()
    return last.seat if last.kind == TIMEOUT else None


# What the journal says, compared with the rows.


def wrong_rows(db: Connection, event: int) -> list[str]:
    """Compare an event's rows with its journal. Returns the tables that differ."""
    known = find_event(db, event)
    assert known is not None
    stored = _load(db, known, _WHOLE, {}).with_games(lambda game: game.state == league.ENDED, settled)
    right = fold(event, journal_of(db, event), _scores(db, event))
    tables: Sequence[tuple[str, object, object]] = (
        (events.name, stored.event, right.event),
        (event_players.name, stored.players, right.players),
        (event_games.name, stored.games, right.games),
    )
    return [name for name, rows, told in tables if rows != told]
