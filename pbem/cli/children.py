"""Processes that `pbem serve` starts, and that end with it, even if it is killed."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from time import monotonic
from typing import Any

RESTART_SECONDS = 5.0
"""The least time between two starts of a process."""
PR_SET_PDEATHSIG = 1  # prctl(2)
_PRCTL = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def start_pbem(words: Sequence[str], **streams: Any) -> subprocess.Popen[bytes]:
    """Start `pbem` with these words; `streams` is for subprocess.Popen."""
    command = [sys.executable, "-m", "pbem", *words]
    return subprocess.Popen(command, preexec_fn=partial(_end_with_parent, os.getpid()), **streams)


def stop_child(child: subprocess.Popen[bytes]) -> None:
    """Ask a process to end. After 15 s it is killed."""
    child.terminate()
    try:
        child.wait(15)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


class Child:
    """A process that is started again when it has ended."""

    def __init__(self, words: Sequence[str], **streams: Any) -> None:
        self._start = partial(start_pbem, words, **streams)
        self._process, self._started = self._start(), monotonic()

    def restart_if_ended(self) -> None:
        if self._process.poll() is not None and monotonic() >= self._started + RESTART_SECONDS:
            self._process, self._started = self._start(), monotonic()

    def stop(self) -> None:
        stop_child(self._process)


def _end_with_parent(parent: int) -> None:
    """Make Linux stop this process when its parent ends, also if the parent has ended already."""
    if _PRCTL is not None:
        _PRCTL(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(1)
