"""Letters to a relay 30 ms away, which takes PIPELINING; then one recipient in fifty hangs.

The floor is smtplib's `sendmail` on one connection, four round trips a letter, and it waits as long for those
who hang. The relay runs in a process of its own. A recipient that hangs is never answered.
"""

from __future__ import annotations

import smtplib
import socketserver
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from benchmarks.turn import new_app
from pbem.app import App
from pbem.config.parsers import Relay
from pbem.mail.outbound.relay import RelaySender
from pbem.outbox.send import send_due
from pbem.store import outbox
from pbem.store.outbox import OutboundLetter

COUNT, FLOOR_COUNT = 400, 50
PEOPLE = 50
SECONDS_AWAY = 0.03
PATIENCE_SECONDS = 5
"""What a letter is waited for here; a server waits 30 s."""
RAW = b"Subject: x\r\n\r\n" + b"Twenty-four thousand bytes, as a letter with text and HTML has.\r\n" * 380


def measure() -> Iterator[tuple[str, str, str]]:
    """Rows of the table: figure, measured, against what."""
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder, _relay() as port:
        app = new_app(Path(folder))
        lines = app.config.relay_lines
        for hangs, what in ((0, "30 ms away"), (1, "and one recipient in fifty hangs")):
            ours, floor = _ours(app, port, lines, hangs), _floor(port, hangs)
            yield (
                f"letters out, relay {what}",
                f"{ours:.0f} a second",
                f"{lines} lines; floor: {floor:.1f} a second",
            )
        app.close()


def _people(count: int, hangs: int) -> list[str]:
    return [f"{'hangs' if n % PEOPLE < hangs else 'p'}{n % PEOPLE}@x.test" for n in range(count)]


def _ours(app: App, port: int, lines: int, hangs: int) -> float:
    """Letters a second to those who do not hang."""
    sender = RelaySender(Relay("127.0.0.1", port, tls=False), PATIENCE_SECONDS, lines)
    people = _people(COUNT, hangs)
    letters = [
        OutboundLetter(f"{hangs}.{n}", "turn", None, None, None, None, "b@x", who, f"<{hangs}.{n}@x>", RAW)
        for n, who in enumerate(people)
    ]
    with app.store.write() as db:
        outbox.put_in_outbox(db, letters, app.clock())
    others = sum(who.startswith("p") for who in people)
    begin, steps = time.perf_counter(), list[float]()
    app = replace(app, sender=sender, step=lambda _step: steps.append(time.perf_counter()))
    send_due(app, lambda: len(steps) == others)
    sender.close()
    assert len(steps) == others, len(steps)
    return len(steps) / (steps[-1] - begin)


def _floor(port: int, hangs: int) -> float:
    begin, sent, smtp = time.perf_counter(), 0, None
    for who in _people(FLOOR_COUNT, hangs):
        smtp = smtp or smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE_SECONDS)
        try:
            smtp.sendmail("b@x", [who], RAW)
            sent += 1
        except OSError:
            smtp = None
    if smtp is not None:
        smtp.quit()
    return sent / (time.perf_counter() - begin)


class Distant(socketserver.BaseRequestHandler):
    """Every answer is yes, and takes a round trip; those to commands that came together take one."""

    def handle(self) -> None:
        came, in_text = b"", False
        self._say(b"220 here\r\n")
        while new := self.request.recv(65536):
            came, said = came + new, b""
            while (end := came.find(b"\r\n.\r\n" if in_text else b"\r\n")) >= 0:
                line, came = came[:end], came[end + (5 if in_text else 2) :]
                if b"rcpt to:<hangs" in line.lower():
                    self.request.recv(1)  # until the sender gives up
                    return
                said += self._answer(line, in_text)
                in_text = not in_text and line[:4].upper() == b"DATA"
            if said:
                self._say(said)

    def _answer(self, line: bytes, in_text: bool) -> bytes:
        usual = {
            b"EHLO": b"250-here\r\n250-SIZE 10000000\r\n250 PIPELINING",
            b"DATA": b"354 go on",
            b"QUIT": b"221 bye",
        }
        return (b"250 yes" if in_text else usual.get(line[:4].upper(), b"250 yes")) + b"\r\n"

    def _say(self, words: bytes) -> None:
        time.sleep(SECONDS_AWAY)
        self.request.sendall(words)


@contextmanager
def _relay() -> Iterator[int]:
    command = [sys.executable, "-m", "benchmarks.distant"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.terminate()


if __name__ == "__main__":
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Distant) as server:
        print(server.server_address[1], flush=True)
        server.serve_forever()
