"""Letters out: from the outbox to a mail server that throws them away, over one connection, on SQLite FULL.

The floor hands over the same bytes with smtplib's `sendmail` on one connection and notes each batch with
sqlite3 in one durable commit, knowing nothing of trouble. The mail server runs in a process of its own.
"""

from __future__ import annotations

import smtplib
import socketserver
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median

from benchmarks.turn import a_game, new_app
from pbem.app import App
from pbem.config.parsers import Relay
from pbem.inbox.process import process
from pbem.inbox.receive import receive
from pbem.mail.outbound.dkim_sign import Key, Signer, new_key
from pbem.mail.outbound.relay import RelaySender
from pbem.outbox.send import LEASE, MAX_CLAIMED, send_due
from pbem.store import outbox, outbox_delivery
from pbem.store.outbox import OutboundLetter

COUNT = 1000
ROUNDS = 5
SIGNATURES = 300


def measure() -> Iterator[tuple[str, str, str]]:
    """Rows of the table: figure, measured, against what."""
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder, sink() as port:
        app = new_app(Path(folder))
        raw = _a_letter(app)
        app = replace(app, sender=RelaySender(Relay("127.0.0.1", port, tls=False)))
        ours, floors = [], []
        for n in range(ROUNDS):
            floors.append(_floor(Path(folder) / f"floor{n}.sqlite", port, raw))
            ours.append(_ours(app, n, raw))
        out, floor = median(ours), median(floors)
        yield (
            "letters out (goal: at least 500 a second)",
            f"{1 / out:.0f} a second",
            f"{len(raw)} bytes each, no DKIM",
        )
        yield (
            "its floor: smtplib, sqlite3",
            f"{1 / floor:.0f} a second",
            f"median of {ROUNDS} rounds of {COUNT}",
        )
        yield "letters out / floor", f"{out / floor:.2f}", ""
        for kind in ("rsa", "ed25519"):
            seconds = _signing(new_key(kind), app, raw)
            yield f"signing a letter, {kind}", f"{1 / seconds:.0f} a second", f"{seconds * 1e3:.2f} ms each"
        app.close()


def _a_letter(app: App) -> bytes:
    """The turn letter that a move makes."""
    raw, recipient = a_game(app, 0)
    (key,) = receive(app, raw, "joao@example.org", [recipient])
    process(app, int(key[1:]))
    with app.store.write() as db:
        letters = outbox_delivery.claim_letters(db, app.clock(), LEASE, 100)
        outbox_delivery.record_sent(db, [letter.id for letter in letters], app.clock())
    return max((letter.raw for letter in letters), key=len)


def _ours(app: App, turn: int, raw: bytes) -> float:
    """Seconds a letter."""
    keys = [f"{turn}.{n}" for n in range(COUNT)]
    letters = [
        OutboundLetter(
            key, "turn", None, None, None, None, f"bounce+{key}@x.test", "bill@x.test", f"<{key}@x>", raw
        )
        for key in keys
    ]
    with app.store.write() as db:
        outbox.put_in_outbox(db, letters, app.clock())
    begin = time.perf_counter()
    assert COUNT == send_due(app)
    return (time.perf_counter() - begin) / COUNT


def _floor(path: Path, port: int, raw: bytes) -> float:
    db = sqlite3.connect(path, isolation_level=None)
    db.executescript(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
        "CREATE TABLE outbox (id INTEGER PRIMARY KEY, raw BLOB, state TEXT);"
    )
    db.executemany("INSERT INTO outbox VALUES (?, ?, 'queued')", [(n, raw) for n in range(COUNT)])
    begin = time.perf_counter()
    with smtplib.SMTP("127.0.0.1", port) as smtp:
        for first in range(0, COUNT, MAX_CLAIMED):
            due = db.execute(
                "SELECT id, raw FROM outbox WHERE id >= ? LIMIT ?", (first, MAX_CLAIMED)
            ).fetchall()
            for id, letter in due:
                smtp.sendmail(f"bounce+{id}@x.test", ["bill@x.test"], letter)
            db.execute("UPDATE outbox SET state = 'sent' WHERE id BETWEEN ? AND ?", (first, due[-1][0]))
    spent = (time.perf_counter() - begin) / COUNT
    db.close()
    return spent


def _signing(key: Key, app: App, raw: bytes) -> float:
    signer, now = Signer("games.example.org", "pbem", key), app.now()
    begin = time.perf_counter()
    for _ in range(SIGNATURES):
        signer.sign(raw, now)
    return (time.perf_counter() - begin) / SIGNATURES


# ------------------------------------------------------------------------------- the mail server


class Discard(socketserver.StreamRequestHandler):
    """As little as a mail server can do: every answer is yes, every letter is thrown away."""

    disable_nagle_algorithm = True

    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        for line in self.rfile:
            verb = line[:4].upper()
            if verb == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                while self.rfile.readline() != b".\r\n":
                    pass
            elif verb == b"EHLO":
                self.wfile.write(b"250-here\r\n250-SIZE 10000000\r\n")
            self.wfile.write(b"221 bye\r\n" if verb == b"QUIT" else b"250 yes\r\n")
            if verb == b"QUIT":
                return


@contextmanager
def sink() -> Iterator[int]:
    """The port of a mail server in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.letters"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.terminate()


if __name__ == "__main__":
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Discard) as server:
        print(server.server_address[1], flush=True)
        server.serve_forever()
