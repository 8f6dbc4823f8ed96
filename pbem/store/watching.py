"""What a watcher asks every minute: how many mails and letters are not done with.

Only the states named here are counted, each from an index, so that it costs the same in ten years.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, Table, func, select

from pbem.store.tables import messages_in, outbox

MAILS = ("new", "shunted")
LETTERS = ("queued", "failed")


def open_mails(db: Connection) -> dict[str, int]:
    """How many mails wait, and how many were put aside for the operator."""
    return _counted(db, messages_in, MAILS)


def open_letters(db: Connection) -> dict[str, int]:
    """How many letters wait to be sent, and how many the relay would not take."""
    return _counted(db, outbox, LETTERS)


def _counted(db: Connection, table: Table, states: Sequence[str]) -> dict[str, int]:
    query = select(table.c.state, func.count()).where(table.c.state.in_(states)).group_by(table.c.state)
    return dict.fromkeys(states, 0) | {row.state: row[1] for row in db.execute(query)}
