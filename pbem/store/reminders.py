"""Reminders already handled, so that none is sent twice, and their letters."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from pbem.core.players import Player
from pbem.store.engine import upsert
from pbem.store.tables import outbox, reminders


class HandledReminder(NamedTuple):
    """A reminder of a turn that began with journal entry `entry`."""

    game_id: int
    entry: int
    which: str


def handled_reminders(db: Connection, game_id: int, entry: int) -> dict[str, datetime]:
    """Return the handled reminders of a turn, each with its last time."""
    turn = (reminders.c.game_id == game_id, reminders.c.entry == entry)
    return {row.which: row.at for row in db.execute(select(reminders).where(*turn))}


def record_reminders(
    db: Connection, player: Player, dealt: Iterable[HandledReminder], at: datetime, letter: str | None
) -> None:
    """Record reminders as handled, with the letter's key if there is one."""
    shared = {"player_id": player.id, "at": at, "letter": letter}
    statement = upsert(db, reminders).on_conflict_do_update(
        index_elements=[*reminders.primary_key], set_=shared
    )
    db.execute(statement, [each._asdict() | shared for each in dealt])


def last_reminder_at(db: Connection, player: Player) -> datetime | None:
    """Return when the newest reminder to the player was written, or None."""
    mine = reminders.c.player_id == player.id
    return db.execute(select(func.max(reminders.c.at)).where(mine, reminders.c.letter.is_not(None))).scalar()


def reminded_turns(db: Connection, outbox_id: int) -> list[tuple[int, int, int]]:
    """Return a reminder letter's turns as (game, entry of the turn, player)."""
    query = (
        select(reminders.c.game_id, reminders.c.entry, reminders.c.player_id)
        .join(outbox, outbox.c.key == reminders.c.letter)
        .where(outbox.c.id == outbox_id)
        .order_by(reminders.c.game_id)
    )
    return [(row.game_id, row.entry, row.player_id) for row in db.execute(query)]
