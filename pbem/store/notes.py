"""Private notes. Each belongs to one player, and no public page reads it."""

from collections.abc import Iterable

from sqlalchemy import Connection, func, insert, select

from pbem.core.play.notes import Note
from pbem.core.players import Player
from pbem.store.tables import notes


def add_note(db: Connection, player: Player, note: Note) -> None:
    values = {"game_id": note.game, "player_id": player.id, "ply": note.ply, "at": note.at}
    db.execute(insert(notes).values(words=note.words, **values))


def count_notes(db: Connection, player: Player, game: int) -> int:
    mine = (notes.c.player_id == player.id) & (notes.c.game_id == game)
    return db.execute(select(func.count()).select_from(notes).where(mine)).scalar_one()


def notes_of_player(db: Connection, player: Player, games: Iterable[int] | None = None) -> list[Note]:
    """Return the player's own notes of some or all games, oldest first."""
    query = select(notes).where(notes.c.player_id == player.id).order_by(notes.c.id)
    if games is not None:
        query = query.where(notes.c.game_id.in_(list(games)))
    return [Note(row.game_id, row.ply, row.at, row.words) for row in db.execute(query)]
