"""Turns by mail on PostgreSQL with 1, 2 and 4 workers, from LMTP to the relay: transactions a turn.

`pbem mail` and each `pbem work` are processes of their own, and so is the relay. Each worker plays some turns
before it is measured. The database counts its own transactions (`pg_stat_database`). Those of an idle second
are counted first, and are in no other figure.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
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
WARM_TURNS = 100
"""Turns that each worker plays before it is measured: templates and statements are compiled in them."""
TURNS = 400
CONNECTIONS = 8
IDLE_SECONDS = 10
PATIENCE_SECONDS = 120
Mail = tuple[bytes, str]


def measure() -> Iterator[tuple[str, str, str]]:
    """Rows of the table: figure, measured, against what."""
    with ExitStack() as stack:
        server, relay = stack.enter_context(postgres_server()), stack.enter_context(sink())
        for workers in WORKERS:
            yield from _played(server, relay, workers)


@dataclass(frozen=True)
class Spent:
    """Transactions, and processor time in seconds."""

    transactions: float
    workers: float
    postgres: float

    def __sub__(self, other: Spent) -> Spent:
        return Spent(*(mine - theirs for mine, theirs in zip(*map(_values, (self, other)), strict=True)))

    def __mul__(self, factor: float) -> Spent:
        return Spent(*(factor * value for value in _values(self)))


def _values(spent: Spent) -> list[float]:
    return [*vars(spent).values()]


def _played(server: Postgres, relay: int, workers: int) -> Iterator[tuple[str, str, str]]:
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder:
        idle, turn, a_second = _measured(server, Path(folder), relay, workers)
    name = f"{workers} workers, PostgreSQL" if workers > 1 else "a worker, PostgreSQL"
    yield f"{name}, turns", f"{a_second:.0f} a second", f"{turn.transactions:.1f} transactions each"
    yield f"{name}, processor time of a turn", _told(turn), ""
    yield f"{name}, idle second", _told(idle), f"{idle.transactions:.1f} transactions"


def _told(spent: Spent) -> str:
    return f"{1e3 * spent.workers:.1f} ms workers + {1e3 * spent.postgres:.1f} ms PostgreSQL"


def _measured(server: Postgres, folder: Path, relay: int, workers: int) -> tuple[Spent, Spent, float]:
    """Measure what an idle second takes, what a turn takes beyond it, and turns a second."""
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
    warm = WARM_TURNS * workers
    mails = [a_game(app, number) for number in range(warm + TURNS)]
    app.store.close()
    with ExitStack() as stack:
        stack.enter_context(started("mail", settings))
        several = [stack.enter_context(started("work", settings)) for _ in range(workers)]

        def spent() -> Spent:
            return Spent(_commits(url), sum(map(_seconds, several)), _server_seconds(server))

        deliver(port, mails[:warm])
        _wait(app.store, warm)
        time.sleep(3)
        before, begin = spent(), time.monotonic()
        time.sleep(IDLE_SECONDS)
        after = spent()
        idle = (after - before) * (1 / (time.monotonic() - begin))
        begin = time.monotonic()
        deliver(port, mails[warm:])
        _wait(app.store, len(mails))
        took = time.monotonic() - begin
        whole = spent() - after - idle * (time.monotonic() - begin)
    app.close()
    return idle, whole * (1 / TURNS), TURNS / took


@contextmanager
def started(command: str, settings: Mapping[str, str]) -> Iterator[int]:
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


def _seconds(process: int, *, ended: bool = False) -> float:
    """The processor time of a process so far; with `ended` also that of its children that have ended."""
    parts = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, parts[11 : 15 if ended else 13])) / os.sysconf("SC_CLK_TCK")


def _server_seconds(server: Postgres) -> float:
    """The processor time of PostgreSQL so far."""
    number = server.processes[-1].pid
    return sum(map(_seconds, _children(number))) + _seconds(number, ended=True)


def _children(process: int) -> Iterator[int]:
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            if int(path.read_text().rpartition(")")[2].split()[1]) == process:
                yield int(path.parent.name)


def _commits(url: str) -> int:
    """The transactions of this database so far. A session tells its own within a second."""
    time.sleep(1.5)
    parsed = make_url(url)
    with psycopg.connect(host=str(parsed.query["host"]), user="postgres", dbname="postgres") as db:
        query = "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = %s"
        row = db.execute(query, [parsed.database]).fetchone()
    assert row is not None
    return int(row[0])


def deliver(port: int, mails: Sequence[Mail]) -> None:
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


def _wait(store: Store, turns: int) -> None:
    """Wait until every mail of so many turns is handled and their letters are sent. Asks once a second."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        with store.read() as db:
            states = inbox.count_by_state(db)
        if states["letters out"] == {"sent": 2 * turns}:
            assert {"done": turns} == states["mail in"], states
            return
        time.sleep(1)
    raise AssertionError(states)
