"""Servers of the standard library in a thread of their own."""

from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import BaseServer
from threading import Thread
from typing import TypeVar

POLL_SECONDS = 0.01
"""By default a server asks every half second if it is to stop, and each test would wait for that."""

Server = TypeVar("Server", bound=BaseServer)


@contextmanager
def serving(server: Server) -> Iterator[Server]:
    """Run a server in a thread, and stop it at the end."""
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": POLL_SECONDS})
    with server:
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
