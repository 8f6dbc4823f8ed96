"""SIGTERM and SIGINT for a process that waits for them."""

import logging
import os
import select
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread

SIGNALS = (signal.SIGTERM, signal.SIGINT)
MAX_SECONDS = 60
"""Maximum seconds to end: longer than a relay needs for a letter, shorter than systemd waits."""

log = logging.getLogger("pbem.stopping")


class StopSignal:
    def __init__(self, heard: socket.socket) -> None:
        self._heard = heard
        self._at_worst: list[Callable[[], object]] = []

    def wait(self, seconds: float | None = None) -> bool:
        ready, _, _ = select.select([self._heard], [], [], seconds)
        return bool(ready)

    def is_set(self) -> bool:
        return self.wait(0)

    def on_kill(self, work: Callable[[], object]) -> None:
        self._at_worst.append(work)

    def kill_after(self, seconds: float, left: socket.socket) -> None:
        """Kill the process this long after the signal. Closing `left` first prevents that."""
        ready, _, _ = select.select([self._heard, left], [], [])
        if left in ready or select.select([left], [], [], seconds)[0]:
            return
        log.error("not at an end %g s after it was told to stop: what was in hand waits in its rows", seconds)
        try:
            for work in self._at_worst:
                work()
        finally:
            os._exit(1)


@contextmanager
def stop_on_signals(most: float = MAX_SECONDS) -> Iterator[StopSignal]:
    """Turn SIGTERM and SIGINT into a flag; kill a process still in the block `most` seconds later.

    Python runs its handlers between two steps of the main thread, so a signal right before that thread blocks
    waits with it for good. The system's own handler writes to the "wakeup" socket, which ends the wait.
    """
    heard, told = socket.socketpair()
    left, leave = socket.socketpair()
    with heard, told, left:
        told.setblocking(False)
        stopped = StopSignal(heard)
        watch = Thread(target=stopped.kill_after, args=(most, left), name="stop", daemon=True)
        watch.start()
        before = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
        handlers = {number: signal.signal(number, lambda *_: None) for number in SIGNALS}
        try:
            yield stopped
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(before)
            leave.close()
            watch.join()
