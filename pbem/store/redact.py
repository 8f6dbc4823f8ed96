"""Sent letters that still hold secrets, and the time to remove those.

A letter about no game is never sent again. The newest letter of a game to each player may be sent again
unchanged after a bounce; a bounce counts within a month.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, bindparam, case, select, update

from pbem.core.bounces import BOUNCE_ADDRESS_LIFETIME
from pbem.store.tables import outbox

MAX_BOUNCED_AGE = timedelta(days=365)
"""Time that a bounced letter waits for its player to write again."""

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


def set_blank_times(db: Connection, ids: Sequence[int], now: datetime) -> None:
    """Keep the secrets of these sent letters, but not of older ones to the player about the game."""
    until = case((outbox.c.game_id.is_(None), now), else_=now + BOUNCE_ADDRESS_LIFETIME)
    these = update(outbox).where(outbox.c.id.in_(ids)).values(blank_at=until)
    found = db.execute(these.returning(outbox.c.id, outbox.c.game_id, outbox.c.player_id)).all()
    newest = {(row.game_id, row.player_id): row.id for row in sorted(found) if row.game_id is not None}
    older = [
        {"of_game": game, "to_player": player, "newer": id, "moment": now}
        for (game, player), id in newest.items()
    ]
    if older:
        db.execute(_OLDER, older)


def keep_bounced_secrets(db: Connection, id: int, now: datetime) -> None:
    """Keep a bounced game letter; it is resent when its player writes."""
    of_a_game = (outbox.c.id == id, outbox.c.game_id.is_not(None))
    db.execute(update(outbox).where(*of_a_game).values(blank_at=now + MAX_BOUNCED_AGE))


def letters_to_blank(db: Connection, now: datetime, most: int) -> dict[int, bytes]:
    """Return letters whose secrets are no longer needed, by number."""
    query = select(outbox.c.id, outbox.c.raw).where(outbox.c.blank_at <= now, outbox.c.state == "sent")
    return {row.id: row.raw for row in db.execute(query.order_by(outbox.c.blank_at).limit(most))}


def store_blanked(db: Connection, blanked: Mapping[int, bytes], now: datetime) -> None:
    """Store these letters without secrets, unless they may be sent again."""
    due = (outbox.c.id == bindparam("letter"), outbox.c.state == "sent", outbox.c.blank_at <= now)
    change = update(outbox).where(*due).values(raw=bindparam("text"), blank_at=None)
    db.execute(change, [{"letter": id, "text": raw} for id, raw in blanked.items()])
