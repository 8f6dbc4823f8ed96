"""The scheduler of the beats. It counts seconds by the monotonic clock."""

from datetime import UTC, datetime, timedelta, tzinfo
from time import monotonic

from apscheduler.executors.debug import DebugExecutor
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.base import BaseTrigger

_ORIGIN = datetime(2000, 1, 1, tzinfo=UTC)


class MonotonicTime(tzinfo):
    """A time zone whose current time comes from the monotonic clock.

    APScheduler reads the time by `datetime.now(timezone)` alone, which asks `fromutc` of the time zone. So
    no step of the system's clock reaches it.
    """

    def fromutc(self, dt: datetime, /) -> datetime:
        """Return the monotonic clock's time. The system's, `dt`, is of no account."""
        return _ORIGIN.replace(tzinfo=self) + timedelta(seconds=monotonic())

    def utcoffset(self, dt: datetime | None, /) -> timedelta:
        return timedelta(0)

    def dst(self, dt: datetime | None, /) -> timedelta:
        return timedelta(0)

    def tzname(self, dt: datetime | None, /) -> str:
        return "monotonic"


class Every(BaseTrigger):
    """Fires so many seconds after it last could. It catches up on nothing."""

    def __init__(self, seconds: float) -> None:
        self._interval = timedelta(seconds=seconds)

    def get_next_fire_time(self, previous_fire_time: datetime | None, now: datetime) -> datetime:
        return now + self._interval


def scheduler() -> BackgroundScheduler:
    """Return a scheduler for short jobs. They run in its own thread, so none is skipped."""
    late_is_better_than_never = {"coalesce": True, "misfire_grace_time": None}
    return BackgroundScheduler(
        timezone=MonotonicTime(),
        executors={"default": DebugExecutor()},
        job_defaults=late_is_better_than_never,
    )
