"""Numbers for monitoring. Only the newest of finished mails are counted, so it stays quick for years."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, Table, func, select

from pbem.store.inbox import STATES
from pbem.store.outbox_delivery import PASSING
from pbem.store.tables import games, messages_in, outbox

MAILS = ("new", "shunted")
LETTERS = ("queued", "failed")
DEFERRED = "deferred"
REFUSED, GIVEN_UP = "refused", "given_up"
NEWEST = 1000
"""Mails in the count of dispositions."""


def count_open_mails(db: Connection) -> dict[str, int]:
    """Count the mails that wait, and those put aside for the operator."""
    return _count_states(db, messages_in, MAILS)


def count_open_letters(db: Connection) -> dict[str, int]:
    """Count the letters that wait, and those refused by the relay.

    Among the waiting ones `refused`: the relay accepts no letter of ours. Among the others `given_up`: the
    cause is not the recipient, so the operator must act.
    """
    names = {"queued": REFUSED, "failed": GIVEN_UP}
    there = (outbox.c.state.in_(names), outbox.c.trouble.not_in(PASSING), func.length(outbox.c.raw) > 0)
    query = select(outbox.c.state, func.count()).where(*there).group_by(outbox.c.state)
    troubled = dict.fromkeys(names.values(), 0) | {names[row.state]: row[1] for row in db.execute(query)}
    return _count_states(db, outbox, LETTERS) | troubled


def _count_states(db: Connection, table: Table, states: Sequence[str]) -> dict[str, int]:
    query = select(table.c.state, func.count()).where(table.c.state.in_(states)).group_by(table.c.state)
    return dict.fromkeys(states, 0) | {row.state: row[1] for row in db.execute(query)}


def count_outcomes(db: Connection, newest: int = NEWEST) -> dict[str, int]:
    since = highest_id(db, messages_in) - newest
    return {state: _newest(db, state, since) for state in STATES}


def _newest(db: Connection, state: str, since: int) -> int:
    """Count by the index of states: filed mails have no `next_at`."""
    wanted = [messages_in.c.state == state, messages_in.c.id > since]
    wanted += [] if state in MAILS else [messages_in.c.next_at.is_(None)]
    return db.execute(select(func.count()).where(*wanted)).scalar_one()


def highest_id(db: Connection, table: Table) -> int:
    """Return a table's highest id: about the number of its rows ever."""
    return db.execute(select(func.max(table.c.id))).scalar_one() or 0


def count_ever(db: Connection) -> dict[str, int]:
    """Count mails, letters and games ever, purged ones too."""
    tables = {"mails": messages_in, "letters": outbox, "games": games}
    return {name: highest_id(db, table) for name, table in tables.items()}


def count_deferred(db: Connection) -> int:
    """Count the letters that wait for another try."""
    query = select(func.count()).where(outbox.c.state == "queued", outbox.c.detail != "")
    return db.execute(query).scalar_one()


def oldest_due_game(db: Connection, now: datetime) -> datetime | None:
    """Return the time since which the most overdue game has waited."""
    return db.execute(select(func.min(games.c.next_event_at)).where(games.c.next_event_at <= now)).scalar()


def count_due_games(db: Connection, now: datetime) -> int:
    return db.execute(select(func.count()).where(games.c.next_event_at <= now)).scalar_one()
