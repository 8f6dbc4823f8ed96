"""What the public pages read: lists of games by key, counts, and how fresh a game is.

Only looks. Lists go by game number, newest first, and continue after the last number shown, so a
page costs the same wherever it begins. A game itself is loaded whole, by `pbem.store.games`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, false, func, or_, select

from pbem.core.people import Player
from pbem.store import people
from pbem.store.games import Shelf
from pbem.store.tables import addresses, games, players
from rules.contract import Rules, Seat

STATES: Mapping[str, ColumnElement[bool]] = {
    "running": games.c.ended_at.is_(None),
    "finished": games.c.ended_at.is_not(None),
    "first": games.c.winner == 0,
    "second": games.c.winner == 1,
    "draw": games.c.ended_at.is_not(None) & games.c.winner.is_(None),
}
"""What `Wanted.state` may ask for: whether a game runs, and who won."""


@dataclass(frozen=True)
class Wanted:
    """Which games a list shows; empty fields leave the choice open.

    `player` is a player's number, or 0 for a name that nobody has (then no game is found).
    """

    rules: str = ""
    player: int | None = None
    state: str = ""


EVERY_GAME = Wanted()


@dataclass(frozen=True)
class Listed:
    """A game in a list: its row, without its journal."""

    id: int
    rules: Rules
    names: tuple[str, str]
    plies: int
    to_play: Seat | None
    started_at: datetime
    changed_at: datetime
    ended_at: datetime | None
    ended_by: str | None
    winner: Seat | None
    reason: str | None
    deadline: datetime | None = None

    @property
    def turn(self) -> str | None:
        """The name of whoever is to play, None once the game has ended."""
        return None if self.to_play is None else self.names[self.to_play]

    @property
    def won(self) -> str | None:
        """The winner's name, None while the game runs and where nobody won."""
        return None if self.winner is None else self.names[self.winner]


@dataclass(frozen=True)
class Leaf:
    """One page of a list; `older` and `newer` are the numbers to go on from, None at either end."""

    games: tuple[Listed, ...]
    older: int | None
    newer: int | None


@dataclass(frozen=True)
class Counts:
    """How many games match, and how many of them still run."""

    every: int
    running: int

    @property
    def finished(self) -> int:
        return self.every - self.running


@dataclass(frozen=True)
class Freshness:
    """What tells whether a page about a game is still the newest."""

    entries: int
    changed_at: datetime
    ended: bool
    unreachable: int = 0
    """How many addresses of its two players letters come back from: no entry of the journal says so."""
    deadline: datetime | None = None
    gone: int = 0
    """How many of its two players are forgotten: their names are others than before."""


def leaf(
    db: Connection,
    shelf: Shelf,
    wanted: Wanted,
    *,
    before: int | None = None,
    after: int | None = None,
    most: int = 20,
) -> Leaf:
    """The games wanted with numbers below `before`, or above `after`, or the newest; newest first."""
    query = select(games).where(*_conditions(shelf, wanted))
    if after is not None:
        query = query.where(games.c.id > after).order_by(games.c.id)
    else:
        query = query.order_by(games.c.id.desc())
        query = query if before is None else query.where(games.c.id < before)
    rows = db.execute(query.limit(most + 1)).all()
    more, rows = len(rows) > most, rows[:most]
    if after is not None:
        rows = rows[::-1]
    found = _listed(db, shelf, rows)
    if not found:
        return Leaf((), None, None)
    is_newest = before is None and after is None
    return Leaf(
        games=found,
        older=found[-1].id if more or after is not None else None,
        newer=None if is_newest or (after is not None and not more) else found[0].id,
    )


def running(db: Connection, shelf: Shelf, most: int) -> tuple[Listed, ...]:
    """The running games begun last."""
    query = select(games).where(*_conditions(shelf, Wanted(state="running")))
    return _listed(db, shelf, db.execute(query.order_by(games.c.id.desc()).limit(most)).all())


def results(db: Connection, shelf: Shelf, most: int) -> tuple[Listed, ...]:
    """The games that ended last, newest first."""
    query = select(games).where(*_conditions(shelf, Wanted(state="finished")))
    query = query.order_by(games.c.ended_at.desc(), games.c.id.desc())
    return _listed(db, shelf, db.execute(query.limit(most)).all())


def counts(db: Connection, shelf: Shelf, wanted: Wanted = EVERY_GAME) -> Counts:
    """How many games are wanted, whatever page of them is shown."""
    query = select(func.count(), func.count(games.c.ended_at)).where(*_conditions(shelf, wanted))
    every, ended = db.execute(query).one()
    return Counts(every, every - ended)


def freshness(db: Connection, id: int) -> Freshness | None:
    """How fresh game `id` is: one short row, for a page that need not be made again."""
    seated = addresses.c.player_id.in_((games.c.first_id, games.c.second_id))
    suspended = select(func.count()).where(seated, addresses.c.suspended_at.is_not(None)).scalar_subquery()
    seats = players.c.id.in_((games.c.first_id, games.c.second_id))
    gone = select(func.count()).where(seats, players.c.address == "").scalar_subquery()
    columns = (games.c.entries, games.c.changed_at, games.c.ended_at, games.c.deadline_at)
    query = select(*columns, suspended.label("unreachable"), gone.label("gone"))
    row = db.execute(query.where(games.c.id == id)).first()
    if row is None:
        return None
    ended = row.ended_at is not None
    return Freshness(
        row.entries, row.changed_at, ended, 0 if ended else row.unreachable, row.deadline_at, row.gone
    )


def last_change(db: Connection) -> datetime | None:
    """When anything happened in any game, None where there is none yet."""
    return db.execute(select(func.max(games.c.changed_at))).scalar_one()


def _conditions(shelf: Shelf, wanted: Wanted) -> list[ColumnElement[bool]]:
    """Games whose rules are not installed here any more are never listed."""
    known = [wanted.rules] if wanted.rules else list(shelf.rules)
    found: list[ColumnElement[bool]] = [
        games.c.rules.in_(known) if wanted.rules in ("", *shelf.rules) else false()
    ]
    if wanted.player is not None:
        found.append(or_(games.c.first_id == wanted.player, games.c.second_id == wanted.player))
    if wanted.state:
        found.append(STATES[wanted.state])
    return found


def _listed(db: Connection, shelf: Shelf, rows: Sequence[Row[Any]]) -> tuple[Listed, ...]:
    known = people.by_ids(db, {id for row in rows for id in (row.first_id, row.second_id)})
    return tuple(_one(shelf, row, known) for row in rows)


def _one(shelf: Shelf, row: Row[Any], known: Mapping[int, Player]) -> Listed:
    return Listed(
        id=row.id,
        rules=shelf[row.rules],
        names=(known[row.first_id].name, known[row.second_id].name),
        plies=row.plies,
        to_play=row.to_play,
        started_at=row.started_at,
        changed_at=row.changed_at,
        ended_at=row.ended_at,
        ended_by=row.ended_by,
        winner=row.winner,
        reason=row.reason,
        deadline=row.deadline_at,
    )
