"""Which letters that were sent hold secrets still, and when nobody needs those any more.

A letter about no game is never sent again. Of those about a game the newest to each player may be, byte for
byte, where it came back; a month after it was sent nothing that comes back counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, bindparam, case, select, update

from pbem.core.returns import ADDRESS_GOOD
from pbem.store.tables import outbox

CAME_BACK_KEPT = timedelta(days=365)
"""How long a letter that came back waits for its player to write again."""

_OLDER = (
    update(outbox)
    .where(
        outbox.c.game_id == bindparam("of_game"),
        outbox.c.player_id == bindparam("to_player"),
        outbox.c.id < bindparam("newer"),
        outbox.c.state == "sent",
        outbox.c.blank_at > bindparam("moment"),
    )
    .values(blank_at=bindparam("moment"))
)


def sent(db: Connection, ids: Sequence[int], now: datetime) -> None:
    """Keep the secrets of these, which were just sent, and no longer those of older ones of their games."""
    until = case((outbox.c.game_id.is_(None), now), else_=now + ADDRESS_GOOD)
    these = update(outbox).where(outbox.c.id.in_(ids)).values(blank_at=until)
    found = db.execute(these.returning(outbox.c.id, outbox.c.game_id, outbox.c.player_id)).all()
    newest = {(row.game_id, row.player_id): row.id for row in sorted(found) if row.game_id is not None}
    older = [
        {"of_game": game, "to_player": player, "newer": id, "moment": now}
        for (game, player), id in newest.items()
    ]
    if older:
        db.execute(_OLDER, older)


def came_back(db: Connection, id: int, now: datetime) -> None:
    """A letter came back, so it is sent once more when its player writes, if it is about a game."""
    of_a_game = (outbox.c.id == id, outbox.c.game_id.is_not(None))
    db.execute(update(outbox).where(*of_a_game).values(blank_at=now + CAME_BACK_KEPT))


def due(db: Connection, now: datetime, most: int) -> dict[int, bytes]:
    """Letters whose secrets nobody needs any more, by number."""
    query = select(outbox.c.id, outbox.c.raw).where(outbox.c.blank_at <= now, outbox.c.state == "sent")
    return {row.id: row.raw for row in db.execute(query.order_by(outbox.c.blank_at).limit(most))}


def keep(db: Connection, blanked: Mapping[int, bytes], now: datetime) -> None:
    """Keep these letters without their secrets; those that are or may be sent again by now stay whole."""
    due = (outbox.c.id == bindparam("letter"), outbox.c.state == "sent", outbox.c.blank_at <= now)
    change = update(outbox).where(*due).values(raw=bindparam("text"), blank_at=None)
    db.execute(change, [{"letter": id, "text": raw} for id, raw in blanked.items()])
