"""A replica of the PostgreSQL of the tests: it follows by streaming, and can be promoted."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import psycopg

from tests.databases import (
    START_SECONDS,
    Postgres,
    memory,
    run_as,
    start_server,
    stop_server,
    unprivileged,
    wait_for_server,
)

IN_STEP = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'"


@contextmanager
def synchronous_replica(primary: Postgres) -> Iterator[Postgres]:
    """Start a replica without which the primary commits nothing; it has all that was ever acknowledged."""
    with tempfile.TemporaryDirectory(prefix="pbem-replica-", dir=memory()) as folder:
        data, user = Path(folder), unprivileged()
        if user:
            shutil.chown(data, user)
        _copy(primary, data, user)
        start = partial(start_server, primary.programs, data, user)
        processes = [start()]
        try:
            replica = replace(primary, socket=data, start=start, processes=processes)
            wait_for_server(processes[0], data)
            _keep_in_step(primary)
            yield replica
        finally:
            stop_server(processes[-1])


def _copy(primary: Postgres, data: Path, user: str | None) -> None:
    command = [primary.programs / "pg_basebackup", "--pgdata", data, "--host", primary.socket]
    command += ["--username=postgres", "--write-recovery-conf", "--checkpoint=fast", "--no-sync"]
    done = subprocess.run(command, **run_as(user), capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"pg_basebackup: {done.stderr}")
    for lock in data.glob(".s.PGSQL.*"):  # the primary's, which has its socket among its data
        lock.unlink()


def _keep_in_step(primary: Postgres) -> None:
    """Set after the copy, so that the replica, once promoted, waits for no other."""
    primary.run("ALTER SYSTEM SET synchronous_standby_names TO '*'")
    primary.keep_commits()
    end = time.monotonic() + START_SECONDS
    while _first(primary, IN_STEP) != 1:
        if time.monotonic() > end:
            raise RuntimeError("the replica does not follow")
        time.sleep(0.05)


def promote(replica: Postgres) -> None:
    """Make it the primary. `synchronous_commit` was set after its copy, so it is set here too."""
    replica.run(f"SELECT pg_promote(wait_seconds => {START_SECONDS})")
    replica.keep_commits()


def _first(server: Postgres, query: str) -> object:
    with psycopg.connect(host=str(server.socket), user="postgres", autocommit=True) as connection:
        row = connection.execute(query).fetchone()  # type: ignore[call-overload]
        return row and row[0]
