"""Guesses at others' moves: sealed, then compared, or void after a takeback."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, bindparam, delete, func, select
from sqlalchemy import update as change

from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.guesses import Guess, Guesser, same_moves, weight_of
from pbem.core.game.journal import PLY, REPLACE, ROLLBACK, TAKEBACK, Entry
from pbem.core.game.state import Ply, State
from pbem.core.players import Player
from pbem.store.engine import put_row, upsert
from pbem.store.learning_tables import guess_counts, guesses
from pbem.store.tables import players

MILLION = 1_000_000
"""Weights are counted in millionths, so that sums are exact."""

_SEALED = and_(
    guesses.c.game_id == bindparam("game"), guesses.c.ply == bindparam("number"), guesses.c.right.is_(None)
)
_GUESSED = select(guesses.c.move).where(_SEALED).distinct()
"""What every turn asks, so it is built once."""


def store_guess(
    db: Connection, player: Player, game: Game, ply: int, move: str, choices: int, now: datetime
) -> None:
    """Store a guess, replacing the player's earlier one; locks the game's row."""
    values = {"move": move, "choices": choices, "at": now, "right": None, "settled_at": None}
    keys = {"game_id": game.id, "ply": ply, "player_id": player.id}
    put_row(db, guesses, keys, rules=game.rules.key, **values)


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
    kinds = {entry.kind for entry in entries}
    here = guesses.c.game_id == game.id
    numbers = {entry.n for entry in entries if entry.kind == PLY}
    new = [ply for ply in state.plies if ply.entry in numbers]
    if kinds & {TAKEBACK, ROLLBACK}:
        gone = and_(here, guesses.c.ply > len(state.plies) - len(new))
        _count(db, gone, entries[-1].at, -1)
        db.execute(delete(guesses).where(gone))
    for ply in new:
        _compare(db, game, ply)
    if state.ending is not None:
        db.execute(delete(guesses).where(here, guesses.c.right.is_(None)))
    for entry in entries:
        if entry.kind == REPLACE:
            own = guesses.c.player_id == entry.data["player"]
            db.execute(delete(guesses).where(here, own, guesses.c.right.is_(None)))


def _compare(db: Connection, game: Game, ply: Ply) -> None:
    """Compare the sealed guesses with a new ply of `game`."""
    which = {"game": game.id, "number": ply.n}
    guessed = list(db.scalars(_GUESSED, which))
    if not guessed:
        return
    before = fold(game, upto=ply.entry - 1).position
    right = guesses.c.move.in_(same_moves(before, ply.move, guessed))
    db.execute(change(guesses).where(_SEALED).values(right=right, settled_at=ply.at), which)
    _count(db, and_(guesses.c.game_id == game.id, guesses.c.ply == ply.n), ply.at, 1)


def _count(db: Connection, which: ColumnElement[bool], at: datetime, sign: int) -> None:
    """Add compared guesses to their players' counts, or subtract void ones."""
    compared = select(guesses).where(which, guesses.c.right.is_not(None))
    for row in db.execute(
        compared.order_by(guesses.c.player_id, guesses.c.ply)
    ).all():  # all lock in one order
        weight = sign * round(weight_of(row.choices) * MILLION)
        more = {"guesses": sign, "right": sign * row.right, "weight": weight}
        more["right_weight"] = weight * row.right
        new = upsert(db, guess_counts).values(player_id=row.player_id, rules=row.rules, **more, at=at)
        keys = [guess_counts.c.player_id, guess_counts.c.rules]
        sums = {name: guess_counts.c[name] + number for name, number in more.items()}
        db.execute(new.on_conflict_do_update(index_elements=keys, set_={**sums, "at": at}))


def guessers(db: Connection, rules: str = "") -> list[Guesser]:
    """Return everybody with compared guesses, of one game or all. They are in no order."""
    numbers = (func.sum(guess_counts.c[name]) for name in ("guesses", "right", "weight", "right_weight"))
    query = select(players.c.id, players.c.name, *numbers).join(
        players, players.c.id == guess_counts.c.player_id
    )
    query = query.where(guess_counts.c.guesses > 0).group_by(players.c.id, players.c.name)
    rows = db.execute(query.where(guess_counts.c.rules == rules) if rules else query)
    return [
        Guesser(id, name, int(made), int(right), int(weight) / MILLION, int(right_weight) / MILLION)
        for id, name, made, right, weight, right_weight in rows
    ]


def last_settled_at(db: Connection) -> datetime | None:
    """The last time when guesses were compared, or void after that."""
    return db.execute(select(func.max(guess_counts.c.at))).scalar()
