"""The web pages under gunicorn, as an application that starts itself.

A slow or endless client costs one waiting thread for a while: a page is made only after the whole request has
arrived. If threads run out, the oldest connection of the network with the most connections is closed.
"""

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

from pbem.app import open_app
from pbem.config.logs import formatter, set_up_logs
from pbem.config.table import Config
from pbem.core.connections import connection_to_close, network_of
from pbem.web import FORM_BYTES, create_app
from pbem.web.ops.webhooks import POST_SIZE_FACTOR

THREADS = 400
"""Maximum connections in reading or writing. A waiting thread costs little."""
SPARE_THREADS = 16
MAX_CONNECTIONS = 800
"""Maximum connections, idle ones included. It is below the 1,024 files that a process usually may open."""
MAX_PAGES = 8
"""Maximum pages made at a time. Enough for a club, and good for one SQLite file."""
STOP_SECONDS = 10

Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]


class TimeoutWorker(ThreadWorker):
    """A gunicorn worker that closes slow connections, and the oldest ones if threads run out."""

    read_seconds = 20
    """Maximum seconds for a request to arrive."""
    all_seconds = 120
    """Maximum seconds for a request and its answer."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._here: dict[TConn, tuple[str, float]] = {}

    def enqueue_req(self, conn: TConn) -> None:
        """Record a new connection. Time counts from here, as slow clients in the queue are slow already."""
        network = network_of(conn.client[0] if isinstance(conn.client, tuple) else "")
        self._here[conn] = network, time.monotonic()
        here = self._here.copy()  # other threads remove answered ones
        if len(here) > self.cfg.threads - SPARE_THREADS:
            gone = connection_to_close(here)
            self._here.pop(gone, None)
            with suppress(OSError):
                gone.sock.shutdown(socket.SHUT_RDWR)
        super().enqueue_req(conn)

    def handle(self, conn: TConn) -> Any:
        """Answer a request, and wait here for the client to close. The shared thread need not wait."""
        try:
            kept = super().handle(conn)
            if not kept:
                conn.close(graceful=True)
                conn.close = lambda graceful=False: None  # it is closed already
            return kept
        finally:
            self._here.pop(conn, None)

    def notify(self) -> None:
        """Close late connections. The thread that closes sockets calls this at least once a second."""
        super().notify()
        now = time.monotonic()
        for conn, (_, since) in self._here.copy().items():
            with suppress(OSError):
                if now - since > self.all_seconds:
                    conn.sock.shutdown(socket.SHUT_RDWR)
                elif now - since > self.read_seconds:
                    conn.sock.shutdown(socket.SHUT_RD)  # a request read by then is still answered


class WebServer(BaseApplication):
    worker = TimeoutWorker

    def __init__(self, config: Config, fd: int | None = None) -> None:
        """`fd`: a listening socket's number, instead of the place in the settings."""
        self._settings = config
        self._fd = fd
        super().__init__()

    def load_config(self) -> None:
        for name, value in {
            "bind": str(self._settings.web_listen) if self._fd is None else f"fd://{self._fd}",
            "workers": 1,
            "threads": THREADS,
            "worker_connections": MAX_CONNECTIONS,
            "worker_class": self.worker,
            "graceful_timeout": STOP_SECONDS,
            "loglevel": "error",  # its warnings hold visitors' addresses, links, cookies
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
            handler.setFormatter(formatter(self._settings))
        mails = POST_SIZE_FACTOR * self._settings.max_mail
        return limit_concurrency(create_app(open_app(self._settings)).wsgi_app, MAX_PAGES, mails)


def limit_concurrency(app: Wsgi, pages: int, mails: int) -> Wsgi:
    """The application with a limit on pages at a time. `mails`: maximum bytes of a body on mail routes."""
    room = Semaphore(pages)

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        try:
            _buffer_body(environ, mails if environ.get("PATH_INFO", "").startswith("/mail/") else FORM_BYTES)
        except Exception:  # bad chunks, a line cut off
            start_response("400 Bad Request", [("Content-Type", "text/plain"), ("Cache-Control", "no-store")])
            return [b"The request came in pieces.\n"]
        with room:
            return app(environ, start_response)

    return answer


def _buffer_body(environ: dict[str, Any], ahead: int) -> None:
    """Read the body in advance. Without a stated length, read up to one byte over the limit."""
    stated = environ.get("CONTENT_LENGTH", "")
    if int(stated or 0) > ahead:
        return
    body = environ["wsgi.input"].read(int(stated) if stated else ahead + 1)
    environ["CONTENT_LENGTH"] = stated or str(len(body))
    environ["wsgi.input"] = BytesIO(body)
