"""Bots, the games that they must look at, and their thinking time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, and_, case, func, literal, or_, select, update

from pbem.core.players import BOT_LEVELS, Player, bot_address, bot_name
from pbem.store import locks, players
from pbem.store.engine import put_row, upsert
from pbem.store.tables import BOT_IDS, BOTS_ALONE, HAS_BOT, games, has_bot, has_seat
from pbem.store.tables.bots import bot_turns, bot_usage

MAX_TRIES = 5
"""Tries after which a game or a job is put aside for the operator. A restart of the server may end one."""
PREFERENCES = {"undo": 0, "days_off": False, "remind": "off"}


@dataclass(frozen=True)
class BotTurn:
    """A game for a bot to look at, with its journal's length.

    `tries` counts this one, so that a position that kills the process is put aside too.
    """

    game_id: int
    entries: int
    tries: int = 0
    told: bool = False
    expected: str = ""


def find_bot(db: Connection, level: int, now: datetime) -> Player:
    """The bot of a level, made at its first game."""
    name = bot_name(level)
    locks.advisory_lock(db, "bots")
    found = players.player_by_name(db, name)
    if found is None:
        bot = players.add_player(db, name, bot_address(name), now)
        for key, value in PREFERENCES.items():
            players.set_preference(db, bot, key, value)
        found = players.player_by_id(db, bot.id)
    assert found is not None
    return found


def count_running(db: Connection, player: Player) -> int:
    """Count the player's running games against bots."""
    query = select(func.count()).where(has_seat(player.id), HAS_BOT, games.c.ended_at.is_(None))
    return db.execute(query).scalar_one()


def have_games(db: Connection) -> bool:
    """True if games with a bot run."""
    return (
        db.execute(select(games.c.id).where(HAS_BOT, games.c.ended_at.is_(None)).limit(1)).first() is not None
    )


@dataclass(frozen=True)
class RunningBoards:
    """Counts of running games, those of people with the newest change, and those of bots alone."""

    of_people: int
    changed_at: datetime | None
    of_bots: int


def running_boards(db: Connection) -> RunningBoards:
    people = select(func.count(), func.max(games.c.changed_at)).where(games.c.ended_at.is_(None), ~BOTS_ALONE)
    alone = select(func.count()).select_from(games).where(games.c.ended_at.is_(None), BOTS_ALONE)
    of_people, changed_at = db.execute(people).one()
    return RunningBoards(of_people, changed_at, db.execute(alone).scalar_one())


def last_rules_of_bots(db: Connection) -> str:
    """Return the kind of the newest game of bots alone, or ""."""
    query = select(games.c.rules).where(BOTS_ALONE).order_by(games.c.id.desc()).limit(1)
    return db.execute(query).scalar() or ""


_GAMES = games.outerjoin(bot_turns, bot_turns.c.game_id == games.c.id)
_SAME = bot_turns.c.entries == games.c.entries


def _waiting(now: datetime) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of running games with new entries and no lease."""
    free = or_(
        bot_turns.c.game_id.is_(None),
        and_(~_SAME, bot_turns.c.leased_until <= now),
        and_(_SAME, ~bot_turns.c.done, bot_turns.c.leased_until <= now, bot_turns.c.tries < MAX_TRIES),
    )
    return games.c.ended_at.is_(None), games.c.entries > 0, free


def count_waiting(db: Connection, now: datetime) -> int:
    """Count the games that a bot has to look at."""
    query = select(func.count()).select_from(_GAMES).where(HAS_BOT, *_waiting(now))
    return db.execute(query).scalar_one()


def claim_turn(
    db: Connection,
    now: datetime,
    lease: timedelta,
    rules: Sequence[str],
    levels: Sequence[int] = BOT_LEVELS,
) -> BotTurn | None:
    """Lease a game of these levels with new entries, or return None.

    First come games of players for whom bots have thought least today, then short games.
    """
    locks.advisory_lock(db, "bot turns")
    person = case((games.c.first_id.in_(BOT_IDS), games.c.second_id), else_=games.c.first_id)
    query = (
        select(games.c.id, games.c.entries, _SAME.label("same"), bot_turns)
        .select_from(_GAMES)
        .where(has_bot(levels), games.c.rules.in_(rules), *_waiting(now))
        .order_by(seconds_of(person, now), games.c.plies, games.c.id)
        .limit(1)
    )
    row = db.execute(query).first()
    if row is None:
        return None
    tries, told = (row.tries, bool(row.told)) if row.same else (0, False)
    turn = BotTurn(row.id, row[1], tries + 1, told, row.expected or "")
    _store(db, turn, done=False, until=now + lease)
    return turn


def _store(db: Connection, turn: BotTurn, *, done: bool, until: datetime) -> None:
    values = {
        "entries": turn.entries,
        "done": done,
        "leased_until": until,
        "tries": turn.tries,
        "told": turn.told,
        "expected": turn.expected[:100],
    }
    put_row(db, bot_turns, {"game_id": turn.game_id}, **values)


def finish_turn(db: Connection, turn: BotTurn, until: datetime) -> None:
    """End a lease. The bot is done with this journal, and looks at a longer one from `until` on."""
    _store(db, turn, done=True, until=until)


def delay_turn(db: Connection, turn: BotTurn, until: datetime) -> None:
    """End a lease. A bot may look at the game again at `until`."""
    _store(db, turn, done=False, until=until)


def seconds_of(player_id: ColumnElement[int], now: datetime) -> ColumnElement[float]:
    """Select the seconds that bots thought for a player today."""
    query = select(bot_usage.c.seconds).where(
        bot_usage.c.player_id == player_id, bot_usage.c.day == _day(now)
    )
    return func.coalesce(query.scalar_subquery(), 0.0)


def add_seconds(db: Connection, player_id: int, seconds: float, now: datetime) -> None:
    """Count a bot's thinking time for a player; 0 stands for nobody."""
    new = upsert(db, bot_usage).values(day=_day(now), player_id=player_id, seconds=seconds)
    more = {"seconds": bot_usage.c.seconds + new.excluded.seconds}
    db.execute(new.on_conflict_do_update(index_elements=["day", "player_id"], set_=more))


def seconds_of_player(db: Connection, player_id: int, now: datetime) -> float:
    return float(db.execute(select(seconds_of(literal(player_id), now))).scalar_one())


def seconds_of_day(db: Connection, now: datetime) -> float:
    query = select(func.coalesce(func.sum(bot_usage.c.seconds), 0.0)).where(bot_usage.c.day == _day(now))
    return float(db.execute(query).scalar_one())


def games_put_aside(db: Connection, now: datetime) -> list[int]:
    """Return the numbers of running games that bots could not play on. The last try has ended."""
    ended = (~bot_turns.c.done, bot_turns.c.leased_until <= now)
    stuck = and_(bot_turns.c.tries >= MAX_TRIES, *ended, bot_turns.c.entries == games.c.entries)
    query = select(games.c.id).select_from(bot_turns.join(games, games.c.id == bot_turns.c.game_id))
    return list(db.scalars(query.where(stuck, games.c.ended_at.is_(None)).order_by(games.c.id)))


def count_put_aside(db: Connection, now: datetime) -> int:
    return len(games_put_aside(db, now))


def retry_games(db: Connection, ids: Sequence[int], now: datetime) -> None:
    """Make bots look at these games again, as for the first time."""
    again = update(bot_turns).where(bot_turns.c.game_id.in_(ids), ~bot_turns.c.done)
    db.execute(again.values(tries=0, told=False, leased_until=now))


def _day(now: datetime) -> str:
    return now.date().isoformat()
