"""The wait for the 250 of a mail on SQLite while `pbem serve` decides 200 others; its floor is idle.

One more connection by LMTP sends a mail every 20 ms: first while there is no other work, then while the
worker has turns to decide. Each mail is a server's own report, which takes no decision.
"""

from __future__ import annotations

import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import quantiles
from threading import Thread

from benchmarks.letters import sink
from benchmarks.turn import a_game
from benchmarks.workers import deliver, started
from pbem.app import open_app
from pbem.config.load import config_from
from pbem.store import inbox
from pbem.store.engine import Store
from pbem.store.migrate import migrate
from tests.ports import free_port

WARM_TURNS, TURNS = 100, 200
PAUSE_SECONDS = 0.02
IDLE_MAILS = 100


def measure() -> Iterator[tuple[str, str, str]]:
    """Rows of the table: figure, measured, against what."""
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder, sink() as relay:
        idle, busy = _measured(Path(folder), relay)
    for name, waits in (("idle", idle), (f"{TURNS} turns waiting", busy)):
        yield f"250 of serve on SQLite, {name}", _told(waits), f"p50 and p99 of {len(waits)} mails"


def _told(waits: list[float]) -> str:
    parts = quantiles(waits, n=100, method="inclusive")
    return f"{1e3 * parts[49]:.1f}, {1e3 * parts[98]:.0f} ms"


def _measured(folder: Path, relay: int) -> tuple[list[float], list[float]]:
    """The seconds from the end of each mail to its 250: without other work, and beside it."""
    port, web = free_port(), free_port()
    settings = {
        "PBEM_VAR": str(folder),
        "PBEM_SECRET": "s" * 32,
        "PBEM_RELAY": f"smtp://127.0.0.1:{relay}",
        "PBEM_SMTP_LISTEN": "off",
        "PBEM_BOTS": "off",
        "PBEM_UNDO_MINUTES": "0",
        "PBEM_WEB_LISTEN": f"127.0.0.1:{web}",
        "PBEM_LMTP_LISTEN": f"127.0.0.1:{port}",
    }
    app = open_app(config_from(settings))
    migrate(app.store)
    mails = [a_game(app, number) for number in range(WARM_TURNS + TURNS)]
    to = f"play@{app.config.host}"
    with started("serve", settings):
        deliver(port, mails[:WARM_TURNS])
        _wait(app.store)
        left = iter(range(IDLE_MAILS))
        idle = _waits(port, to, lambda: next(left, None) is not None)
        sending = Thread(target=deliver, args=(port, mails[WARM_TURNS:]))
        sending.start()
        busy = _waits(port, to, lambda: sending.is_alive() or _is_busy(app.store))
        sending.join()
    app.close()
    return idle, busy


def _is_busy(store: Store) -> bool:
    with store.read() as db:
        return inbox.count_by_state(db)["mail in"].get("new", 0) > 1


def _wait(store: Store) -> None:
    while _is_busy(store):
        time.sleep(0.2)


def _waits(port: int, to: str, more: Callable[[], bool]) -> list[float]:
    """Send mails as long as there are `more`; returns the seconds to each 250."""
    waits = []
    with socket.create_connection(("127.0.0.1", port)) as connection, connection.makefile("rb") as replies:
        replies.readline()
        connection.sendall(b"LHLO client\r\n")
        while replies.readline()[3:4] == b"-":
            pass
        while more():
            connection.sendall(f"MAIL FROM:<>\r\nRCPT TO:<{to}>\r\nDATA\r\n".encode())
            assert [b"250", b"250", b"354"] == [replies.readline()[:3] for _ in range(3)]
            text = f"From: x@example.org\r\nMessage-ID: <{time.monotonic_ns()}@example.org>\r\n"
            begun = time.perf_counter()
            connection.sendall(f"{text}Auto-Submitted: auto-replied\r\n\r\nAway.\r\n.\r\n".encode())
            assert replies.readline().startswith(b"250 ")
            waits.append(time.perf_counter() - begun)
            time.sleep(PAUSE_SECONDS)
    return waits
