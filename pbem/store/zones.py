"""The zones that players had before, of those alone who play with clocks that rest on weekends."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, bindparam, insert, select

from pbem.core.clock.intervals import FOREVER
from pbem.core.clock.time_control import WEEKENDS
from pbem.core.clock.weekends import Zones
from pbem.core.players import Player
from pbem.store import players
from pbem.store.tables import games, has_seat, zones

_BEFORE = (
    select(zones.c.player_id, zones.c.until, zones.c.zone)
    .where(zones.c.player_id.in_(bindparam("players", expanding=True)))
    .order_by(zones.c.until, zones.c.id)
)


def set_zone(db: Connection, player: Player, zone: str, now: datetime) -> None:
    """Set a player's zone from now on, and keep the one before where clocks depend on it."""
    keep_zone(db, player, now)
    players.set_preference(db, player, "zone", zone)


def keep_zone(db: Connection, player: Player, now: datetime) -> None:
    """Keep the zone that a player has had until now, if one of their games needs it."""
    resting = select(games.c.id).where(has_seat(player.id), games.c.pace.endswith(WEEKENDS)).limit(1)
    if db.scalar(resting) is not None:
        db.execute(insert(zones).values(player_id=player.id, until=now, zone=player.preferences.zone))


def zones_of_players(db: Connection, ids: Iterable[int]) -> dict[int, Zones]:
    """Return the zones of players one after another, the present one last."""
    known = players.players_by_ids(db, ids)
    found: dict[int, Zones] = dict.fromkeys(known, ())
    for row in db.execute(_BEFORE, {"players": list(known)}):
        found[row.player_id] = (*found[row.player_id], (row.until, row.zone))
    return {id: (*before, (FOREVER, known[id].preferences.zone)) for id, before in found.items()}
