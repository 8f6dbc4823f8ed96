"""What a watcher asks every minute: how many mails and letters are not done with, and what becomes of mails.

Of what is done with only the newest is counted, all of it from indices, so it costs the same in ten years.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, Table, func, select

from pbem.store.post import STATES
from pbem.store.tables import games, messages_in, outbox

MAILS = ("new", "shunted")
LETTERS = ("queued", "failed")
REFUSED, GIVEN_UP = "refused", "given_up"
NEWEST = 1000
"""Of how many mails outcomes are told."""


def open_mails(db: Connection) -> dict[str, int]:
    """How many mails wait, and how many were put aside for the operator."""
    return _counted(db, messages_in, MAILS)


def open_letters(db: Connection) -> dict[str, int]:
    """How many letters wait to be sent, and how many the relay would not take.

    Among those that wait `refused`: the relay takes none of ours; among the others `given_up`: not for its
    recipient's sake, so that somebody has to see to it.
    """
    return _counted(db, outbox, LETTERS) | _in_trouble(db)


def _in_trouble(db: Connection) -> dict[str, int]:
    names = {"queued": REFUSED, "failed": GIVEN_UP}
    there = (outbox.c.state.in_(names), outbox.c.trouble != "", func.length(outbox.c.raw) > 0)
    query = select(outbox.c.state, func.count()).where(*there).group_by(outbox.c.state)
    return dict.fromkeys(names.values(), 0) | {names[row.state]: row[1] for row in db.execute(query)}


def _counted(db: Connection, table: Table, states: Sequence[str]) -> dict[str, int]:
    query = select(table.c.state, func.count()).where(table.c.state.in_(states)).group_by(table.c.state)
    return dict.fromkeys(states, 0) | {row.state: row[1] for row in db.execute(query)}


def outcomes(db: Connection, newest: int = NEWEST) -> dict[str, int]:
    """What became of the newest mails, by state."""
    since = highest(db, messages_in) - newest
    return {state: _newest(db, state, since) for state in STATES}


def _newest(db: Connection, state: str, since: int) -> int:
    """Along the index of states: what is filed has no `next_at`."""
    wanted = [messages_in.c.state == state, messages_in.c.id > since]
    wanted += [] if state in MAILS else [messages_in.c.next_at.is_(None)]
    return db.execute(select(func.count()).where(*wanted)).scalar_one()


def highest(db: Connection, table: Table) -> int:
    """The highest number given so far: how many there ever were, about."""
    return db.execute(select(func.max(table.c.id))).scalar_one() or 0


def ever(db: Connection) -> dict[str, int]:
    """How many mails came, letters were written and games begun, those that are purged too."""
    tables = {"mails": messages_in, "letters": outbox, "games": games}
    return {name: highest(db, table) for name, table in tables.items()}


def due_games(db: Connection, now: datetime) -> int:
    """How many games wait for the clock: something in them is due."""
    return db.execute(select(func.count()).where(games.c.next_event_at <= now)).scalar_one()
