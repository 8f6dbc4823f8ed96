"""The account export's mails."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select

from pbem.core.players import Player
from pbem.store.tables import messages_in


@dataclass(frozen=True)
class Mail:
    id: int
    at: datetime
    raw: bytes


def stored_mails_of(db: Connection, player: Player) -> Iterator[Mail]:
    """Yield the player's mails that still have bytes, newest first."""
    columns = (messages_in.c.id, messages_in.c.received_at, messages_in.c.raw)
    kept = (messages_in.c.player_id == player.id, func.length(messages_in.c.raw) > 0)
    query = select(*columns).where(*kept).order_by(messages_in.c.id.desc())
    for row in db.execute(query.execution_options(yield_per=50)):
        yield Mail(row.id, row.received_at, row.raw)
