"""No step of the system's clock stops the beat."""

from __future__ import annotations

import logging
from datetime import timedelta
from pathlib import Path
from threading import Event
from time import monotonic

import pytest

from pbem.app import open_app, utc_now
from pbem.config.load import config_from
from pbem.store.due import due_work
from pbem.worker import worker
from tests.system_clock import step_schedulers_clock

BEAT = 0.05
STEPS = [timedelta(**{unit: n}) for n in (1, -1) for unit in ("minutes", "hours", "weeks")]


def test_a_clock_that_steps_costs_no_beat(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    looked, ahead, looks = Event(), timedelta(0), 0

    def look(*args: object, **kwargs: object) -> set[str]:
        nonlocal looks
        looks += 1
        looked.set()
        return due_work(*args, **kwargs)

    monkeypatch.setattr(worker, "BEAT_SECONDS", BEAT)
    monkeypatch.setattr(worker, "due_work", look)
    step_schedulers_clock(lambda: ahead, monkeypatch.setattr)
    settings = config_from({"PBEM_VAR": str(tmp_path), "PBEM_DATABASE": sqlite_url})
    app = open_app(settings, clock=lambda: utc_now() + ahead)
    running = worker.Worker(app)
    first = monotonic()
    with caplog.at_level(logging.WARNING, "apscheduler"):
        running.start()
        try:
            for ahead in [timedelta(0), *STEPS, timedelta(0)]:
                for _ in range(3):
                    looked.clear()
                    begun = monotonic()
                    assert looked.wait(20), f"no beat after a step to {ahead}"
                    assert running.progress() > begun - 20
        finally:
            running.stop()
            app.close()
    assert looks <= (monotonic() - first) / BEAT + 2, "a step brings no beat of its own"
    assert [] == [each for each in caplog.records if each.name.startswith("apscheduler")]
