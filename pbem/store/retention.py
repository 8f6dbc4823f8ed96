"""Deletes old data: first bytes of mails and letters, later their rows.

Nothing that waits is deleted, and nothing of an open game, whose players may still disagree about a mail.
Players, games, journals, notes and vacations are kept at any age. The work is done in slices, each in a
transaction of its own, so that nobody waits for it.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Table,
    and_,
    delete,
    exists,
    func,
    or_,
    select,
    tuple_,
    update,
)

from pbem.store.bounces import DROPPED, HELD
from pbem.store.engine import Store
from pbem.store.tables import (
    AGREED,
    attempts,
    bounces,
    bundles,
    challenges,
    confirmations,
    games,
    live,
    messages_in,
    nonces,
    outbox,
    reminders,
    sessions,
    signins,
)
from pbem.store.tables.bots import bot_jobs

NO_BYTES = b""
HANDLED_STATES = ("done", "refused", "robot", "bounce", "loop", "stranger", "duplicate")
"""A mail put aside (`shunted`) stays until the operator has handled it."""
OF_CLUBS = attempts.c.what.startswith("club ")
"""Counts of what a club did in a week, which hold nobody's address."""
SEEN = (live.c.first_seen, live.c.second_seen)
FINAL_STATES = ("sent", "failed", DROPPED)


@dataclass(frozen=True)
class AgeLimits:
    """Limits of age: anything before these times is too old."""

    mails: datetime
    letters: datetime
    traces: datetime
    nonces: datetime
    farewells: datetime
    """The limit for records of farewell letters, and for the web's data about visitors."""


def _is_open_game(since: datetime) -> ColumnElement[bool]:
    """True if a game's clock runs, or if it changed since."""
    clock_runs = and_(games.c.ended_at.is_(None), games.c.next_event_at.is_not(None))
    return or_(clock_runs, games.c.changed_at >= since)


def _is_still_needed(since: datetime) -> ColumnElement[bool]:
    """True if a mail's sender has an open game begun before the mail, which may name that game."""
    his = (games.c.first_id == messages_in.c.player_id, games.c.second_id == messages_in.c.player_id)
    had_begun = games.c.started_at <= messages_in.c.received_at
    return or_(*(exists().where(mine, had_begun, _is_open_game(since)) for mine in his))


def _mails(ages: AgeLimits) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Return the conditions for mails to empty and for mails to delete."""
    handled = messages_in.c.state.in_(HANDLED_STATES)
    done = func.coalesce(messages_in.c.filed_at, messages_in.c.received_at, type_=messages_in.c.filed_at.type)
    stays = _is_still_needed(ages.mails)
    emptied = and_(handled, done < ages.mails, func.length(messages_in.c.raw) > 0, ~stays)
    return emptied, and_(handled, done < ages.traces, ~stays)


def _letters(ages: AgeLimits) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Return the conditions for letters to empty and for letters to delete.

    The newest letter to a player about an open game keeps its bytes, as it may bounce and be sent again.
    """
    later = outbox.alias()
    is_newest = ~exists().where(
        later.c.game_id == outbox.c.game_id, later.c.player_id == outbox.c.player_id, later.c.id > outbox.c.id
    )
    open_game = exists().where(games.c.id == outbox.c.game_id, _is_open_game(ages.letters))
    old = and_(
        outbox.c.state.in_(FINAL_STATES), outbox.c.created_at < ages.letters, func.length(outbox.c.raw) > 0
    )
    forgotten = and_(outbox.c.state.in_((*FINAL_STATES, HELD)), outbox.c.created_at < ages.traces, ~open_game)
    return and_(old, ~and_(open_game, is_newest)), forgotten


_SLICED_TABLES: tuple[tuple[str, Table, Column[Any], Callable[[AgeLimits], Any]], ...] = (
    ("mails", messages_in, messages_in.c.received_at, _mails),
    ("letters", outbox, outbox.c.created_at, _letters),
)


def purge_in_slices(
    store: Store, ages: AgeLimits, most: int, until: Callable[[], bool] = lambda: False
) -> Iterator[Counter[str]]:
    """Purge mails and letters, oldest first, `most` rows at a time.

    Yields the numbers of emptied `mails` and `letters`, and of deleted `rows`. The search takes no lock. Only
    found rows are written, in a transaction of their own.
    """
    for what, table, came, judge in _SLICED_TABLES:
        youngest, last = max(ages.mails, ages.letters, ages.traces), 0
        empty, forget = judge(ages)
        while not until():
            with store.read() as db:
                found = select(table.c.id, came.label("came")).where(table.c.id > last)
                rows = found.order_by(table.c.id).limit(most).subquery()
                ends = select(func.max(rows.c.id), func.min(rows.c.came, type_=came.type))
                top, oldest = db.execute(ends).one()
                if top is None or oldest >= youngest:
                    break
                here = and_(table.c.id > last, table.c.id <= top)
                emptied = _numbers(db, table, and_(here, empty))
                gone = _numbers(db, table, and_(here, forget))
            last = top
            if emptied or gone:
                with store.write() as db:  # the rows found, where they are still too old
                    wheres = and_(table.c.id.in_(emptied), empty), and_(table.c.id.in_(gone), forget)
                    changed, deleted = _purge(db, table, *wheres)
                yield Counter({what: changed, "rows": deleted})


def _purge(
    db: Connection, table: Table, empty: ColumnElement[bool], forget: ColumnElement[bool]
) -> tuple[int, int]:
    """Empty some rows and delete others; returns the numbers of both."""
    changed = db.execute(update(table).where(empty).values(raw=NO_BYTES)).rowcount
    over = _numbers(db, table, forget)
    if table is outbox:
        db.execute(delete(bounces).where(bounces.c.outbox_id.in_(over)))
    return changed, db.execute(delete(table).where(table.c.id.in_(over))).rowcount


def _numbers(db: Connection, table: Table, where: ColumnElement[bool]) -> list[int]:
    return list(db.scalars(select(table.c.id).where(where)))


def old_row_conditions(ages: AgeLimits) -> list[tuple[Table, ColumnElement[bool]]]:
    """Return conditions for other old rows, by table: nobody can use those."""
    farewell = and_(
        outbox.c.kind == "forgotten",
        outbox.c.state.in_((*FINAL_STATES, HELD)),
        outbox.c.created_at < ages.farewells,
    )
    ended = select(games.c.id).where(games.c.ended_at < ages.traces)
    return [
        (nonces, nonces.c.seen_at < ages.nonces),
        (signins, signins.c.asked_at < ages.farewells),
        (sessions, sessions.c.expires_at < ages.farewells),
        (attempts, and_(attempts.c.since < ages.farewells, ~OF_CLUBS)),
        (attempts, attempts.c.since < ages.traces),
        (bounces, bounces.c.outbox_id.in_(select(outbox.c.id).where(farewell))),
        (outbox, farewell),
        (
            confirmations,
            and_(*(confirmations.c[name] < ages.traces for name in ("created_at", "expires_at"))),
        ),
        (bundles, bundles.c.created_at < ages.traces),
        (bot_jobs, and_(bot_jobs.c.kind.in_(("hint", "moments")), bot_jobs.c.leased_until < ages.traces)),
        (reminders, reminders.c.game_id.in_(ended)),
        (live, and_(~AGREED, *(or_(at.is_(None), at < ages.farewells) for at in SEEN))),
        (challenges, and_(challenges.c.expires_at < ages.traces, challenges.c.game_id.is_(None))),
    ]


def delete_old_rows(store: Store, table: Table, old: ColumnElement[bool], most: int) -> int:
    """Delete up to `most` old rows of a table; returns their number. The search takes no lock."""
    keys = list(table.primary_key.columns)
    with store.read() as db:
        found = [tuple(row) for row in db.execute(select(*keys).where(old).limit(most))]
    if not found:
        return 0
    with store.write() as db:
        return db.execute(delete(table).where(tuple_(*keys).in_(found), old)).rowcount
