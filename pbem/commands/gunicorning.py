"""The web pages under gunicorn, as an application that starts itself.

Whoever sends or reads slowly, or never ends, costs a thread that waits and nothing else, and that for a
while: a page is made once the whole request is here, and only so many are made at a time. Where there are
more visitors than threads, whoever has kept one longest goes, of the network that has the most.
"""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from io import BytesIO
from threading import Semaphore
from typing import Any

from gunicorn.app.base import BaseApplication
from gunicorn.workers.gthread import TConn, ThreadWorker

from pbem.commands.common import Redacted, set_up_logs
from pbem.core.crowd import network_of, one_to_leave
from pbem.office import open_office
from pbem.settings import Settings
from pbem.web import FORM_BYTES, create_app
from pbem.web.intake import WRAPPING

THREADS = 400
"""Connections that may be read from, or written to, at a time; a thread that waits costs little."""
SPARE = 16
"""Threads kept free for whoever comes next."""
MAX_CONNECTIONS = 800
"""With those that are kept alive: below the 1,024 files that a process usually may have open."""
AT_ONCE = 8
"""Pages made at a time: enough for a club, and one SQLite file likes it so."""
STOP_SECONDS = 10

Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]


class Impatient(ThreadWorker):
    """Hangs up on connections that hold a thread, or wait for one, for too long, or when threads are few."""

    read_seconds = 20
    """How long a request may take to come."""
    all_seconds = 120
    """And to come and be answered."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._here: dict[TConn, tuple[str, float]] = {}
        """The network of each connection that has a thread or waits for one, and since when."""

    def enqueue_req(self, conn: TConn) -> None:
        """From here on it counts: of a thousand who are slow, those in the line are so already."""
        self._here[conn] = _network(conn), time.monotonic()
        self._make_room()
        super().enqueue_req(conn)

    def _make_room(self) -> None:
        here = self._here.copy()  # other threads take out what they have answered
        if len(here) > self.cfg.threads - SPARE:
            gone = one_to_leave(here)
            self._here.pop(gone, None)
            with suppress(OSError):
                gone.sock.shutdown(socket.SHUT_RDWR)

    def handle(self, conn: TConn) -> Any:
        """Answer a request; and wait here for the other side to hang up, not in the thread that all share."""
        try:
            kept = super().handle(conn)
            if not kept:
                conn.close(graceful=True)
                conn.close = _nothing
            return kept
        finally:
            self._here.pop(conn, None)

    def notify(self) -> None:
        """Once a second at least, by the thread that closes sockets."""
        super().notify()
        now = time.monotonic()
        for conn, (_, since) in self._here.copy().items():
            with suppress(OSError):
                if now - since > self.all_seconds:
                    conn.sock.shutdown(socket.SHUT_RDWR)
                elif now - since > self.read_seconds:
                    conn.sock.shutdown(socket.SHUT_RD)  # what was read by then is still answered


def _network(conn: TConn) -> str:
    return network_of(conn.client[0] if isinstance(conn.client, tuple) else "")


def _nothing(graceful: bool = False) -> None:
    """Stand for the close of a connection that is closed."""


class Pages(BaseApplication):
    """One worker process with threads."""

    worker = Impatient

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        super().__init__()

    def load_config(self) -> None:
        for name, value in {
            "bind": str(self._settings.web_listen),
            "workers": 1,
            "threads": THREADS,
            "worker_connections": MAX_CONNECTIONS,
            "worker_class": self.worker,
            "graceful_timeout": STOP_SECONDS,
            "loglevel": "error",  # what it warns of is visitors' requests: addresses, links, cookies
            "proc_name": "pbem web",
            "control_socket_disable": True,
            "forwarded_allow_ips": "",  # behind a proxy every visitor's headers come from a trusted peer
            "forwarder_headers": "",
        }.items():
            if name in self.cfg.settings:
                self.cfg.set(name, value)

    def load(self) -> Any:
        set_up_logs(self._settings)
        for handler in logging.getLogger("gunicorn.error").handlers:
            handler.setFormatter(Redacted())
        mails = WRAPPING * self._settings.max_mail
        return some_at_once(create_app(open_office(self._settings)).wsgi_app, AT_ONCE, mails)


def some_at_once(app: Wsgi, pages: int, mails: int) -> Wsgi:
    """The application, asked for so many pages at a time, each with the body of its request at hand.

    `mails`: how many bytes a body may have where mail comes in. A longer one than its page takes is left to
    the application to refuse.
    """
    room = Semaphore(pages)

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        try:
            _read_ahead(environ, mails if environ.get("PATH_INFO", "").startswith("/mail/") else FORM_BYTES)
        except Exception:  # pieces that are none, a line that is cut
            start_response("400 Bad Request", [("Content-Type", "text/plain"), ("Cache-Control", "no-store")])
            return [b"The request came in pieces.\n"]
        with room:
            return app(environ, start_response)

    return answer


def _read_ahead(environ: dict[str, Any], ahead: int) -> None:
    """Take the body off the line; of one that does not say how long it is, as much as makes it too long."""
    stated = environ.get("CONTENT_LENGTH", "")
    if int(stated or 0) > ahead:
        return
    body = environ["wsgi.input"].read(int(stated) if stated else ahead + 1)
    environ["CONTENT_LENGTH"] = stated or str(len(body))
    environ["wsgi.input"] = BytesIO(body)
