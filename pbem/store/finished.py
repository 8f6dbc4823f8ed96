"""Games that have ended, for whoever takes them home: by number, a batch at a time, with their journals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, or_, select

from pbem.core.game import Game
from pbem.store import games as one_game
from pbem.store.games import Shelf
from pbem.store.tables import games, players


@dataclass(frozen=True)
class Row:
    """A finished game without its journal: what its files are called, and whether they may have changed."""

    id: int
    rules: str
    seated: tuple[int, int]
    names: tuple[str, str]
    stamp: str


def listed(
    db: Connection,
    shelf: Shelf,
    *,
    after: int = 0,
    most: int = 500,
    rules: str | None = None,
    player: int | None = None,
) -> tuple[Row, ...]:
    """The first finished games with a number above `after`, oldest first."""
    first, second = players.alias(), players.alias()
    query = (
        select(games, first.c.name.label("first_name"), second.c.name.label("second_name"))
        .join(first, first.c.id == games.c.first_id)
        .join(second, second.c.id == games.c.second_id)
        .where(games.c.ended_at.is_not(None), games.c.id > after)
        .where(games.c.rules.in_([rules] if rules else list(shelf.rules)))
        .order_by(games.c.id)
        .limit(most)
    )
    if player is not None:
        query = query.where(or_(games.c.first_id == player, games.c.second_id == player))
    return tuple(
        Row(
            row.id,
            row.rules,
            (row.first_id, row.second_id),
            (row.first_name, row.second_name),
            f"{row.entries}.{row.changed_at:%Y%m%d%H%M%S}.{row.first_name}.{row.second_name}",
        )
        for row in db.execute(query)
    )


def loaded(db: Connection, shelf: Shelf, rows: tuple[Row, ...]) -> Iterator[Game]:
    """Those games with their journals; one that a director has opened again meanwhile is left out."""
    for row in rows:
        game = one_game.load(db, shelf, row.id)
        if game is not None and game.state.ending is not None:
            yield game


__all__ = ["Row", "listed", "loaded"]
