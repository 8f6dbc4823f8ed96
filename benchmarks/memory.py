"""Memory of `pbem serve` after many requests for every page, each from another address.

The server has games in every state (`tests.web.filled`) and no bots. Sixteen clients ask at once, four
requests in ten for static files, and often with the ETag they had. Memory that processes share is counted
once: the sum of their PSS. The floor is a server that nobody has asked yet.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from threading import Barrier, Thread

from pbem.store.engine import open_store
from pbem.store.migrate import migrate
from tests.ports import free_port
from tests.web.filled import fill

STEPS = (15_000, 180_000)
CLIENTS = 16
PATIENCE_SECONDS = 60
HOST = "games.example.org"


def measure() -> Iterator[tuple[str, str, str]]:
    """Rows of the table: figure, measured, against what."""
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder, _serve(Path(folder)) as (server, port):
        paths = json.loads(Path(folder, "paths.json").read_text())
        floor, done = _memory(server.pid), 0
        yield "pbem serve, nobody has asked", _told(floor), "the floor"
        for step in STEPS:
            _ask(port, paths, step - done, seed=done)
            done, now = step, _memory(server.pid)
            yield f"pbem serve after {step} requests", _told(now), f"{sum(now) / sum(floor):.2f}"


@contextmanager
def _serve(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    port, url = free_port(), f"sqlite:///{folder}/pbem.sqlite"
    store = open_store(url)
    migrate(store)
    store.close()
    house = fill(folder, url)
    (folder / "paths.json").write_text(json.dumps(house.paths))
    house.app.store.close()
    settings = {
        "PBEM_VAR": str(folder),
        "PBEM_DATABASE": url,
        "PBEM_SECRET": "s" * 32,
        "PBEM_HOST": HOST,
        "PBEM_SITE": f"https://{HOST}",
        "PBEM_RELAY": "smtp://127.0.0.1:1",
        "PBEM_WEB_LISTEN": f"127.0.0.1:{port}",
        "PBEM_SMTP_LISTEN": "off",
        "PBEM_LMTP_LISTEN": "off",
        "PBEM_PROXIES": "1",
        "PBEM_BOTS": "off",
    }
    words = [sys.executable, "-m", "pbem", "serve"]
    quiet = subprocess.DEVNULL
    server = subprocess.Popen(words, env={**os.environ, **settings}, stdout=quiet, stderr=quiet)
    try:
        _wait_for(port)
        yield server, port
    finally:
        server.terminate()
        server.wait(PATIENCE_SECONDS)


def _wait_for(port: int) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            time.sleep(2)  # the worker looks around
            return
        time.sleep(0.1)
    raise TimeoutError("pbem serve does not answer")


def _ask(port: int, paths: list[str], number: int, seed: int) -> None:
    together = Barrier(CLIENTS)
    clients = [
        Thread(target=_ask_alone, args=(port, paths, number // CLIENTS, Random(seed + n), together))
        for n in range(CLIENTS)
    ]
    for each in clients:
        each.start()
    for each in clients:
        each.join()


def _ask_alone(port: int, paths: list[str], number: int, chance: Random, together: Barrier) -> None:
    together.wait()
    static = [path for path in paths if path.startswith("/static")] or ["/robots.txt"]
    tags: dict[str, str] = {}
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    for _ in range(number):
        path = chance.choice(static if chance.random() < 0.4 else paths)
        try:
            line.request("GET", path, headers=_headers(chance, tags.get(path)))
            answer = line.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException):
            line.close()  # the server closes a line of many requests
            continue
        if answer.status == 200 and (tag := answer.getheader("ETag")):
            tags[path] = tag


def _headers(chance: Random, tag: str | None) -> Mapping[str, str]:
    visitor = ".".join(str(chance.randrange(1, 255)) for _ in range(4))
    asked = {
        "Host": HOST,
        "X-Forwarded-For": visitor,
        "X-Forwarded-Proto": "https",
        "Accept-Encoding": "gzip",
    }
    return {**asked, "If-None-Match": tag} if tag and chance.random() < 0.8 else asked


def _memory(pid: int) -> list[float]:
    """The PSS of a process and of all below it, in MiB."""
    found = [pid]
    for each in found:
        for task in Path(f"/proc/{each}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return [_pss(each) for each in found]


def _pss(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def _told(each: list[float]) -> str:
    return f"{sum(each):.0f} MiB ({' + '.join(f'{part:.0f}' for part in each)})"
