"""`pbem COMMAND` with a clock that can be stepped: it is ahead by the seconds in the file SOAK_CLOCK."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem import app
from pbem.__main__ import main

FILE = "SOAK_CLOCK"


def stepped_now() -> datetime:
    return datetime.now(UTC) + timedelta(seconds=int(Path(os.environ[FILE]).read_text()))


if __name__ == "__main__":
    app.utc_now = stepped_now
    main(prog_name="python -m pbem")
