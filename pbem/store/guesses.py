"""Guesses at others' moves: sealed, then compared, or void after a takeback."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, bindparam, delete, func, select
from sqlalchemy import update as change

from pbem.core.exercises.guesses import Guess, right_guesses
from pbem.core.exercises.guesses import settle as decide
from pbem.core.game.game import Game
from pbem.core.game.journal import Entry
from pbem.core.game.state import Ply, State
from pbem.core.players import Player
from pbem.store.engine import put_row
from pbem.store.tables.learning import guesses

_SEALED = and_(
    guesses.c.game_id == bindparam("game"), guesses.c.ply == bindparam("number"), guesses.c.right.is_(None)
)
_GUESSED = select(guesses.c.move).where(_SEALED).distinct()
"""A query of every turn, so it is built once."""


def store_guess(db: Connection, player: Player, game: Game, ply: int, move: str, now: datetime) -> None:
    """Store a guess, replacing the player's earlier one; locks the game's row."""
    keys = {"game_id": game.id, "ply": ply, "player_id": player.id}
    put_row(db, guesses, keys, move=move, at=now, right=None)


def drop_guess(db: Connection, player: Player, game_id: int, ply: int) -> bool:
    """Drop a sealed guess; False if there was none."""
    sealed = and_(_of(player, game_id), guesses.c.ply == ply, guesses.c.right.is_(None))
    return bool(db.execute(delete(guesses).where(sealed)).rowcount)


def _of(player: Player, game_id: int) -> ColumnElement[bool]:
    return and_(guesses.c.game_id == game_id, guesses.c.player_id == player.id)


def guesses_of(db: Connection, player: Player, game_id: int, after: int = 0) -> list[Guess]:
    """Return a player's guesses in a game after move `after`, in order."""
    query = select(guesses).where(_of(player, game_id), guesses.c.ply > after).order_by(guesses.c.ply)
    return [Guess(row.game_id, row.ply, row.move, row.right) for row in db.execute(query)]


def all_guesses_of(db: Connection, player: Player) -> list[tuple[Guess, datetime]]:
    """All guesses of a player with their times, by game and move."""
    query = select(guesses).where(guesses.c.player_id == player.id)
    rows = db.execute(query.order_by(guesses.c.game_id, guesses.c.ply))
    return [(Guess(row.game_id, row.ply, row.move, row.right), row.at) for row in rows]


def settle(db: Connection, game: Game, state: State, entries: Sequence[Entry]) -> None:
    """Compare guesses with new journal entries, and drop those made void."""
    done, here = decide(state, entries), guesses.c.game_id == game.id
    if done.void_after is not None:
        db.execute(delete(guesses).where(here, guesses.c.ply > done.void_after))
    for ply in done.made:
        _compare(db, game, ply)
    if done.ended:
        db.execute(delete(guesses).where(here, guesses.c.right.is_(None)))
    for player in done.void_of:
        own = guesses.c.player_id == player
        db.execute(delete(guesses).where(here, own, guesses.c.right.is_(None)))


def _compare(db: Connection, game: Game, ply: Ply) -> None:
    """Compare the sealed guesses with a new ply of `game`."""
    which = {"game": game.id, "number": ply.n}
    guessed = list(db.scalars(_GUESSED, which))
    if not guessed:
        return
    right = guesses.c.move.in_(right_guesses(game, ply, guessed))
    db.execute(change(guesses).where(_SEALED).values(right=right), which)


def count_guesses(db: Connection, game_id: int) -> tuple[int, int]:
    """Count the right guesses in a game, and all compared ones."""
    numbers = func.count().filter(guesses.c.right), func.count(guesses.c.right)
    right, compared = db.execute(select(*numbers).where(guesses.c.game_id == game_id)).one()
    return right, compared
