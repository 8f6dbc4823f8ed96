"""Turns by mail on PostgreSQL with 1, 2 and 4 workers, from LMTP to the relay: transactions a turn.

`pbem mail` and each `pbem work` are processes of their own, and so is the relay. The database counts its own
transactions (`pg_stat_database`). Those of an idle second are counted first, and are in no other figure.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread

import psycopg
from sqlalchemy import make_url

from benchmarks.letters import sink
from benchmarks.turn import a_game
from pbem.app import open_app
from pbem.config.load import config_from
from pbem.store import inbox
from pbem.store.engine import Store
from pbem.store.migrate import migrate
from tests.databases import Postgres, postgres_server
from tests.ports import free_port

WORKERS = (1, 2, 4)
TURNS = 200
CONNECTIONS = 8
IDLE_SECONDS = 10
PATIENCE_SECONDS = 120
Mail = tuple[bytes, str]


def measure() -> Iterator[tuple[str, str, str]]:
    """Rows of the table: figure, measured, against what."""
    with postgres_server() as server, sink() as relay:
        for workers in WORKERS:
            with tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder:
                yield from _played(server, Path(folder), relay, workers)


def _played(server: Postgres, folder: Path, relay: int, workers: int) -> Iterator[tuple[str, str, str]]:
    port, url = free_port(), server.url(server.create())
    settings = {
        "PBEM_VAR": str(folder),
        "PBEM_DATABASE": url,
        "PBEM_SECRET": "s" * 32,
        "PBEM_RELAY": f"smtp://127.0.0.1:{relay}",
        "PBEM_SMTP_LISTEN": "off",
        "PBEM_UNDO_MINUTES": "0",
        "PBEM_LMTP_LISTEN": f"127.0.0.1:{port}",
    }
    app = open_app(config_from(settings))
    migrate(app.store)
    mails = [a_game(app, number) for number in range(TURNS)]
    app.store.close()
    with ExitStack() as stack:
        stack.enter_context(_pbem("mail", settings))
        several = [stack.enter_context(_pbem("work", settings)) for _ in range(workers)]
        time.sleep(3)
        before = _commits(url)
        time.sleep(IDLE_SECONDS)
        idle = (_commits(url) - before) / IDLE_SECONDS
        spent, before, begin = sum(map(_seconds, several)), _commits(url), time.monotonic()
        _deliver(port, mails)
        _wait(app.store)
        took = time.monotonic() - begin
        made = _commits(url) - before - idle * took
        spent = sum(map(_seconds, several)) - spent
    app.close()
    name = f"{workers} workers" if workers > 1 else "a worker"
    yield f"{name}, PostgreSQL", f"{made / TURNS:.1f} transactions a turn", f"idle: {idle:.1f} a second"
    yield (
        f"{name}, processor time",
        f"{spent / TURNS * 1e3:.1f} ms a turn",
        f"{TURNS / took:.0f} turns a second",
    )


@contextmanager
def _pbem(command: str, settings: Mapping[str, str]) -> Iterator[int]:
    """The number of a process that runs `pbem COMMAND`."""
    words = [sys.executable, "-m", "pbem", command]
    with subprocess.Popen(
        words, env={**os.environ, **settings}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        try:
            process.stdout.readline()
            yield process.pid
        finally:
            process.terminate()


def _seconds(process: int) -> float:
    """The processor time of a process so far."""
    parts = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def _commits(url: str) -> int:
    """The transactions of this database so far. A session tells its own within a second."""
    time.sleep(1.5)
    parsed = make_url(url)
    with psycopg.connect(host=str(parsed.query["host"]), user="postgres", dbname="postgres") as db:
        query = "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = %s"
        row = db.execute(query, [parsed.database]).fetchone()
    assert row is not None
    return int(row[0])


def _deliver(port: int, mails: Sequence[Mail]) -> None:
    parts = [mails[n::CONNECTIONS] for n in range(CONNECTIONS)]
    threads = [Thread(target=_sender, args=(port, part)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _sender(port: int, mails: Sequence[Mail]) -> None:
    with socket.create_connection(("127.0.0.1", port)) as connection, connection.makefile("rb") as replies:
        replies.readline()
        connection.sendall(b"LHLO client\r\n")
        while replies.readline()[3:4] == b"-":
            pass
        for raw, recipient in mails:
            envelope = f"MAIL FROM:<joao@example.org>\r\nRCPT TO:<{recipient}>\r\nDATA\r\n".encode()
            connection.sendall(envelope)
            answers = [replies.readline()[:3] for _ in range(3)]
            assert [b"250", b"250", b"354"] == answers, answers
            text = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n").replace(b"\r\n.", b"\r\n..")
            connection.sendall(text + b"\r\n.\r\n")
            assert replies.readline().startswith(b"250 ")


def _wait(store: Store) -> None:
    """Wait until every mail is handled and every letter is sent; this asks once a second itself."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        with store.read() as db:
            states = inbox.count_by_state(db)
        if states["letters out"] == {"sent": 2 * TURNS}:
            assert {"done": TURNS} == states["mail in"], states
            return
        time.sleep(1)
    raise AssertionError(states)
