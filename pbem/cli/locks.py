"""Locks on files, which show other processes which of ours run."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from pbem.cli.common import fail
from pbem.config.table import Config
from pbem.store.engine import sqlite_file

SERVE_LOCK, WORK_LOCK = "serve.lock", "work.lock"
"""Files in PBEM_VAR that are locked while `pbem serve` and `pbem work` run."""


@contextmanager
def single_instance(config: Config) -> Iterator[None]:
    """Hold the locks of this installation. A second `pbem serve` on the same files fails with a sentence."""
    file = sqlite_file(config.database)
    config.var.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        stack.enter_context(_locked(config.var / SERVE_LOCK, f"in {config.var.resolve()}"))
        if file is not None and file.parent.is_dir():
            real = file.resolve()
            stack.enter_context(_locked(real.with_name(f"{real.name}-{SERVE_LOCK}"), f"on {file}"))
        yield


@contextmanager
def _locked(path: Path, where: str) -> Iterator[None]:
    with open(path, "a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            fail(
                f"pbem serve runs already {where}, as process {lock.read().strip()}; "
                "stop that one, or set PBEM_VAR to another folder, and PBEM_DATABASE if it is set."
            )
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


@contextmanager
def work_lock(config: Config) -> Iterator[None]:
    """Share a lock while `pbem work` runs, for `pbem check`. A second worker is not kept out."""
    config.var.mkdir(parents=True, exist_ok=True)
    with open(config.var / WORK_LOCK, "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        yield


def is_running(config: Config, name: str) -> bool:
    """True if the process with this lock runs on these files."""
    try:
        with open(config.var / name) as lock:
            kind = fcntl.LOCK_EX if name == WORK_LOCK else fcntl.LOCK_SH  # workers share theirs
            fcntl.flock(lock, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
