"""Ladders: the players in order, made from journal and results."""

from collections.abc import Iterator
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, select

from pbem.core.events import ladder, league
from pbem.core.events.event import Data
from pbem.core.events.ladder import Change, LadderResult, Pairing
from pbem.core.events.table import HALVES
from pbem.store import events
from pbem.store.tables import games
from pbem.store.tables.events import event_games, event_journal

_KINDS = {"join": ladder.ENTERED, "leave": ladder.LEFT, "sink": ladder.SANK}
_PAIRING = select(
    event_games.c.n,
    event_games.c.second_id.label("lower"),
    event_games.c.first_id.label("upper"),
    event_journal.c.at,
    event_games.c.game_id.label("game"),
).join_from(
    event_games,
    event_journal,
    and_(event_journal.c.event_id == event_games.c.event_id, event_journal.c.n == event_games.c.n),
)


def order_of(db: Connection, event: int, without: int | None = None) -> list[int]:
    """Return a ladder's players from the top. The game `without` does not count."""
    changes = list(_entered_and_sunk(db, event))
    for result in results_of(db, event):
        changes += result.changes if without is None or result.game != without else []
    return ladder.order_after(changes)


def _entered_and_sunk(db: Connection, event: int) -> Iterator[Change[int]]:
    for entry in events.journal_of(db, event, *_KINDS):
        ids = entry.data["players"] if "players" in entry.data else [entry.data["player"]]
        yield Change(entry.at, entry.n, _KINDS[entry.kind], tuple(ids))


def results_of(db: Connection, event: int) -> list[LadderResult[int]]:
    """Return the results in order of time. A game counts at its end, others when written."""
    decided = {entry.data["n"]: entry for entry in events.journal_of(db, event, "award")}
    query = select(event_games, games.c.ended_at).outerjoin(games, games.c.id == event_games.c.game_id)
    rows = db.execute(query.where(event_games.c.event_id == event, event_games.c.score.in_(HALVES)))
    found = []
    for row in rows:
        by = decided[row.n] if row.forced else None
        at, n = (row.ended_at, row.n) if by is None else (by.at, by.n)
        found.append(LadderResult(at, n, row.first_id, row.second_id, row.score, row.game_id))
    return sorted(found, key=lambda each: (each.at, each.n))


def pairings_of(db: Connection, event: int) -> list[Pairing[int]]:
    """The challenges that stand, those with a game among them, by number."""
    return _pairings(db, event, event_games.c.score.is_(None))


def waiting_pairings(db: Connection, event: int) -> list[Pairing[int]]:
    """The challenges that wait for an answer, the oldest first."""
    return _pairings(db, event, event_games.c.state == league.WAITING)


def _pairings(db: Connection, event: int, *which: ColumnElement[bool]) -> list[Pairing[int]]:
    rows = db.execute(_PAIRING.where(event_games.c.event_id == event, *which).order_by(event_games.c.n)).all()
    later = {entry.data["n"]: entry.data["until"] for entry in events.journal_of(db, event, "delay")}
    untils = {n: datetime.fromisoformat(until) for n, until in later.items()}
    return [
        Pairing(row.n, row.lower, row.upper, row.at, untils.get(row.n, row.at + ladder.ANSWER_TIME), row.game)
        for row in rows
    ]


def count_unplayed(db: Connection, lower: int, upper: int, since: datetime) -> int:
    """Count challenges to another player on all ladders that led to no game."""
    mine = (event_games.c.second_id == lower, event_games.c.first_id == upper)
    unplayed = _PAIRING.where(*mine, event_games.c.game_id.is_(None), event_journal.c.at > since)
    of_ladders = unplayed.where(event_journal.c.kind == "challenge")
    return len(db.execute(of_ladders).all())


def last_left(db: Connection, event: int, player: int) -> datetime | None:
    """Return when a player last left a ladder, or None."""
    left = (entry.at for entry in events.journal_of(db, event, "leave") if entry.data["player"] == player)
    return max(left, default=None)


def active_players(db: Connection, event: int, since: datetime) -> set[int]:
    """Return players who played or challenged since, or still do."""
    recent = (event_journal.c.event_id == event, event_journal.c.at >= since)
    found = set[int]()
    for row in db.execute(select(event_journal.c.kind, event_journal.c.data).where(*recent)):
        found |= _acting(row.kind, row.data)
    joined = select(event_games.c.first_id, event_games.c.second_id).join(games)
    lately = (games.c.ended_at.is_(None)) | (games.c.ended_at >= since)
    for row in db.execute(joined.where(event_games.c.event_id == event, lately)):
        found |= {row.first_id, row.second_id}
    return found


def _acting(kind: str, data: Data) -> set[int]:
    """Return the players who acted by this entry; a lack of an answer is no act."""
    if kind == "begin":
        return {id for first, second, _ in data["games"] for id in (first, second)}
    if kind == "award" and data.get("why") == "no":
        return {data["first"]}
    ids = [*data.get("players", []), data.get("player")] if kind in ("join", "challenge") else []
    return {id for id in ids if id is not None}
