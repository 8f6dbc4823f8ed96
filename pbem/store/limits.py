"""Blocks and limits of players, and rate limits shared by all processes."""

from datetime import datetime, timedelta

from sqlalchemy import Connection, bindparam, case, delete, func, insert, or_, select

from pbem.core.lobby.limits import Limits
from pbem.core.players import Player
from pbem.store import players
from pbem.store.engine import upsert
from pbem.store.tables import HAS_BOT, attempts, blocks, games, has_seat, limits


def limits_of_player(db: Connection, player: Player) -> Limits:
    ids = list(db.scalars(select(blocks.c.blocked_id).where(blocks.c.player_id == player.id)))
    rows = db.execute(select(limits.c.rules, limits.c.most).where(limits.c.player_id == player.id))
    blocked = sorted(players.players_by_ids(db, ids).values(), key=lambda other: other.name.lower())
    return Limits({row.rules: row.most for row in rows}, tuple(blocked))


_BLOCKS = select(blocks).where(
    or_(blocks.c.player_id == bindparam("player"), blocks.c.blocked_id == bindparam("player"))
)


def blocked(db: Connection, one: Player, other: Player) -> bool:
    """True if one has blocked the other, or the operator barred either."""
    return bool(one.barred or other.barred or other.id in blocked_player_ids(db, one))


def has_blocked(db: Connection, player: Player, other: Player) -> bool:
    rows = db.execute(_BLOCKS, {"player": player.id})
    return any((row.player_id, row.blocked_id) == (player.id, other.id) for row in rows)


def blocked_player_ids(db: Connection, player: Player) -> frozenset[int]:
    rows = db.execute(_BLOCKS, {"player": player.id})
    return frozenset(id for row in rows for id in (row.player_id, row.blocked_id)) - {player.id}


def block_player(db: Connection, player: Player, other: Player, now: datetime) -> None:
    """Store that `player` blocks `other`; a repetition changes nothing."""
    unblock_player(db, player, other)
    db.execute(insert(blocks).values(player_id=player.id, blocked_id=other.id, created_at=now))


def unblock_player(db: Connection, player: Player, other: Player) -> None:
    db.execute(delete(blocks).where(blocks.c.player_id == player.id, blocks.c.blocked_id == other.id))


def set_limit(db: Connection, player: Player, rules: str, most: int | None) -> None:
    """Store a player's limit of games of a kind; None removes it."""
    db.execute(delete(limits).where(limits.c.player_id == player.id, limits.c.rules == rules))
    if most is not None:
        db.execute(insert(limits).values(player_id=player.id, rules=rules, most=most))


def count_running_of_kind(db: Connection, player: Player, rules: str) -> int:
    """Count the player's running games of a kind with people."""
    running = (has_seat(player.id), games.c.rules == rules, games.c.ended_at.is_(None), ~HAS_BOT)
    return db.execute(select(func.count()).where(*running)).scalar_one()


HELD_BACK = "held back "
"""The beginning of the names of rows that count mails to the operator which were held back."""
HELD_BACK_KEPT = timedelta(days=30)


def count_held_back(db: Connection, mailbox: str, now: datetime) -> None:
    count_attempt(db, f"{HELD_BACK}{mailbox}", now, HELD_BACK_KEPT)


def has_held_back(db: Connection, before: datetime) -> bool:
    """True if mails were held back since before a moment."""
    mine = (attempts.c.what.startswith(HELD_BACK), attempts.c.since <= before)
    return db.execute(select(attempts.c.what).where(*mine).limit(1)).first() is not None


def take_held_back(db: Connection, before: datetime | None = None) -> dict[str, int]:
    """Return the counts of mails held back, by mailbox, and forget them.

    `before`: those begun by then alone.
    """
    mine = [attempts.c.what.startswith(HELD_BACK)] + ([attempts.c.since <= before] if before else [])
    gone = db.execute(delete(attempts).where(*mine).returning(attempts.c.what, attempts.c.number))
    return {row.what.removeprefix(HELD_BACK): row.number for row in sorted(gone)}


def count_attempt(db: Connection, what: str, now: datetime, window: timedelta) -> int:
    """Count one more `what`; returns the current window's count. A wrong clock's window is replaced."""
    fresh = upsert(db, attempts).values(what=what, since=now, number=1)
    over = or_(attempts.c.since <= now - window, attempts.c.since > now + window)
    after = fresh.on_conflict_do_update(
        index_elements=[attempts.c.what],
        set_={
            "since": case((over, fresh.excluded.since), else_=attempts.c.since),
            "number": case((over, 1), else_=attempts.c.number + 1),
        },
    )
    return int(db.execute(after.returning(attempts.c.number)).scalar_one())
