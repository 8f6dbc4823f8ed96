"""The Procfile, run by honcho as a platform or a person would."""

from __future__ import annotations

import os
import smtplib
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.cli.test_serve import env

pytestmark = pytest.mark.whole

__all__ = ["env"]

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 90
PROCESSES = ("web", "mail", "work", "bots")
RUNNER = [sys.executable, "-m", "honcho", "--procfile", str(ROOT / "Procfile")]


def page(place: str) -> int:
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return int(urlopen(f"http://{place}/rules", timeout=PATIENCE_SECONDS).status)
        except URLError:
            assert time.monotonic() < end
            time.sleep(0.1)


def greeting(place: str) -> int:
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            with smtplib.SMTP(*place.split(":"), timeout=PATIENCE_SECONDS) as client:  # type: ignore[arg-type]
                return client.noop()[0]
        except ConnectionRefusedError:
            assert time.monotonic() < end
            time.sleep(0.1)


def test_a_runner_migrates_and_runs_the_four_processes_until_it_is_stopped(
    env: dict[str, str], tmp_path: Path
) -> None:
    (bin := tmp_path / "bin").mkdir()
    (program := bin / "pbem").write_text(f'#!/bin/sh\nexec {sys.executable} -m pbem "$@"\n')
    program.chmod(0o755)
    env |= {"PATH": f"{bin}:{os.environ['PATH']}"}
    subprocess.run([*RUNNER, "start", "release"], env=env, cwd=tmp_path, check=True, timeout=PATIENCE_SECONDS)
    with (
        open(tmp_path / "log", "w+") as log,
        subprocess.Popen([*RUNNER, "start", *PROCESSES], env=env, cwd=tmp_path, stdout=log) as runner,
    ):
        try:
            assert 200 == page(env["PBEM_WEB_LISTEN"])
            assert 250 == greeting(env["PBEM_SMTP_LISTEN"])
            assert runner.poll() is None
        finally:
            runner.terminate()
            runner.wait(PATIENCE_SECONDS)
        log.seek(0)
        told = log.read()
    assert all(f"{name}.1" in told for name in PROCESSES)
    assert "Working." in told
    assert "Traceback" not in told
