"""The scheduler of the beats, which counts seconds by the monotonic clock."""

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
        """Return the monotonic clock's time, and ignore the system's time `dt`."""
        return _ORIGIN.replace(tzinfo=self) + timedelta(seconds=monotonic())

    def utcoffset(self, dt: datetime | None, /) -> timedelta:
        return timedelta(0)

    def dst(self, dt: datetime | None, /) -> timedelta:
        return timedelta(0)

    def tzname(self, dt: datetime | None, /) -> str:
        return "monotonic"


class Every(BaseTrigger):
    """Fires this many seconds after the last check, and makes up for no missed time."""

    def __init__(self, seconds: float) -> None:
        self._interval = timedelta(seconds=seconds)

    def get_next_fire_time(self, previous_fire_time: datetime | None, now: datetime) -> datetime:
        return now + self._interval


def scheduler() -> BackgroundScheduler:
    """Return a scheduler for short jobs, run in its own thread so that none is skipped."""
    late_is_better_than_never = {"coalesce": True, "misfire_grace_time": None}
    return BackgroundScheduler(
        timezone=MonotonicTime(),
        executors={"default": DebugExecutor()},
        job_defaults=late_is_better_than_never,
    )
