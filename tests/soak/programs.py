"""The programs of a server, each in a process of its own. One that ends is started again, as systemd does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

from tests.soak.program import FILE

LOOK_SECONDS, RESTART_SECONDS = 0.1, 0.5
STOP_SECONDS = 70.0


@dataclass
class Programs:
    """`pbem COMMAND` for each of `commands`. `clock` is the file with the shift of their clocks."""

    folder: Path
    settings: Mapping[str, str]
    commands: Sequence[Sequence[str]]
    running: dict[int, subprocess.Popen[bytes]] = field(default_factory=dict)
    restarts: int = 0
    over: Event = field(default_factory=Event)

    def start(self) -> None:
        self.shift_clock(0)
        for number in range(len(self.commands)):
            self._start(number)
        self._keeper = Thread(target=self._keep, daemon=True)
        self._keeper.start()

    def shift_clock(self, seconds: int) -> None:
        """Set the clock of all programs ahead, or back where it is negative."""
        file = self.folder / "clock"
        new = file.with_suffix(".new")
        new.write_text(f"{seconds}\n")
        new.replace(file)

    def _start(self, number: int) -> None:
        environ = {**os.environ, **self.settings, FILE: str(self.folder / "clock")}
        command = [sys.executable, "-m", "tests.soak.program", *self.commands[number]]
        with (self.folder / f"{number}.log").open("ab") as log:
            nothing = subprocess.DEVNULL
            self.running[number] = subprocess.Popen(
                command, env=environ, stdin=nothing, stdout=log, stderr=log
            )

    def _keep(self) -> None:
        while not self.over.wait(LOOK_SECONDS):
            for number, process in list(self.running.items()):
                if process.poll() is not None and not self.over.wait(RESTART_SECONDS):
                    self.restarts += 1
                    self._start(number)

    def kill(self, number: int) -> None:
        """Kill a program, without a word."""
        self.running[number].kill()

    def stop(self) -> None:
        self.over.set()
        self._keeper.join()
        for process in self.running.values():
            process.send_signal(signal.SIGTERM)
        end = time.monotonic() + STOP_SECONDS
        for process in self.running.values():
            try:
                process.wait(max(0.1, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def log_size(self) -> int:
        """Bytes that all programs have logged."""
        return sum((self.folder / f"{number}.log").stat().st_size for number in self.running)
