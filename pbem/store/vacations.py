"""Clock stops: players' vacations and server outages."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from pbem.core.clock.clock import ClockStops
from pbem.core.clock.intervals import union
from pbem.core.clock.vacation import Vacation
from pbem.core.game.journal import SEATS, Entry, director_stops, seat_periods
from pbem.store.outages import outages_since
from pbem.store.tables import vacations

_TAKEN = (
    select(vacations)
    .where(vacations.c.player_id.in_(bindparam("players", expanding=True)))
    .order_by(vacations.c.begins_at)
)


def vacations_of_players(db: Connection, players: Iterable[int]) -> dict[int, tuple[Vacation, ...]]:
    """Return these players' vacations by player, planned ones too, in order."""
    found: dict[int, tuple[Vacation, ...]] = dict.fromkeys(players, ())
    for row in db.execute(_TAKEN, {"players": list(found)}):
        block = Vacation(row.begins_at, row.ends_at, row.automatic, row.id)
        found[row.player_id] = (*found[row.player_id], block)
    return found


def clock_stops(
    db: Connection, pair: tuple[int, int], since: datetime, journal: Sequence[Entry] = ()
) -> ClockStops:
    """Return the clock stops of a game of two players since `since`.

    `pair` has the first seat's player first. After a replacement, each player's vacations count for their own
    time in the seat.
    """
    sat = [seat_periods(pair[seat], seat, journal) for seat in SEATS]
    away = vacations_of_players(db, {player for each in sat for player, _, _ in each})
    first, second = (
        union(
            (max(block.begins, begins), min(block.ends, ends))
            for player, begins, ends in each
            for block in away[player]
        )
        for each in sat
    )
    return ClockStops(union((*outages_since(db, since), *director_stops(journal))), (first, second))


def store_vacation(db: Connection, player: int, block: Vacation) -> None:
    """Store a vacation, or new times for one that has a number."""
    values = {"begins_at": block.begins, "ends_at": block.ends, "automatic": block.automatic}
    if block.id:
        db.execute(update(vacations).where(vacations.c.id == block.id).values(**values))
    else:
        db.execute(insert(vacations).values(player_id=player, **values))


def end_vacation(db: Connection, block: Vacation, end: datetime) -> None:
    """End a vacation at `end`; delete it if nothing is left."""
    mine = vacations.c.id == block.id
    if end <= block.begins:
        db.execute(delete(vacations).where(mine))
    else:
        db.execute(update(vacations).where(mine).values(ends_at=end))
