"""Clock stops: players' vacations, weekends, and server outages."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from pbem.core.clock.clock import ClockStops
from pbem.core.clock.intervals import FOREVER, Intervals, union
from pbem.core.clock.vacation import Vacation
from pbem.core.clock.weekends import Weekends, Zones, zones_of_seat
from pbem.core.game.game import Game
from pbem.core.game.journal import SEATS, director_stops, seat_periods
from pbem.store.outages import outages_since
from pbem.store.tables import vacations
from pbem.store.zones import zones_of_players

Seated = Sequence[Sequence[tuple[int, datetime, datetime]]]
"""The players of each seat of one game, each with begin and end of their time there."""

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


def clock_stops(db: Connection, games: Sequence[Game]) -> list[ClockStops]:
    """Return the clock stops of each game since it began.

    After a replacement, each player's vacations count for their own time in the seat. The clock of a bot
    always stands.
    """
    sat: list[Seated] = [
        [seat_periods(game.seats[seat].id, seat, game.journal) for seat in SEATS] for game in games
    ]
    away = vacations_of_players(db, _players(sat))
    stood = {since: outages_since(db, since) for since in {game.started_at for game in games}}
    resting = [seats for game, seats in zip(games, sat, strict=True) if game.time_control.weekends]
    zones = zones_of_players(db, _players(resting)) if resting else {}
    return [
        ClockStops(
            union((*stood[game.started_at], *director_stops(game.journal))),
            _absences(game, seats, away),
            weekends=_weekends(seats, zones) if game.time_control.weekends else (None, None),
        )
        for game, seats in zip(games, sat, strict=True)
    ]


def _players(sat: Iterable[Seated]) -> set[int]:
    return {player for seats in sat for each in seats for player, _, _ in each}


def _weekends(sat: Seated, zones: Mapping[int, Zones]) -> tuple[Weekends, Weekends]:
    first, second = (
        Weekends(zones_of_seat((zones[player], begins, ends) for player, begins, ends in each))
        for each in sat
    )
    return first, second


def _absences(game: Game, sat: Seated, away: Mapping[int, Sequence[Vacation]]) -> tuple[Intervals, Intervals]:
    """The intervals in which each seat's clock stands."""
    first, second = (
        union(
            (max(block.begins, begins), min(block.ends, ends))
            for player, begins, ends in each
            for block in away[player]
        )
        for each in sat
    )
    one, other = (((game.started_at, FOREVER),) if player.bot else () for player in game.seats)
    return one or first, other or second


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
