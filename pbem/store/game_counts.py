"""Game counts by kind and outcome, without counting the games.

The transaction that begins or ends a game adds a row of plus or minus one; the sum of the rows is the count.
No row is changed by others, so nobody waits. From time to time the rows are combined into one for each kind
and outcome.
"""

from collections import Counter

from sqlalchemy import Connection, case, delete, func, insert, select, text

from pbem.core.game.state import Ending, result_word
from pbem.store.engine import is_sqlite
from pbem.store.locks import try_advisory_lock
from pbem.store.tables import games
from pbem.store.tables.ratings import tallies

COMBINE_AFTER = 500
"""Rows between two combinations."""

OUTCOME = case(
    (games.c.ended_at.is_(None), "running"),
    (games.c.winner == 0, "first"),
    (games.c.winner == 1, "second"),
    (games.c.ended_by == "void", "void"),
    else_="draw",
)
"""The outcome of a game's row, as `outcome_of` returns it."""


Tallies = Counter[tuple[str, str]]
"""Numbers of games by kind and outcome: running, first, second, draw, void."""


def outcome_of(ending: Ending | None) -> str:
    return "running" if ending is None else result_word(ending.how, ending.winner)


def record_outcome(db: Connection, rules: str, before: str | None, now: str, number: int = 1) -> None:
    """Record the new outcome of games; `before` is None for new ones."""
    notes = [{"rules": rules, "outcome": now, "games": number}]
    if before is not None:
        notes.append({"rules": rules, "outcome": before, "games": -number})
    for values in notes:
        row = db.execute(insert(tallies).values(values).returning(tallies.c.id)).scalar_one()
        if row % COMBINE_AFTER == 0:
            combine_tallies(db)


def count_by_outcome(db: Connection) -> Tallies:
    kind = (tallies.c.rules, tallies.c.outcome)
    rows = db.execute(select(*kind, func.sum(tallies.c.games)).group_by(*kind))
    return Counter({(rules, outcome): int(games) for rules, outcome, games in rows})


def combine_tallies(db: Connection) -> None:
    """Combine the rows, unless another process is doing it."""
    if not try_advisory_lock(db, "tallies"):
        return
    sums = Tallies()
    for row in db.execute(delete(tallies).returning(tallies.c.rules, tallies.c.outcome, tallies.c.games)):
        sums[row.rules, row.outcome] += row.games
    _keep(db, sums)


def count_every_game(db: Connection) -> Tallies:
    query = select(games.c.rules, OUTCOME, func.count()).group_by(games.c.rules, OUTCOME)
    return Counter({(rules, outcome): number for rules, outcome, number in db.execute(query)})


def rebuild_tallies(db: Connection) -> None:
    """Replace the counts by counting all games. On PostgreSQL none begins or ends meanwhile."""
    if not is_sqlite(db):
        db.execute(text("LOCK TABLE tallies IN EXCLUSIVE MODE"))
    found = count_every_game(db)
    db.execute(delete(tallies))
    _keep(db, found)


def _keep(db: Connection, sums: Tallies) -> None:
    notes = [{"rules": rules, "outcome": outcome, "games": n} for (rules, outcome), n in sums.items() if n]
    if notes:
        db.execute(insert(tallies), notes)
