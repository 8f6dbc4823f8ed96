"""PgBouncer in transaction mode, before the PostgreSQL of the tests. It listens on a socket alone."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import make_url

from tests.databases import Postgres, run_as, unprivileged

START_SECONDS = 60
PORT = 6432
"""A part of the socket's name; nobody listens on the port."""
SETTINGS = """
[databases]
* = host={postgres} user=postgres
[pgbouncer]
listen_addr =
listen_port = {port}
unix_socket_dir = {folder}
auth_type = any
pool_mode = transaction
default_pool_size = {sessions}
max_client_conn = 500
logfile = {folder}/log
"""


@contextmanager
def pgbouncer(program: str, server: Postgres, sessions: int = 4) -> Iterator[tuple[Path, int]]:
    """The folder and the process of a PgBouncer with few sessions, so that clients share each."""
    with tempfile.TemporaryDirectory(prefix="pbem-pgbouncer-") as scratch:
        folder, user = Path(scratch), unprivileged()
        folder.chmod(0o777)
        text = SETTINGS.format(postgres=server.socket, port=PORT, folder=folder, sessions=sessions)
        (folder / "pgbouncer.ini").write_text(text)
        command = [program, "--quiet", folder / "pgbouncer.ini"]
        with subprocess.Popen(command, **run_as(user), stdin=subprocess.DEVNULL) as process:
            try:
                _wait(process, folder)
                yield folder, process.pid
            finally:
                process.terminate()


def through(folder: Path, url: str) -> str:
    """The URL of the same database through PgBouncer."""
    database = make_url(url).database
    return f"postgresql+psycopg://postgres@/{database}?host={folder}&port={PORT}"


def _wait(process: subprocess.Popen[bytes], folder: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while not (folder / f".s.PGSQL.{PORT}").exists():
        if process.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"PgBouncer did not start: {(folder / 'log').read_text()}")
        time.sleep(0.02)
