"""Which reminders of a turn were dealt with, so that none is sent twice; and what a letter reminds of."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, func, select
from sqlalchemy.dialects import postgresql, sqlite

from pbem.core.people import Player
from pbem.store.tables import outbox, reminders


class Told(NamedTuple):
    """A reminder of the turn that journal entry `entry` of a game began."""

    game_id: int
    entry: int
    which: str


_TOLD = select(reminders.c.which, reminders.c.at).where(
    reminders.c.game_id == bindparam("game"), reminders.c.entry == bindparam("entry")
)


def told(db: Connection, game_id: int, entry: int) -> dict[str, datetime]:
    """The reminders of a turn that were dealt with, each with when it was the last time."""
    rows = db.execute(_TOLD, {"game": game_id, "entry": entry})
    return {row.which: row.at for row in rows}


def _noted(insert: Any) -> Any:
    """An insert that overwrites what was noted of the same reminder before."""
    again = {name: insert.excluded[name] for name in ("player_id", "at", "letter")}
    return insert.on_conflict_do_update(index_elements=list(reminders.primary_key), set_=again)


_NOTE = {"sqlite": _noted(sqlite.insert(reminders)), "postgresql": _noted(postgresql.insert(reminders))}


def note(db: Connection, player: Player, dealt: Iterable[Told], at: datetime, letter: str | None) -> None:
    """Keep that these were dealt with, in the letter of that key, or without one."""
    shared = {"player_id": player.id, "at": at, "letter": letter}
    db.execute(_NOTE[db.dialect.name], [each._asdict() | shared for each in dealt])


def last_letter(db: Connection, player: Player) -> datetime | None:
    """When the newest reminder to the player was written, None where there is none."""
    mine = reminders.c.player_id == player.id
    return db.execute(select(func.max(reminders.c.at)).where(mine, reminders.c.letter.is_not(None))).scalar()


def of_letter(db: Connection, outbox_id: int) -> list[tuple[int, int, int]]:
    """(game, entry of the turn, player) of what a letter reminds of."""
    query = (
        select(reminders.c.game_id, reminders.c.entry, reminders.c.player_id)
        .join(outbox, outbox.c.key == reminders.c.letter)
        .where(outbox.c.id == outbox_id)
        .order_by(reminders.c.game_id)
    )
    return [(row.game_id, row.entry, row.player_id) for row in db.execute(query)]
