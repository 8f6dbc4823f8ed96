"""The order in which threads take the write lock of SQLite.

SQLite itself only looks at its lock now and then, up to 100 ms apart. A thread that writes again and again
would keep others waiting for long.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition


class WriteQueue:
    """Lets one thread write at a time; threads that ask to be `first` go before all others."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._changed = Condition()
        self._busy = False
        self._first = 0

    @contextmanager
    def turn(self, *, first: bool) -> Iterator[None]:
        """Wait for a turn, and hold it during the block. After some seconds SQLite's lock alone decides."""
        held = self._wait(first=first)
        try:
            yield
        finally:
            if held:
                with self._changed:
                    self._busy = False
                    self._changed.notify_all()

    def _wait(self, *, first: bool) -> bool:
        """True if the turn came in time."""
        with self._changed:
            self._first += first
            try:
                came = self._changed.wait_for(
                    lambda: not self._busy and (first or not self._first), self._seconds
                )
            finally:
                self._first -= first
            self._busy = self._busy or came
            return came
