"""Numbers of a month for the letter to the operator, read from whole tables once a month."""

from datetime import datetime
from typing import Any

from sqlalchemy import Column, Connection, func, select

from pbem.core.game.journal import PLY
from pbem.store.tables import BOTS_ALONE, bounces, games, journal, messages_in, moderation, outbox, players


def count_month(db: Connection, begins: datetime, ends: datetime) -> dict[str, int]:
    """Count what happened within a month, without purged rows."""

    def count(column: Column[Any], *where: Any) -> int:
        query = select(func.count()).select_from(column.table).where(column >= begins, column < ends, *where)
        return db.execute(query).scalar_one()

    alone = select(games.c.id).where(BOTS_ALONE)
    return {
        "players": count(players.c.created_at),
        "games_begun": count(games.c.started_at, ~BOTS_ALONE),
        "games_ended": count(games.c.ended_at, ~BOTS_ALONE),
        "moves": count(journal.c.at, journal.c.kind == PLY, journal.c.game_id.not_in(alone)),
        "mails": count(messages_in.c.received_at),
        "letters": count(outbox.c.sent_at),
        "bounces": count(bounces.c.at),
        "reports": count(moderation.c.at, moderation.c.kind == "report"),
    }
