"""Signals: those that end a process, and SIGHUP, which reloads its files."""

import logging
import os
import select
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from time import monotonic, sleep

SIGNALS = (signal.SIGTERM, signal.SIGINT)
MAX_SECONDS = 60
"""Maximum seconds to end: longer than a relay needs for a letter, shorter than systemd waits."""

log = logging.getLogger("pbem.serving")


class StopSignal:
    def __init__(self, heard: socket.socket) -> None:
        self._heard = heard
        self.before_kill: Callable[[], object] = lambda: None
        self.reload: Callable[[], object] = lambda: None
        """Called at SIGHUP, in another thread."""

    def wait(self, seconds: float | None = None) -> bool:
        end = None if seconds is None else monotonic() + seconds
        while True:
            left = None if end is None else max(0.0, end - monotonic())
            if not select.select([self._heard], [], [], left)[0]:
                return False
            if self._next() != signal.SIGHUP:
                return True
            sleep(0.01)  # the other thread takes it

    def _next(self) -> int:
        """Return the next waiting signal; SIGHUP if another thread took it."""
        try:
            return self._heard.recv(1, socket.MSG_PEEK)[0]
        except BlockingIOError:
            return signal.SIGHUP

    def is_set(self) -> bool:
        return self.wait(0)

    def watch(self, seconds: float, left: socket.socket) -> None:
        """Reload at SIGHUP; kill the process this long after another signal. Closing `left` prevents that."""
        while True:
            ready, _, _ = select.select([self._heard, left], [], [])
            if left in ready or self._next() != signal.SIGHUP:
                break
            self._heard.recv(1)
            try:
                self.reload()
            except Exception:
                log.exception("nothing was read again")
        if left in ready or select.select([left], [], [], seconds)[0]:
            return
        log.error("not at an end %g s after it was told to stop: what was in hand waits in its rows", seconds)
        try:
            self.before_kill()
        finally:
            os._exit(1)


@contextmanager
def stop_on_signals(most: float = MAX_SECONDS) -> Iterator[StopSignal]:
    """Turn SIGTERM and SIGINT into a flag. A process still in the block `most` seconds later is killed.

    SIGHUP reloads, but for a process at a terminal, which has gone then.

    Python runs its handlers between two steps of the main thread, so a signal right before that thread blocks
    waits with it for good. The system's own handler writes to the "wakeup" socket, which ends the wait.
    """
    heard, told = socket.socketpair()
    left, leave = socket.socketpair()
    with heard, told, left:
        told.setblocking(False)
        heard.setblocking(False)
        stopped = StopSignal(heard)
        watch = Thread(target=stopped.watch, args=(most, left), name="stop", daemon=True)
        watch.start()
        signals = SIGNALS if os.isatty(0) else (*SIGNALS, signal.SIGHUP)
        before = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
        handlers = {number: signal.signal(number, lambda *_: None) for number in signals}
        try:
            yield stopped
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(before)
            leave.close()
            watch.join()
