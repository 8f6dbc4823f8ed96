"""Sample letters as SpamAssassin and rspamd score them, by the rules that need no network.

`python -m tests.mail.spam_filters`, as root, prints a table: letter, score and rules of each.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import format_datetime, parseaddr
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.mail.outbound.dkim_sign import Signer, new_key
from tests.mail.letters import SAMPLES, headers_of, sample_bytes
from tests.people import HOST

SIGNER = Signer(HOST, "pbem", new_key("rsa"))
NO_NETWORK = ("unshare", "--net")
OUTSIDE = "93.184.215.14"
"""A public address, from which the letters come."""
ASKS_DNS = "arc asn dkim dmarc fuzzy_check mx_check neural phishing rbl rspamd_update spf surbl whitelist"
"""Modules of rspamd that ask servers or fetch maps."""
PICTURED = "turn-pictured"
"""A turn whose board is a picture, beside the samples."""
START_SECONDS = 120


@dataclass(frozen=True)
class Score:
    """What a filter says of a letter; rules that score nothing are left out."""

    points: float
    rules: str


def signed_samples() -> dict[str, bytes]:
    """Return each sample as another server gets it: of today, signed, below a Received line."""
    now, turn = datetime.now(UTC), SAMPLES["turn"]
    assert turn.player is not None
    reader = replace(turn.player, preferences=replace(turn.player.preferences, board="picture"))
    letters = {**SAMPLES, PICTURED: replace(turn, player=reader)}
    return {name: _received(_dated(sample_bytes(letter), now), now) for name, letter in letters.items()}


def _dated(raw: bytes, now: datetime) -> bytes:
    return re.sub(rb"(?m)^Date: .*\r$", f"Date: {format_datetime(now)}\r".encode(), raw, count=1)


def _received(raw: bytes, now: datetime) -> bytes:
    line = (
        f"Received: from {HOST} ({HOST} [{OUTSIDE}])\r\n\tby mx.example.com with ESMTPS id 4ZxYw1;\r\n"
        f"\t{format_datetime(now)}\r\n"
    )
    return line.encode() + SIGNER.sign(raw, now)


def spamassassin_scores(letters: Mapping[str, bytes]) -> dict[str, Score]:
    """Score all letters in one run of SpamAssassin, as Debian sets it up, without what it has learned."""
    with TemporaryDirectory() as folder:
        mbox, home = Path(folder) / "mbox", Path(folder)
        mbox.write_bytes(b"".join(_in_mbox(name, raw) for name, raw in letters.items()))
        (home / "prefs").touch()
        settings = (
            "use_bayes 0",
            "report_safe 0",
            "fold_headers 0",
            "add_header all Status _SCORE_ _TESTSSCORES_",
        )
        run = subprocess.run(
            [
                *NO_NETWORK,
                "spamassassin",
                "-L",
                "--mbox",
                "-p",
                home / "prefs",
                *(f"--cf={one}" for one in settings),
                mbox,
            ],
            check=True,
            capture_output=True,
            env={**os.environ, "HOME": folder},
        )
    said = run.stdout.decode("utf-8", "replace")
    found = re.findall(r"(?ms)^X-Spam-Status: (\S+) (\S*)$.*?^X-Sample: (\S+)$", said)
    return {name: Score(float(points), _without_zeros(rules)) for points, rules, name in found}


def _in_mbox(name: str, raw: bytes) -> bytes:
    body = re.sub(rb"(?m)^From ", b">From ", raw.replace(b"\r\n", b"\n"))
    return b"From play Mon Mar  2 12:00:00 2026\nX-Sample: %s\n%s\n" % (name.encode(), body)


def _without_zeros(rules: str) -> str:
    return " ".join(rule for rule in rules.split(",") if not re.search(r"=-?0(\.0\d*)?$|^none$", rule))


def rspamd_scores(letters: Mapping[str, bytes]) -> dict[str, Score]:
    with TemporaryDirectory() as folder, _rspamd(Path(folder)) as door:
        return {name: _ask_rspamd(door, raw) for name, raw in letters.items()}


@contextmanager
def _rspamd(folder: Path) -> Iterator[Path]:
    """Run Debian's rspamd with one worker behind a socket file, which needs no network."""
    own, door = folder / "override.d", folder / "door"
    own.mkdir()
    (own / "worker-normal.inc").write_text(f'bind_socket = "{door} mode=0600";\ncount = 1;\n')
    (own / "options.inc").write_text('dns { nameserver = ["127.0.0.1"]; timeout = 0.01; retransmits = 1; }\n')
    (own / "logging.inc").write_text('type = "console";\n')
    for worker in ("controller", "fuzzy", "proxy"):
        (own / f"worker-{worker}.inc").write_text("enabled = false;\n")
    for module in ASKS_DNS.split():
        (own / f"{module}.conf").write_text("enabled = false;\n")
    places = [f"--var={name}={folder}" for name in ("LOCAL_CONFDIR", "DBDIR", "RUNDIR", "LOGDIR")]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [*NO_NETWORK, "rspamd", "-f", "-i", "-c", "/etc/rspamd/rspamd.conf", *places],
            stdout=log,
            stderr=log,
        )
        try:
            yield _wait_for(door, server)
        finally:
            server.terminate()
            server.wait()


def _wait_for(door: Path, server: subprocess.Popen[bytes]) -> Path:
    ends = time.monotonic() + START_SECONDS
    while time.monotonic() < ends and server.poll() is None:
        with closing(_Door(door)) as connection, suppress(OSError):
            connection.connect()
            return door
        time.sleep(0.2)
    raise RuntimeError("rspamd has not begun to listen")


class _Door(http.client.HTTPConnection):
    """HTTP by a socket file."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost")
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(str(self.path))


def _ask_rspamd(door: Path, raw: bytes) -> Score:
    known = {"IP": OUTSIDE, "Helo": HOST, "Hostname": HOST, "From": f"play@{HOST}"}
    rcpt = parseaddr(headers_of(raw)["To"])[1]
    with closing(_Door(door)) as connection:
        connection.request("POST", "/checkv2", raw, {**known, "Rcpt": rcpt})
        answer = json.load(connection.getresponse())
    rules = {name: found["score"] for name, found in answer["symbols"].items() if found["score"]}
    return Score(answer["score"], " ".join(f"{name}={points:g}" for name, points in sorted(rules.items())))


def table() -> Iterator[str]:
    """Lines of a table in Markdown, the worst letters first."""
    letters = signed_samples()
    by_both = spamassassin_scores(letters), rspamd_scores(letters)
    yield "| letter | SpamAssassin | rules | rspamd | symbols |"
    yield "|---|--:|---|--:|---|"
    for name in sorted(letters, key=lambda name: [-scores[name].points for scores in by_both]):
        said = " | ".join(f"{scores[name].points:g} | {scores[name].rules}" for scores in by_both)
        yield f"| {name} | {said} |"


if __name__ == "__main__":
    print("\n".join(table()))
