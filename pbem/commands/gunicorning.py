"""The web pages under gunicorn, as an application that starts itself.

Whoever sends slowly, or never ends, costs a thread that waits and nothing else, and that for a while: a
page is made once the whole request is here, and only so many are made at a time.
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
from pbem.office import open_office
from pbem.settings import Settings
from pbem.web import FORM_BYTES, create_app
from pbem.web.intake import WRAPPING

THREADS = 64
"""Connections that may be read from, or written to, at a time."""
AT_ONCE = 8
"""Pages made at a time: enough for a club, and one SQLite file likes it so."""
STOP_SECONDS = 10

Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]


class Impatient(ThreadWorker):
    """Hangs up on connections that hold a thread, or wait for one, for too long."""

    read_seconds = 20
    """How long a request may take to come."""
    all_seconds = 120
    """And to come and be answered."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._since: dict[TConn, float] = {}

    def enqueue_req(self, conn: TConn) -> None:
        """From here on it counts: of a thousand who are slow, those in the line are so already."""
        self._since[conn] = time.monotonic()
        super().enqueue_req(conn)

    def handle(self, conn: TConn) -> Any:
        try:
            return super().handle(conn)
        finally:
            self._since.pop(conn, None)

    def notify(self) -> None:
        """Once a second at least, by the thread that closes sockets."""
        super().notify()
        now = time.monotonic()
        for conn, since in list(self._since.items()):
            with suppress(OSError):
                if now - since > self.all_seconds:
                    conn.sock.shutdown(socket.SHUT_RDWR)
                elif now - since > self.read_seconds:
                    conn.sock.shutdown(socket.SHUT_RD)  # what was read by then is still answered


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
            "worker_class": self.worker,
            "graceful_timeout": STOP_SECONDS,
            "loglevel": "error",  # what it warns of is visitors' requests: addresses, links, cookies
            "proc_name": "pbem web",
            "control_socket_disable": True,
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


__all__ = ["Impatient", "Pages", "some_at_once"]
