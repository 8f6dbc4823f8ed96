"""Journals of events, and the rows made from them and from games.

Each kind of entry has one function that changes rows. `rebuild` calls the same ones for the whole journal.
The scores of games come from the games themselves.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Update, bindparam, case, delete, insert, literal, select, update

from pbem.core.events import ladder, league, match
from pbem.core.events.league import Settings
from pbem.core.events.schedule import pairings
from pbem.core.events.table import DRAW, FIRST, FORFEIT_LOSS, FORFEIT_WIN, SECOND
from pbem.core.game.game import Game as StoredGame
from pbem.core.game.journal import TIMEOUT
from pbem.core.game.state import State
from pbem.store import ladders
from pbem.store.event_tables import event_games, event_journal, event_players, events
from pbem.store.events import Data, Entry, find_event, journal_of
from pbem.store.tables import games, journal

_NOT_COUNTED = {"score": league.NO_RESULT, "forced": True, "state": league.SETTLED}


def record_score(db: Connection, game: StoredGame, state: State) -> None:
    """Store the score of an event's game that ended or was reopened."""
    if db.execute(select(event_games.c.n).where(event_games.c.game_id == game.id)).first() is None:
        return
    ending, last = state.ending, game.journal[-1]
    late = last.seat if last.kind == TIMEOUT else None
    _set_score(db, game.id, None if ending is None else _score(ending.how, ending.winner, late))


def _set_score(db: Connection, game: int, score: str | None) -> None:
    mine = update(event_games).where(event_games.c.game_id == game)
    known = case((event_games.c.forced, event_games.c.score), else_=score)
    db.execute(mine.values(score=known, state=league.GOING if score is None else league.ENDED))


def settle(db: Connection, event: int, division: int) -> None:
    """Mark the ended games of a division as handled."""
    here = (event_games.c.event_id == event, event_games.c.division == division)
    ended = update(event_games).where(*here, event_games.c.state == league.ENDED)
    db.execute(ended.values(state=league.SETTLED))


def add_event(
    db: Connection, rules: str, season: int, settings: Settings, now: datetime, previous: int | None = None
) -> int:
    """Create a season of a league; returns its number."""
    return _add(db, league.LEAGUE, rules, season, settings, now, previous)


def add_ladder(db: Connection, rules: str, now: datetime) -> int:
    """Create the ladder of a game; returns its number."""
    id = _add(db, ladder.LADDER, rules, 0, Settings(), now)
    append(db, id, "ladder", now)
    return id


def add_match(db: Connection, rules: str, settings: Settings, starts: datetime, now: datetime) -> int:
    """Create a match, open to join; returns its number."""
    id = _add(db, match.MATCH, rules, 0, settings, now)
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
) -> int:
    """Create an event with its journal's first entry; returns its number."""
    first: dict[str, Any] = {
        "kind": kind,
        "rules": rules,
        "season": season,
        "settings": settings.data,
        "previous_id": previous,
    }
    blank = {"state": league.NEW, "asked": False, "divisions": 0, "begun": 0, "entries": 1}
    id: int = db.execute(insert(events).values(**first, **blank).returning(events.c.id)).scalar_one()
    db.execute(insert(event_journal).values(event_id=id, n=1, at=now, kind="new", data=first))
    return id


def append(db: Connection, event: int, kind: str, now: datetime, **data: Any) -> int:
    """Write a journal entry and change the rows; returns the entry's number.

    A moment `next` is the next to wake; a ladder's follows from its rows.
    """
    data = {name: _plain(value) for name, value in data.items()}
    mine = update(events).where(events.c.id == event).values(entries=events.c.entries + 1)
    row = db.execute(mine.returning(events.c.entries, events.c.kind)).one()
    db.execute(insert(event_journal).values(event_id=event, n=row.entries, at=now, kind=kind, data=data))
    _apply(db, event, Entry(row.entries, now, kind, data))
    if row.kind == ladder.LADDER:
        _set_next(db, event)
    return int(row.entries)


def _set_next(db: Connection, event: int) -> None:
    """Set when a ladder wakes. A challenge lapses then, or idle players are looked for."""
    looked = max(entry.at for entry in journal_of(db, event, "ladder", "sink"))
    untils = [each.until for each in ladders.waiting_pairings(db, event)]
    _set(db, event, next_at=ladder.next_moment(untils, looked))


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _moment(data: Data, name: str) -> datetime | None:
    return datetime.fromisoformat(data[name]) if data.get(name) else None


def _apply(db: Connection, event: int, entry: Entry) -> None:
    if entry.kind in _ROWS:
        _ROWS[entry.kind](db, event, entry)
    if "begun" in entry.data:
        _set(db, event, begun=entry.data["begun"])
    if "next" in entry.data:
        _set(db, event, next_at=_moment(entry.data, "next"))


def _set(db: Connection, event: int, **values: Any) -> None:
    db.execute(update(events).where(events.c.id == event).values(**values))


def _set_player(db: Connection, event: int, player: int, **values: Any) -> None:
    mine = (event_players.c.event_id == event, event_players.c.player_id == player)
    db.execute(update(event_players).where(*mine).values(**values))


def _open(db: Connection, event: int, entry: Entry) -> None:
    """Open the sign-up, or delay the start. A delay asks everybody again."""
    _set(db, event, state=league.OPEN, starts_at=_moment(entry.data, "starts"), asked=False)
    before = event_players.c.state.in_((league.ASKED, league.CONFIRMED))
    mine = update(event_players).where(event_players.c.event_id == event, before)
    db.execute(mine.values(state=league.ENTERED))


def _join(db: Connection, event: int, entry: Entry) -> None:
    same = {"event_id": event, "n": entry.n, "state": entry.data["state"], "place": entry.data.get("club")}
    rows = [{**same, "player_id": player} for player in entry.data["players"]]
    for row in rows:
        _leave(db, event, Entry(entry.n, entry.at, "leave", {"player": row["player_id"]}))
    if rows:
        db.execute(insert(event_players), rows)


def _leave(db: Connection, event: int, entry: Entry) -> None:
    """Take out a player who plays in no division. Their named ladder challenges then count for nobody."""
    mine = (event_players.c.event_id == event, event_players.c.player_id == entry.data["player"])
    db.execute(delete(event_players).where(*mine, event_players.c.division.is_(None)))
    for n in entry.data.get("off", ()):
        _discount(db, event, n)


def _discount(db: Connection, event: int, n: int) -> None:
    mine = update(event_games).where(event_games.c.event_id == event, event_games.c.n == n)
    db.execute(mine.values(**_NOT_COUNTED))


def _ladder(db: Connection, event: int, entry: Entry) -> None:
    _set(db, event, state=league.RUNNING, starts_at=entry.at, divisions=1)


def _challenge(db: Connection, event: int, entry: Entry) -> None:
    """Pair a player with one above. The challenged player has the first seat."""
    pair = {"first_id": entry.data["upper"], "second_id": entry.data["player"]}
    blank = {"division": 1, "score": None, "forced": False, "state": league.WAITING}
    db.execute(insert(event_games).values(event_id=event, n=entry.n, **pair, **blank))


def _cancel(db: Connection, event: int, entry: Entry) -> None:
    _discount(db, event, entry.data["n"])


def _confirm(db: Connection, event: int, entry: Entry) -> None:
    _set_player(db, event, entry.data["player"], state=league.CONFIRMED)


def _ask(db: Connection, event: int, entry: Entry) -> None:
    """Mark players as asked; without any, all have been."""
    ids = entry.data["players"]
    mine = (event_players.c.event_id == event, event_players.c.player_id.in_(ids))
    db.execute(update(event_players).where(*mine).values(state=league.ASKED))
    if not ids:
        _set(db, event, asked=True)


def _divide(db: Connection, event: int, entry: Entry) -> None:
    """Seat the players and write all pairings. Players who have not confirmed are absent."""
    divisions: Sequence[Sequence[int]] = entry.data["divisions"]
    _set(db, event, state=league.STARTING, divisions=len(divisions), ends_at=_moment(entry.data, "ends"))
    silent = event_players.c.state.in_((league.ENTERED, league.ASKED))
    others = update(event_players).where(event_players.c.event_id == event, silent)
    db.execute(others.values(state=league.ABSENT))
    mine = (event_players.c.event_id == event, event_players.c.state == league.CONFIRMED)
    came = {row.player_id: row.n for row in db.execute(select(event_players).where(*mine))}
    db.execute(delete(event_players).where(*mine))
    rows = [
        {"event_id": event, "player_id": player, "n": came[player], "division": n, "place": place}
        for n, each in enumerate(divisions, 1)
        for place, player in enumerate(each, 1)
    ]
    db.execute(insert(event_players), [{**row, "state": league.PLAYING} for row in rows])
    blank = {"event_id": event, "game_id": None, "score": None, "forced": False, "state": league.WAITING}
    games_of = [
        {**blank, "first_id": first, "second_id": second, "division": division, "n": n}
        for division, each in enumerate(divisions, 1)
        for n, (first, second) in enumerate(pairings(each), 1)
    ]
    db.execute(insert(event_games), games_of)


def _boards(db: Connection, event: int, entry: Entry) -> None:
    """Seat the players of a match, two games a board. Players not named have no board."""
    boards: Sequence[Sequence[int]] = entry.data["boards"]
    _set(db, event, state=league.STARTING, divisions=len(boards))
    everybody = update(event_players).where(event_players.c.event_id == event)
    db.execute(everybody.values(state=league.ABSENT))
    blank = {"event_id": event, "game_id": None, "score": None, "forced": False, "state": league.WAITING}
    for board, (first, second) in enumerate(boards, 1):
        for player in (first, second):
            _set_player(db, event, player, state=league.PLAYING, division=board)
        for n, pair in enumerate(((first, second), (second, first)), 1):
            seats = {"first_id": pair[0], "second_id": pair[1]}
            db.execute(insert(event_games).values(**blank, **seats, division=board, n=n))


_BEGUN = (
    update(event_games)
    .where(event_games.c.event_id == bindparam("event"), event_games.c.state == league.WAITING)
    .where(event_games.c.first_id == bindparam("first"), event_games.c.second_id == bindparam("second"))
    .values(game_id=bindparam("game"), state=league.GOING)
)


def _begin(db: Connection, event: int, entry: Entry) -> None:
    """Record the games that have begun. The season runs once all divisions have their letters."""
    names = ("first", "second", "game")
    begun = [{"event": event, **dict(zip(names, each, strict=True))} for each in entry.data["games"]]
    if begun:
        db.execute(_BEGUN, begun)
    if "begun" in entry.data:
        told = 2 * events.c.divisions == entry.data["begun"]
        whole = case((told, league.RUNNING), else_=events.c.state)
        _set(db, event, state=whole)


def _withdraw(db: Connection, event: int, entry: Entry) -> None:
    """Score a player's named games as forfeits. Games that run must then be ended."""
    player = entry.data["player"]
    _set_player(db, event, player, state=league.LEFT)
    state = case((event_games.c.game_id.is_(None), league.ENDED), else_=league.TO_VOID)
    for first, second in entry.data["games"]:
        score = FORFEIT_LOSS if first == player else FORFEIT_WIN
        db.execute(_pairing(event, first, second).values(score=score, forced=True, state=state))


def _fill(db: Connection, event: int, entry: Entry) -> None:
    """Give a player's place, results and games to a standby player."""
    old, new = entry.data["player"], entry.data["by"]
    mine = (event_players.c.event_id == event, event_players.c.player_id == old)
    seat = db.execute(select(event_players.c.division, event_players.c.place).where(*mine)).one()
    _set_player(db, event, old, state=league.LEFT, division=None, place=None)
    _set_player(db, event, new, state=league.PLAYING, division=seat.division, place=seat.place)
    state = case((event_games.c.state == league.GOING, league.TO_REPLACE), else_=event_games.c.state)
    for column in (event_games.c.first_id, event_games.c.second_id):
        seated = update(event_games).where(event_games.c.event_id == event, column == old)
        db.execute(seated.values({column: new, event_games.c.state: state}))


def _replaced(db: Connection, event: int, entry: Entry) -> None:
    """Let a game go on that was given to a standby player."""
    mine = update(event_games).where(event_games.c.game_id == entry.data["game"])
    db.execute(mine.where(event_games.c.state == league.TO_REPLACE).values(state=league.GOING))


def _reinstate(db: Connection, event: int, entry: Entry) -> None:
    """Let a withdrawn player play on. `anew` are pairings still without a game."""
    _set_player(db, event, entry.data["player"], state=league.PLAYING)
    for pair in entry.data["anew"]:
        db.execute(_pairing(event, *pair).values(**_BLANK, game_id=None, state=league.WAITING))
    for pair in entry.data["going"]:
        db.execute(_pairing(event, *pair).values(**_BLANK, state=league.GOING))


def _unaward(db: Connection, event: int, entry: Entry) -> None:
    """Undo a director's award. The game decides again, or is still to begin."""
    data = entry.data
    mine = _pairing(event, data["first"], data["second"]).where(event_games.c.n == data["n"])
    state = case((event_games.c.game_id.is_(None), league.WAITING), else_=league.GOING)
    number = db.execute(mine.values(**_BLANK, state=state).returning(event_games.c.game_id)).scalar_one()
    for game, score in _ended_games(db, event, number) if number else ():
        _set_score(db, game, score)


_BLANK = {"score": None, "forced": False}


def _pairing(event: int, first: int, second: int) -> Update:
    here = (event_games.c.first_id == first, event_games.c.second_id == second)
    return update(event_games).where(event_games.c.event_id == event, *here)


def _award(db: Connection, event: int, entry: Entry) -> None:
    data = entry.data
    mine = _pairing(event, data["first"], data["second"])
    if "n" in data:
        mine = mine.where(event_games.c.n == data["n"])
    db.execute(mine.values(score=data["score"], forced=True, state=league.ENDED))


def _over(db: Connection, event: int, entry: Entry) -> None:
    """End a season; the named games, which go on, count for nobody."""
    _set(db, event, state=league.OVER)
    for first, second in entry.data["games"]:
        db.execute(_pairing(event, first, second).values(**_NOT_COUNTED))


def _close(db: Connection, event: int, entry: Entry) -> None:
    """End a running season at this moment. One that has not begun becomes void."""
    runs = events.c.state == league.RUNNING
    ends = case((runs, literal(entry.at, events.c.ends_at.type)), else_=events.c.ends_at)
    _set(db, event, state=case((runs, league.RUNNING), else_=league.VOID), ends_at=ends)


_ROWS: Mapping[str, Callable[[Connection, int, Entry], None]] = {
    "open": _open,
    "ladder": _ladder,
    "challenge": _challenge,
    "cancel": _cancel,
    "join": _join,
    "leave": _leave,
    "ask": _ask,
    "confirm": _confirm,
    "divide": _divide,
    "boards": _boards,
    "begin": _begin,
    "withdraw": _withdraw,
    "fill": _fill,
    "replaced": _replaced,
    "award": _award,
    "unaward": _unaward,
    "reinstate": _reinstate,
    "over": _over,
    "close": _close,
}
"""The change of rows by each kind of entry; other kinds change none."""


def rebuild(db: Connection, event: int) -> None:
    """Rebuild all rows of an event from its journal and games."""
    for table in (event_players, event_games):
        db.execute(delete(table).where(table.c.event_id == event))
    first, *others = journal_of(db, event)
    blank = {"starts_at": None, "ends_at": None, "next_at": None, "asked": False, "divisions": 0, "begun": 0}
    _set(db, event, **first.data, **blank, state=league.NEW)
    for entry in others:
        _apply(db, event, entry)
    for game, score in _ended_games(db, event):
        _set_score(db, game, score)
    found = find_event(db, event)
    for division in range(1, (found.divisions if found else 0) + 1):
        settle(db, event, division)
    if first.data["kind"] == ladder.LADDER:
        _set_next(db, event)


def _ended_games(db: Connection, event: int, game: int | None = None) -> list[tuple[int, str]]:
    """Return an event's ended games with scores; with `game` this one alone."""
    joined = event_games.join(games, games.c.id == event_games.c.game_id)
    over = (event_games.c.event_id == event, games.c.ended_at.is_not(None))
    query = select(games.c.id, games.c.ended_by, games.c.winner).select_from(joined).where(*over)
    rows = db.execute(query if game is None else query.where(games.c.id == game))
    return [(row.id, _score(row.ended_by, row.winner, _late_seat(db, row.id))) for row in rows]


def _late_seat(db: Connection, game: int) -> int | None:
    """The seat whose time ran out, where that ended a game."""
    query = select(journal.c.kind, journal.c.seat).where(journal.c.game_id == game)
    last = db.execute(query.order_by(journal.c.n.desc()).limit(1)).one()
    return last.seat if last.kind == TIMEOUT else None


def _score(how: str, winner: int | None, late: int | None) -> str:
    """The score of a game. One that is void because `late` hardly played is a forfeit."""
    if how == "void" and late is not None:
        return FORFEIT_WIN if late else FORFEIT_LOSS
    if how == "void":
        return league.NO_RESULT
    return DRAW if winner is None else (FIRST, SECOND)[winner]


def compared_rows(db: Connection, event: int) -> tuple[list[tuple[Any, ...]], ...]:
    """Return all rows of an event, for comparison with rebuilt ones."""
    return tuple(
        [tuple(row) for row in db.execute(select(table).where(column == event).order_by(*table.primary_key))]
        for table, column in (
            (events, events.c.id),
            (event_players, event_players.c.event_id),
            (event_games, event_games.c.event_id),
        )
    )


def wrong_rows(db: Connection, event: int) -> list[str]:
    """Rebuild an event's rows; returns the tables whose rows were wrong."""
    before = compared_rows(db, event)
    rebuild(db, event)
    after = compared_rows(db, event)
    names = (events.name, event_players.name, event_games.name)
    return [
        name for name, old, new in zip(names, before, after, strict=True) if _settled(old) != _settled(new)
    ]


def _settled(rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return rows with all ended games counted as handled."""
    return [(*row[:-1], league.SETTLED if row[-1] == league.ENDED else row[-1]) for row in rows]
