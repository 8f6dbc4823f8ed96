"""Processes that `pbem serve` starts. They end with it, even if it is killed."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

PR_SET_PDEATHSIG = 1  # prctl(2)
_PRCTL = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def start_pbem(words: Sequence[str], **streams: Any) -> subprocess.Popen[bytes]:
    """Start `pbem` with these words; `streams` is for subprocess.Popen."""
    command = [sys.executable, "-m", "pbem", *words]
    return subprocess.Popen(command, preexec_fn=partial(_end_with_parent, os.getpid()), **streams)


def _end_with_parent(parent: int) -> None:
    """Make Linux stop this process when its parent ends. That may have happened already."""
    if _PRCTL is not None:
        _PRCTL(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(1)
