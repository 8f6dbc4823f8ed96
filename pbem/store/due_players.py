"""Players for whom the daily puzzle or the Saturday paper is due."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Table, delete, select

from pbem.store.engine import put_row


@dataclass(frozen=True)
class DuePlayers:
    """The rows of a table with `player_id` and `due_at`."""

    table: Table

    def set_due(self, db: Connection, player_id: int, due: datetime | None) -> None:
        """Set when a player's next puzzle or paper is due; None ends them."""
        if due is None:
            db.execute(delete(self.table).where(self.table.c.player_id == player_id))
        else:
            put_row(db, self.table, {"player_id": player_id}, due_at=due)

    def take(self, db: Connection, now: datetime, without: Collection[int]) -> tuple[int, datetime] | None:
        """Lock the player longest due, none in `without`; returns player and time."""
        columns = self.table.c
        query = (
            select(columns.player_id, columns.due_at)
            .where(columns.due_at <= now, columns.player_id.not_in(tuple(without)))
            .order_by(columns.due_at, columns.player_id)
            .with_for_update(skip_locked=True)
        )
        row = db.execute(query.limit(1)).first()
        return None if row is None else (row.player_id, row.due_at)
