"""Three moments of a player's finished game, and their answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, select, update

from pbem.core.players import Player
from pbem.store.tables.bots import moments


@dataclass(frozen=True)
class StoredMoments:
    """The positions as `pbem.core.exercises.analysis` reads them, and by their numbers the answers."""

    id: int
    player_id: int
    game_id: int
    positions: Sequence[Mapping[str, Any]]
    said: Mapping[str, str]


_COLUMNS = (moments.c.id, moments.c.player_id, moments.c.game_id, moments.c.positions, moments.c.said)


def add_moments(
    db: Connection, player: Player, game: int, positions: Sequence[Mapping[str, Any]], now: datetime
) -> int:
    values = {"positions": [dict(each) for each in positions], "said": {}}
    new = insert(moments).values(player_id=player.id, game_id=game, at=now, **values)
    return db.execute(new.returning(moments.c.id)).scalar_one()


def find_moments(db: Connection, id: int) -> StoredMoments | None:
    row = db.execute(select(*_COLUMNS).where(moments.c.id == id)).first()
    return None if row is None else StoredMoments(*row)


def moments_of_game(db: Connection, player: Player, game: int) -> StoredMoments | None:
    mine = (moments.c.player_id == player.id, moments.c.game_id == game)
    row = db.execute(select(*_COLUMNS).where(*mine).order_by(moments.c.id.desc()).limit(1)).first()
    return None if row is None else StoredMoments(*row)


def store_answers(db: Connection, id: int, new: Mapping[str, str]) -> Mapping[str, str]:
    """Store answers by their numbers, none twice; returns all."""
    row = select(moments.c.said).where(moments.c.id == id).with_for_update()
    said = {**new, **db.execute(row).scalar_one()}
    db.execute(update(moments).where(moments.c.id == id).values(said=said))
    return said
