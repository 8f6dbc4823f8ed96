"""Events as their rows have them; `event_entries` changes those."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from itertools import starmap
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, bindparam, case, func, or_, select

from pbem.core.events import ladder, league, match
from pbem.core.events.event import LIVE, Entrant, Event, EventEntry, EventPlace
from pbem.core.events.league import EventGame, Settings
from pbem.core.events.table import FIRST, FORFEIT_LOSS, FORFEIT_WIN, SECOND
from pbem.store.locks import advisory_lock
from pbem.store.tables import games
from pbem.store.tables.events import TO_DO, event_games, event_journal, event_players, events

_FIELDS = [each.name for each in fields(Event)]
_EVENT = select(events)
_PLACES = (
    select(events, event_games.c.game_id, event_games.c.division)
    .join(event_games, event_games.c.event_id == events.c.id)
    .where(event_games.c.game_id.in_(bindparam("ids", expanding=True)))
)
"""A query for every letter of a game, so it is built once."""
_LEAGUES = _EVENT.where(events.c.kind == league.LEAGUE, events.c.club_id.is_(None))
"""Seasons that are open to all; those of clubs are found by their clubs."""
_LADDERS = _EVENT.where(events.c.kind == ladder.LADDER, events.c.club_id.is_(None))
DIVISION_GAMES = select(
    event_games.c.first_id,
    event_games.c.second_id,
    event_games.c.n,
    event_games.c.game_id,
    event_games.c.score,
    event_games.c.state,
    event_games.c.forced,
    event_games.c.division,
)


_GAMES_BETWEEN = (
    DIVISION_GAMES.where(event_games.c.event_id == bindparam("event"))
    .where(event_games.c.division.between(bindparam("first"), bindparam("last")))
    .order_by(event_games.c.division, event_games.c.n)
)
_SEATS = (
    select(event_players.c.division, event_players.c.player_id, event_players.c.state, event_players.c.n)
    .where(event_players.c.event_id == bindparam("event"))
    .where(event_players.c.division.between(bindparam("first"), bindparam("last")))
    .order_by(event_players.c.division, event_players.c.place)
)


def event_of(row: Row[Any]) -> Event:
    same = {name: getattr(row, name) for name in _FIELDS}
    return Event(**same | {"settings": Settings(**row.settings)})


# Reading.


def find_event(db: Connection, id: int) -> Event | None:
    row = db.execute(_EVENT.where(events.c.id == id)).first()
    return None if row is None else event_of(row)


def lock_event(db: Connection, id: int) -> Event | None:
    """Lock an event against other changes until the transaction ends; returns it."""
    advisory_lock(db, f"event {id}")
    return find_event(db, id)


def live_league(db: Connection, rules: str) -> Event | None:
    """The season of a game's league that is open or running."""
    row = db.execute(_LEAGUES.where(events.c.rules == rules, events.c.state.in_(LIVE)).limit(1)).first()
    return None if row is None else event_of(row)


def leagues_of_clubs(db: Connection, rules: str, clubs: Collection[int]) -> list[Event]:
    """The seasons of these clubs' leagues of a game, the newest first."""
    return _newest(db, _EVENT.where(events.c.kind == league.LEAGUE, *_of_clubs(rules, clubs)))


def _of_clubs(rules: str, clubs: Collection[int]) -> tuple[ColumnElement[bool], ...]:
    return events.c.rules == rules, events.c.club_id.in_(clubs)


def newest_league(db: Connection, rules: str) -> Event | None:
    """Return the newest begun season of a league, else the newest."""
    mine = _LEAGUES.where(events.c.rules == rules, events.c.state.not_in((league.NEW, league.VOID)))
    begun = case((events.c.state == league.OPEN, 1), else_=0)
    row = db.execute(mine.order_by(begun, events.c.id.desc()).limit(1)).first()
    return None if row is None else event_of(row)


def list_ladders(db: Connection) -> list[Event]:
    return [event_of(row) for row in db.execute(_LADDERS.order_by(events.c.rules))]


def find_ladder(db: Connection, rules: str) -> Event | None:
    row = db.execute(_LADDERS.where(events.c.rules == rules)).first()
    return None if row is None else event_of(row)


def live_events(db: Connection, kind: str, rules: Collection[str]) -> list[Event]:
    """Return open and running seasons or matches of these games, newest first."""
    mine = (events.c.kind == kind, events.c.rules.in_(rules), events.c.state.in_(LIVE))
    return _newest(db, _EVENT.where(*mine, events.c.club_id.is_(None)))


def list_events(
    db: Connection, most: int = 100, *, rules: Collection[str] = (), before: int | None = None
) -> list[Event]:
    """Return visible seasons of these games' leagues, or of all, newest first."""
    shown = _LEAGUES.where(events.c.rules.in_(rules)) if rules else _LEAGUES
    return _newest(db, shown if before is None else shown.where(events.c.id < before), most)


def list_matches(db: Connection, most: int = 100) -> list[Event]:
    """Matches open to all, the newest first, without those that were closed before they began."""
    return _newest(db, _EVENT.where(events.c.kind == match.MATCH, events.c.club_id.is_(None)), most)


def running_leagues(db: Connection, rules: Collection[str]) -> list[Event]:
    """The seasons of these games that run, the newest first."""
    return _newest(db, _LEAGUES.where(events.c.rules.in_(rules), events.c.state == league.RUNNING))


def matches_of_club(db: Connection, club: str, rules: Collection[str]) -> list[Event]:
    """Return a club's matches in these games, newest first. The name's case does not matter."""
    clubs = events.c.settings["clubs"]
    named = or_(*(func.lower(clubs[n].as_string()) == club.lower() for n in range(2)))
    return _newest(db, _EVENT.where(events.c.kind == match.MATCH, events.c.rules.in_(rules), named))


def event_ids(db: Connection) -> list[int]:
    return list(db.scalars(select(events.c.id).order_by(events.c.id)))


def _newest(db: Connection, query: Select[Any], most: int | None = None) -> list[Event]:
    shown = query.where(events.c.state.not_in((league.NEW, league.VOID)))
    return [event_of(row) for row in db.execute(shown.order_by(events.c.id.desc()).limit(most))]


def due_events(db: Connection, now: datetime) -> list[int]:
    return list(db.scalars(select(events.c.id).where(events.c.next_at <= now).order_by(events.c.next_at)))


def divisions_to_do(db: Connection, most: int = 100) -> list[tuple[int, int]]:
    """Events and divisions in which a game has ended, or must be."""
    found = select(event_games.c.event_id, event_games.c.division).where(TO_DO).distinct().limit(most)
    return [(row.event_id, row.division) for row in db.execute(found)]


def entrant_of(db: Connection, event: int, player: int) -> Entrant | None:
    found = [each for each in entrants_of_player(db, player) if each.event == event]
    return found[0] if found else None


def entrants_of_player(db: Connection, player: int) -> list[Entrant]:
    """The player's places in events that are open or running."""
    joined = event_players.join(events, events.c.id == event_players.c.event_id)
    query = select(*event_players.c).select_from(joined)
    mine = query.where(event_players.c.player_id == player, events.c.state.in_(LIVE))
    rows = db.execute(mine.order_by(events.c.id))  # so that all lock events in one order
    return [Entrant(*row) for row in rows]


def places_of_player(db: Connection, player: int) -> list[EventPlace]:
    """List a player's places in events that are open or run. The division is 0 before the start."""
    there = (league.ENTERED, league.ASKED, league.CONFIRMED, league.PLAYING)
    mine = (event_players.c.player_id == player, event_players.c.state.in_(there), events.c.state.in_(LIVE))
    query = select(events, event_players.c.division.label("seat")).where(*mine)
    query = query.join(event_players, event_players.c.event_id == events.c.id).order_by(events.c.id)
    return [EventPlace(event_of(row), row.seat or 0) for row in db.execute(query)]


def players_in(
    db: Connection, event: int, *states: str, division: int | None = None, most: int | None = None
) -> list[int]:
    """Return players in these states, of one division or all, in the order in which they joined."""
    mine = (event_players.c.event_id == event, event_players.c.state.in_(states))
    query = select(event_players.c.player_id).where(*mine)
    if division is not None:
        query = query.where(event_players.c.division == division)
    return list(db.scalars(query.order_by(event_players.c.n, event_players.c.player_id).limit(most)))


@dataclass(frozen=True)
class DivisionRows:
    """A division's players in starting order, withdrawn ones, and games."""

    number: int
    seats: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    games: list[EventGame] = field(default_factory=list)


def divisions_between(db: Connection, event: int, first: int, last: int) -> list[DivisionRows]:
    """The divisions from one to another, both included."""
    found = {number: DivisionRows(number) for number in range(first, last + 1)}
    rows = db.execute(_SEATS, {"event": event, "first": first, "last": last}).all()
    for row in rows:
        found[row.division].seats.append(row.player_id)
    for row in sorted(rows, key=lambda row: (row.n, row.player_id)):
        if row.state == league.LEFT:
            found[row.division].left.append(row.player_id)
    for game in starmap(
        EventGame, db.execute(_GAMES_BETWEEN, {"event": event, "first": first, "last": last})
    ):
        found[game.division].games.append(game)
    return list(found.values())


def division_players(db: Connection, event: int, division: int) -> list[int]:
    """Return a division's players in the order of its start. Withdrawn ones are included."""
    mine = (event_players.c.event_id == event, event_players.c.division == division)
    return list(db.scalars(select(event_players.c.player_id).where(*mine).order_by(event_players.c.place)))


def division_games(db: Connection, event: int, division: int) -> list[EventGame]:
    rows = db.execute(_GAMES_BETWEEN, {"event": event, "first": division, "last": division})
    return [EventGame(*row) for row in rows]


def games_of_pair(db: Connection, event: int, first: int, second: int) -> list[EventGame]:
    """Return two players' pairings in either order of seats, oldest first."""
    pair = (first, second)
    both = (event_games.c.first_id.in_(pair), event_games.c.second_id.in_(pair))
    rows = db.execute(DIVISION_GAMES.where(event_games.c.event_id == event, *both).order_by(event_games.c.n))
    return [EventGame(*row) for row in rows]


def places_of_games(db: Connection, numbers: Collection[int]) -> dict[int, EventPlace]:
    """Return the event places of these games, by game. Games outside events are left out."""
    return {
        row.game_id: EventPlace(event_of(row), row.division) for row in db.execute(_PLACES, {"ids": numbers})
    }


def count_games(db: Connection, event: int) -> int:
    """The games of an event that have begun."""
    mine = (event_games.c.event_id == event, event_games.c.game_id.is_not(None))
    return db.scalar(select(func.count()).where(*mine)) or 0


def shown_place(db: Connection, game: int) -> EventPlace | None:
    """The place of a game in an event that everybody may see."""
    return next((each for each in places_of_games(db, [game]).values() if each.is_shown), None)


def count_players(db: Connection, event: int, *states: str) -> int:
    """The number of players in one of these states."""
    mine = (event_players.c.event_id == event, event_players.c.state.in_(states))
    return db.scalar(select(func.count()).where(*mine)) or 0


def has_games_left(db: Connection, event: int) -> bool:
    left = select(event_games.c.n).where(event_games.c.event_id == event, event_games.c.score.is_(None))
    return db.execute(left.limit(1)).first() is not None


def final_tables(db: Connection, event: int) -> list[list[int]]:
    """The divisions of a season that is over, each best player first."""
    return next((list(e.data["tables"]) for e in journal_of(db, event) if e.kind == "over"), [])


def ends_of(db: Connection, ids: Sequence[int]) -> dict[int, datetime]:
    """Return when these events were over, by event."""
    query = select(event_journal.c.event_id, func.max(event_journal.c.at)).group_by(event_journal.c.event_id)
    over = query.where(event_journal.c.event_id.in_(ids), event_journal.c.kind == "over")
    return {row[0]: row[1] for row in db.execute(over)}


def is_closed(db: Connection, event: int) -> bool:
    """True if a director closed the league, so that no season follows."""
    closed = (event_journal.c.event_id == event, event_journal.c.kind == "close")
    return db.execute(select(event_journal.c.n).where(*closed).limit(1)).first() is not None


def games_in_state(db: Connection, event: int, division: int, *states: int) -> list[EventGame]:
    return [game for game in division_games(db, event, division) if game.state in states]


def pairing_state(db: Connection, game: int) -> int | None:
    """Return the state of a game's pairing, None without one."""
    return db.scalar(select(event_games.c.state).where(event_games.c.game_id == game))


def seats_of(db: Connection, game: int) -> tuple[int, int]:
    """The players of a game, by number."""
    row = db.execute(select(games.c.first_id, games.c.second_id).where(games.c.id == game)).one()
    return row.first_id, row.second_id


def losses_on_time(db: Connection, event: int, division: int) -> dict[int, int]:
    """Return each player's losses on time in a division. Void games that were hardly played count too."""
    joined = event_games.join(games, games.c.id == event_games.c.game_id)
    score = event_games.c.score
    loser = case((score.in_((SECOND, FORFEIT_LOSS)), games.c.first_id), else_=games.c.second_id)
    query = select(loser, func.count()).select_from(joined).group_by(loser)
    mine = (event_games.c.event_id == event, event_games.c.division == division, ~event_games.c.forced)
    late = and_(games.c.ended_by == "timeout", score.in_((FIRST, SECOND)))
    lost = or_(late, score.in_((FORFEIT_WIN, FORFEIT_LOSS)))
    return {row[0]: row[1] for row in db.execute(query.where(*mine, lost))}


def newest_entry(db: Connection, event: int, *kinds: str) -> EventEntry | None:
    """The newest entry of an event's journal of one of these kinds."""
    columns = (event_journal.c.n, event_journal.c.at, event_journal.c.kind, event_journal.c.data)
    mine = (event_journal.c.event_id == event, event_journal.c.kind.in_(kinds))
    row = db.execute(select(*columns).where(*mine).order_by(event_journal.c.n.desc()).limit(1)).first()
    return None if row is None else EventEntry(*row)


def journal_of(db: Connection, event: int, *kinds: str) -> list[EventEntry]:
    """The entries of an event's journal, of these kinds or of all."""
    columns = (event_journal.c.n, event_journal.c.at, event_journal.c.kind, event_journal.c.data)
    query = select(*columns).where(event_journal.c.event_id == event).order_by(event_journal.c.n)
    if kinds:
        query = query.where(event_journal.c.kind.in_(kinds))
    return [EventEntry(*row) for row in db.execute(query)]
