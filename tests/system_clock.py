"""A stand-in for the system's clock as APScheduler reads it, since nobody may step the machine's own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo

import apscheduler.executors.base
import apscheduler.schedulers.base
import apscheduler.triggers.interval

READERS = (apscheduler.executors.base, apscheduler.schedulers.base, apscheduler.triggers.interval)
"""Modules of APScheduler that read the clock."""


def step_schedulers_clock(
    shift: Callable[[], timedelta], put: Callable[[object, str, object], None] = setattr
) -> None:
    """Let APScheduler read a system clock that is ahead by `shift()`."""

    class SteppedDatetime(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:
            return (datetime.now(UTC) + shift()).astimezone(tz)

    for module in READERS:
        put(module, "datetime", SteppedDatetime)
