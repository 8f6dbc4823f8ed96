"""The queue of jobs for bots beside their games. Kind and key name a job once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import inf
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, or_, select, update

from pbem.store import locks
from pbem.store.bots import MAX_TRIES, seconds_of
from pbem.store.engine import add_row
from pbem.store.tables.bots import bot_jobs


@dataclass(frozen=True)
class Job:
    """One thing to work out. `player_id` is who it is worked out for, 0 for nobody.

    `tries` counts this one, so that work that kills the process is put aside too.
    """

    id: int
    kind: str
    key: str
    data: Mapping[str, Any]
    player_id: int
    tries: int


def add_job(
    db: Connection, kind: str, key: str, data: Mapping[str, Any], now: datetime, player_id: int = 0
) -> None:
    """Queue a job to begin at `now` or later, unless there is one of this kind and key."""
    values = {"kind": kind, "key": key, "data": dict(data), "player_id": player_id, "tries": 0}
    add_row(db, bot_jobs, done=False, leased_until=now, **values)


def claim_job(
    db: Connection, now: datetime, lease_end: datetime, kinds: Sequence[str], most: float = inf
) -> Job | None:
    """Lease a job until `lease_end`. The player with the least thinking time today comes first.

    Jobs of players for whom bots thought `most` seconds today wait.
    """
    locks.advisory_lock(db, "bot jobs")
    used = seconds_of(bot_jobs.c.player_id, now)
    query = (
        select(bot_jobs)
        .where(~bot_jobs.c.done, bot_jobs.c.leased_until <= now, bot_jobs.c.tries < MAX_TRIES)
        .where(bot_jobs.c.kind.in_(kinds), or_(bot_jobs.c.player_id == 0, used < most))
        .order_by(used, bot_jobs.c.id)
        .limit(1)
    )
    row = db.execute(query).first()
    if row is None:
        return None
    _change(db, row.id, leased_until=lease_end, tries=row.tries + 1)
    return Job(row.id, row.kind, row.key, row.data, row.player_id, row.tries + 1)


def finish_job(db: Connection, job: Job, result: Any) -> bool:
    """Store a job's result; False where another process did so already."""
    wanted = (bot_jobs.c.id == job.id, ~bot_jobs.c.done)
    return db.execute(update(bot_jobs).where(*wanted).values(done=True, result=result)).rowcount == 1


def continue_job(db: Connection, job: Job, data: Mapping[str, Any], now: datetime) -> None:
    """Queue a job again with other data: its next part."""
    _change(db, job.id, data=dict(data), done=False, leased_until=now, tries=0)


def delay_job(db: Connection, job: Job, now: datetime, pause: timedelta) -> None:
    """Try a failed job again after a pause, or put it aside."""
    _change(db, job.id, leased_until=now + pause if job.tries < MAX_TRIES else now)


def _change(db: Connection, id: int, **values: Any) -> None:
    db.execute(update(bot_jobs).where(bot_jobs.c.id == id).values(**values))


def release_job(db: Connection, job: Job, now: datetime) -> None:
    """Take a try back. The job may be done at once."""
    _change(db, job.id, leased_until=now, tries=job.tries - 1)


@dataclass(frozen=True)
class KnownJob:
    """A job that somebody asks for again. `failed`: nobody tries it again."""

    id: int
    data: Mapping[str, Any]
    result: Any
    done: bool
    failed: bool


def find_job(db: Connection, kind: str, key: str, now: datetime) -> KnownJob | None:
    query = select(bot_jobs).where(bot_jobs.c.kind == kind, bot_jobs.c.key == key)
    row = db.execute(query).first()
    if row is None:
        return None
    failed = not row.done and row.tries >= MAX_TRIES and row.leased_until <= now
    return KnownJob(row.id, row.data, row.result, bool(row.done), failed)


def set_data(db: Connection, job: KnownJob, now: datetime, **data: Any) -> bool:
    """Replace a job's data and requeue it if it was done; False if it finished meanwhile."""
    again = {"done": False, "result": None, "tries": 0, "leased_until": now} if job.done else {}
    same = (bot_jobs.c.id == job.id, bot_jobs.c.done.is_(job.done))
    return db.execute(update(bot_jobs).where(*same).values(data={**job.data, **data}, **again)).rowcount == 1


def find_result(db: Connection, kind: str, key: str) -> Any:
    """Return the result of a job, None if there is none yet."""
    query = select(bot_jobs.c.result).where(bot_jobs.c.kind == kind, bot_jobs.c.key == key)
    return db.execute(query.where(bot_jobs.c.done)).scalar()


def known_keys(db: Connection, kind: str, keys: Sequence[str]) -> set[str]:
    """Return the keys with a job of this kind, done or not."""
    query = select(bot_jobs.c.key).where(bot_jobs.c.kind == kind, bot_jobs.c.key.in_(keys))
    return set(db.scalars(query))


def retry_failed(db: Connection, now: datetime) -> int:
    """Queue again all jobs that failed too often; return their number."""
    return db.execute(update(bot_jobs).where(*_failed(now)).values(tries=0, leased_until=now)).rowcount


def waiting_jobs(db: Connection, now: datetime) -> tuple[int, datetime | None]:
    """Count the jobs not begun, and say when the oldest became due."""
    waits = (~bot_jobs.c.done, bot_jobs.c.leased_until <= now, bot_jobs.c.tries < MAX_TRIES)
    row = db.execute(select(func.count(), func.min(bot_jobs.c.leased_until)).where(*waits)).one()
    return row[0], row[1]


def count_failed(db: Connection, now: datetime) -> int:
    """Count jobs that failed so often that nobody tries them again."""
    return db.execute(select(func.count()).select_from(bot_jobs).where(*_failed(now))).scalar_one()


def _failed(now: datetime) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of jobs put aside, without those whose last try may still run."""
    return ~bot_jobs.c.done, bot_jobs.c.tries >= MAX_TRIES, bot_jobs.c.leased_until <= now
