"""Players' requests to have a win proved, one a player and game."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, delete, select

from pbem.core.players import Player
from pbem.store.engine import put_row
from pbem.store.tables.learning import proof_tries

OPEN, FAILED = "open", "failed"


@dataclass(frozen=True)
class ProofTry:
    state: str
    at: datetime


def find_try(db: Connection, game_id: int, player: Player) -> ProofTry | None:
    query = select(proof_tries.c.state, proof_tries.c.at).where(*_of(game_id, player.id))
    row = db.execute(query).first()
    return None if row is None else ProofTry(row.state, row.at)


def store_try(db: Connection, game_id: int, player_id: int, state: str, now: datetime) -> None:
    put_row(db, proof_tries, {"game_id": game_id, "player_id": player_id}, state=state, at=now)


def forget_try(db: Connection, game_id: int, player_id: int) -> None:
    """Have the player try again: nothing was found out."""
    db.execute(delete(proof_tries).where(*_of(game_id, player_id)))


def _of(game_id: int, player_id: int) -> tuple[ColumnElement[bool], ...]:
    return proof_tries.c.game_id == game_id, proof_tries.c.player_id == player_id
