"""SIGTERM and SIGINT, heard by a process that waits for them."""

from __future__ import annotations

import select
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Stopped:
    """Whether this process was told to stop; see `told_to_stop`."""

    def __init__(self, heard: socket.socket) -> None:
        self._heard = heard

    def wait(self, seconds: float | None = None) -> bool:
        """Come back when told to stop, or when so many seconds have passed; whether it was told."""
        ready, _, _ = select.select([self._heard], [], [], seconds)
        return bool(ready)

    def is_set(self) -> bool:
        return self.wait(0)


@contextmanager
def told_to_stop() -> Iterator[Stopped]:
    """From now on SIGTERM and SIGINT are told and end nothing: entered before what must be stopped starts.

    Python runs its handlers between two steps of the main thread, so a signal that comes right before that
    thread blocks, or to another thread, waits with it for good. The system's own handler writes to the
    "wakeup" socket at once, and that ends the wait (documentation of `signal.set_wakeup_fd`).
    """
    heard, told = socket.socketpair()
    with heard, told:
        told.setblocking(False)
        before = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
        handlers = {number: signal.signal(number, lambda *_: None) for number in SIGNALS}
        try:
            yield Stopped(heard)
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(before)
