"""Puzzles with their answers and counts, and the games searched for them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    case,
    delete,
    func,
    or_,
    select,
    union_all,
    update,
)

from pbem.core.exercises.puzzle import LABORATORY, Puzzle
from pbem.core.players import Player
from pbem.store.due_players import DuePlayers
from pbem.store.engine import add_row
from pbem.store.game_lists import REVISIONS, GameVersion
from pbem.store.tables import games, has_seat
from pbem.store.tables.learning import daily_puzzles, puzzle_games, puzzle_tries, puzzles

DAILY = DuePlayers(daily_puzzles)
OVERLAP = timedelta(days=1)
"""How far games are looked for again behind the last: a flag may end a game at an earlier moment."""


@dataclass(frozen=True)
class PuzzleCount:
    """The numbers of puzzles, tries and solutions, of one game or all."""

    puzzles: int
    tried: int
    solved: int


@dataclass(frozen=True)
class ListedPuzzle:
    """A puzzle in a list. Pictures of it are cached by its game's version."""

    puzzle: Puzzle
    version: GameVersion


def add_puzzle(db: Connection, puzzle: Puzzle, now: datetime) -> None:
    values = {
        **{name: getattr(puzzle, name) for name in ("ply", "rules", "answer", "setup")},
        "game_id": puzzle.game_id or None,
        "line": list(puzzle.line),
        "replies": dict(puzzle.replies),
        "created_at": now,
        "tried": 0,
        "solved": 0,
    }
    add_row(db, puzzles, **values)


def puzzle_by_id(db: Connection, id: int) -> Puzzle | None:
    row = db.execute(select(puzzles).where(puzzles.c.id == id)).first()
    return None if row is None else _puzzle(row)


def _puzzle(row: Row[Any]) -> Puzzle:
    head = (row.id, row.game_id or LABORATORY, row.ply, row.rules, row.answer)
    return Puzzle(*head, tuple(row.line), row.replies, row.tried, row.solved, row.created_at, row.setup)


def unseen_puzzle(db: Connection, player: Player, rules: Collection[str]) -> Puzzle | None:
    """Return these games' newest puzzle new to the player. Puzzles of the player's own games come last."""
    seen = and_(puzzle_tries.c.puzzle_id == puzzles.c.id, puzzle_tries.c.player_id == player.id)
    query = select(puzzles).where(puzzles.c.rules.in_(rules), ~select(puzzle_tries).where(seen).exists())
    newest = query.outerjoin(games, games.c.id == puzzles.c.game_id).order_by(puzzles.c.id.desc()).limit(1)
    of_others = or_(puzzles.c.game_id.is_(None), ~has_seat(player.id))
    row = db.execute(newest.where(of_others)).first() or db.execute(newest).first()
    return None if row is None else _puzzle(row)


def newest_puzzles(db: Connection, rules: Collection[str], most: int, before: int | None) -> list[Puzzle]:
    query = select(puzzles).where(puzzles.c.rules.in_(rules)).order_by(puzzles.c.id.desc()).limit(most)
    rows = db.execute(query if before is None else query.where(puzzles.c.id < before))
    return [_puzzle(row) for row in rows]


def list_puzzles(
    db: Connection, rules: Collection[str], most: int, before: int | None = None
) -> list[ListedPuzzle]:
    """The newest puzzles of each of these games, all with one query."""
    columns = (games.c.entries, games.c.changed_at, REVISIONS.label("gone"))
    wanted = union_all(*(_newest_ids(key, most, before) for key in rules)).subquery() if rules else None
    if wanted is None:
        return []
    query = select(puzzles, *columns).join_from(wanted, puzzles, puzzles.c.id == wanted.c.id)
    over = or_(puzzles.c.game_id.is_(None), games.c.ended_at.is_not(None))
    rows = db.execute(query.outerjoin(games).where(over).order_by(puzzles.c.id.desc()))
    return [ListedPuzzle(_puzzle(row), _version(row)) for row in rows]


def _version(row: Row[Any]) -> GameVersion:
    if row.game_id is None:
        return GameVersion(0, row.created_at, True)
    return GameVersion(row.entries, row.changed_at, True, gone=row.gone)


def _newest_ids(key: str, most: int, before: int | None) -> Select[Any]:
    query = select(puzzles.c.id).where(puzzles.c.rules == key).order_by(puzzles.c.id.desc()).limit(most)
    return select((query if before is None else query.where(puzzles.c.id < before)).subquery())


def plies_of_game(db: Connection, game_id: int) -> list[tuple[int, int]]:
    """The puzzles of a game: number and ply, the earliest first."""
    query = select(puzzles.c.id, puzzles.c.ply).where(puzzles.c.game_id == game_id).order_by(puzzles.c.ply)
    return [(row.id, row.ply) for row in db.execute(query)]


def are_there_any(db: Connection) -> bool:
    return db.execute(select(puzzles.c.id).limit(1)).first() is not None


def laboratory_puzzle_ids(db: Connection, rules: Collection[str]) -> list[int]:
    """Return the numbers of these games' puzzles that come from the laboratory, in order."""
    query = select(puzzles.c.id).where(puzzles.c.game_id.is_(None), puzzles.c.rules.in_(rules))
    return list(db.scalars(query.order_by(puzzles.c.id)))


def last_puzzle_at(db: Connection) -> datetime | None:
    return db.execute(select(func.max(puzzles.c.created_at))).scalar()


def count_by_rules(db: Connection) -> Mapping[str, PuzzleCount]:
    counts = (func.count(), func.sum(puzzles.c.tried), func.sum(puzzles.c.solved))
    query = select(puzzles.c.rules, *counts).group_by(puzzles.c.rules)
    return {rules: PuzzleCount(*map(int, numbers)) for rules, *numbers in db.execute(query)}


def count_of_player(db: Connection, player: Player) -> PuzzleCount:
    """The puzzles that a player was given, answered and solved."""
    right = func.sum(case((puzzle_tries.c.right, 1), else_=0))
    query = select(func.count(), func.count(puzzle_tries.c.right), func.coalesce(right, 0))
    return PuzzleCount(*db.execute(query.where(puzzle_tries.c.player_id == player.id)).one())


def give_puzzle(db: Connection, puzzle_id: int, player: Player, now: datetime) -> None:
    """Store that a player has been shown a puzzle."""
    add_row(db, puzzle_tries, puzzle_id=puzzle_id, player_id=player.id, at=now)


def answer_of(db: Connection, puzzle_id: int, player: Player) -> str | None:
    query = select(puzzle_tries.c.answer).where(*_try_of(puzzle_id, player))
    return db.execute(query).scalar()


def answers_among(db: Connection, player: Player, ids: Collection[int]) -> Mapping[int, bool]:
    """A player's first answers to some puzzles: right or not, by puzzle."""
    query = select(puzzle_tries.c.puzzle_id, puzzle_tries.c.right).where(
        puzzle_tries.c.player_id == player.id,
        puzzle_tries.c.puzzle_id.in_(ids),
        puzzle_tries.c.right.is_not(None),
    )
    return {row.puzzle_id: row.right for row in db.execute(query)}


def store_answer(
    db: Connection, puzzle_id: int, player: Player, answer: str, now: datetime, *, right: bool
) -> bool:
    """Store and count a player's first answer; False if there was one."""
    give_puzzle(db, puzzle_id, player, now)
    first = update(puzzle_tries).where(*_try_of(puzzle_id, player), puzzle_tries.c.answer.is_(None))
    if not db.execute(first.values(answer=answer, right=right)).rowcount:
        return False
    count_answer(db, puzzle_id, right=right)
    return True


def _try_of(puzzle_id: int, player: Player) -> tuple[ColumnElement[bool], ...]:
    return puzzle_tries.c.puzzle_id == puzzle_id, puzzle_tries.c.player_id == player.id


def count_answer(db: Connection, puzzle_id: int, *, right: bool) -> None:
    more = {"tried": puzzles.c.tried + 1, "solved": puzzles.c.solved + int(right)}
    db.execute(update(puzzles).where(puzzles.c.id == puzzle_id).values(**more))


def remove_puzzle(db: Connection, puzzle_id: int) -> None:
    """Remove a puzzle whose game is not as it was."""
    db.execute(delete(puzzle_tries).where(puzzle_tries.c.puzzle_id == puzzle_id))
    db.execute(delete(puzzles).where(puzzles.c.id == puzzle_id))


def unsearched_games(db: Connection, rules: Sequence[str], most: int) -> list[tuple[int, datetime]]:
    """Return finished games not searched for puzzles, oldest first, with their ends."""
    last = db.execute(select(func.max(puzzle_games.c.ended_at))).scalar()
    known = select(puzzle_games.c.game_id).where(puzzle_games.c.game_id == games.c.id).exists()
    query = select(games.c.id, games.c.ended_at).where(games.c.rules.in_(rules), ~known)
    query = query.where(games.c.ended_at.is_not(None) if last is None else games.c.ended_at >= last - OVERLAP)
    rows = db.execute(query.order_by(games.c.ended_at, games.c.id).limit(most))
    return [(row.id, row.ended_at) for row in rows]


def mark_searched(db: Connection, game_id: int, ended_at: datetime) -> None:
    add_row(db, puzzle_games, game_id=game_id, ended_at=ended_at)
