"""`pbem COMMAND` with a system clock that can be stepped, for all that reads one.

It is ahead by the seconds in the file SOAK_CLOCK.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem import app
from pbem.__main__ import main
from tests.system_clock import step_schedulers_clock

FILE = "SOAK_CLOCK"


def shift() -> timedelta:
    return timedelta(seconds=int(Path(os.environ[FILE]).read_text()))


def stepped_now() -> datetime:
    return datetime.now(UTC) + shift()


if __name__ == "__main__":
    app.utc_now = stepped_now
    step_schedulers_clock(shift)
    main(prog_name="python -m pbem")
