"""Lessons that players have tried and solved."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Connection, or_, select

from pbem.core.players import Player
from pbem.store.engine import upsert
from pbem.store.tables.learning import lesson_tries


def store_try(
    db: Connection, player: Player, rules: str, n: int, answer: str, now: datetime, *, right: bool
) -> None:
    """Store a player's answer to lesson `n`. A solved lesson stays solved."""
    keys = {"player_id": player.id, "rules": rules, "lesson": n}
    new = upsert(db, lesson_tries).values(**keys, answer=answer, solved=right, at=now)
    solved = or_(lesson_tries.c.solved, new.excluded.solved)
    change = {"answer": answer, "solved": solved, "at": now}
    names = [lesson_tries.c[name] for name in keys]
    db.execute(new.on_conflict_do_update(index_elements=names, set_=change))


def solved_lessons(db: Connection, player: Player) -> Mapping[str, frozenset[int]]:
    """The numbers of the lessons that a player has solved, by game."""
    query = select(lesson_tries.c.rules, lesson_tries.c.lesson)
    rows = db.execute(query.where(lesson_tries.c.player_id == player.id, lesson_tries.c.solved))
    found: dict[str, set[int]] = {}
    for row in rows:
        found.setdefault(row.rules, set()).add(row.lesson)
    return {rules: frozenset(numbers) for rules, numbers in found.items()}
