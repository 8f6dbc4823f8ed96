"""How long a command takes from nothing: `pbem --help`, and `pbem receive` of one mail."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

ROUNDS = 7


def measure() -> Iterator[tuple[str, str, str]]:
    floor = _timed([sys.executable, "-c", "pass"])
    yield "floor: python -c pass", f"{floor:.3f} s", ""
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder:
        env = {**os.environ, "PBEM_VAR": folder, "PBEM_DATABASE": f"sqlite:///{Path(folder) / 'x.sqlite'}"}
        pbem = [sys.executable, "-m", "pbem"]
        subprocess.run([*pbem, "migrate"], env=env, check=True, capture_output=True)
        for name, arguments, goal in (
            ("pbem --help", ["--help"], 0.3),
            ("pbem receive, one mail, cold", ["receive", "play@localhost"], 1.0),
        ):
            seconds = _timed([*pbem, *arguments], env=env, stdin=b"From: bill@example.org\r\n\r\nhelp\r\n")
            yield f"{name} (goal: {goal} s)", f"{seconds:.3f} s", f"{seconds / floor:.1f} x the floor"


def _timed(command: list[str], env: dict[str, str] | None = None, stdin: bytes = b"") -> float:
    spent = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        subprocess.run(command, env=env, input=stdin, check=True, capture_output=True)
        spent.append(time.perf_counter() - begin)
    return median(spent)
