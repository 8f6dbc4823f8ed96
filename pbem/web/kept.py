"""What takes long to make, kept while there is room: the one used longest ago goes first.

One thing at a time is made, so that whoever asks for many costs no more than one processor; and few may
wait for theirs, so that he costs nobody else a place. What is at hand is given at once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock, Semaphore

from werkzeug.exceptions import ServiceUnavailable

WAITING = 3
"""How many may wait while something is made."""
SOON = 10
"""Seconds after which to ask again."""


class Busy(ServiceUnavailable):
    """Too many wait already."""

    def __init__(self) -> None:
        sentence = "Many ask just now for what takes long to make. Please try again in a moment."
        super().__init__(sentence, retry_after=SOON)


class Kept:
    """At most `most` things by their keys; safe to ask from several threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: OrderedDict[Hashable, bytes] = OrderedDict()
        self._looking, self._making = Lock(), Lock()
        self._line = Semaphore(1 + WAITING)

    def get(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        """The thing of this key, made now if it is not there. Raises Busy."""
        found = self._at_hand(key)
        if found is not None:
            return found
        if not self._line.acquire(blocking=False):
            raise Busy
        try:
            with self._making:  # somebody before us may have made it
                found = self._at_hand(key)
                return self._put(key, make()) if found is None else found
        finally:
            self._line.release()

    def _at_hand(self, key: Hashable) -> bytes | None:
        with self._looking:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def _put(self, key: Hashable, thing: bytes) -> bytes:
        with self._looking:
            self._found[key] = thing
            if len(self._found) > self._most:
                self._found.popitem(last=False)
        return thing
