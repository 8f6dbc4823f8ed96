"""Web pages over small buffers, and pages that wait a second, each in a process of its own."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pbem.cli.web_server import TimeoutWorker, WebServer
from pbem.config.load import load


class Narrow(TimeoutWorker):
    """An answer that is not read soon blocks its writer."""

    def handle(self, conn: Any) -> Any:
        conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        return super().handle(conn)


class Hasty(TimeoutWorker):
    read_seconds = 1


class NarrowPages(WebServer):
    worker = Narrow


class HastyPages(WebServer):
    worker = Hasty


def serve(kind: type[WebServer], environ: Mapping[str, str], log: Path) -> None:
    os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
    os.environ.clear()
    os.environ.update(environ)
    kind(load()).run()
