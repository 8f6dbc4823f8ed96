"""A cache for results that take long to make.

One result is made at a time, so that a reader who asks for many costs one processor at most. Few may wait.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock, Semaphore

from flask import current_app
from werkzeug.exceptions import ServiceUnavailable

CACHE_SIZE = 40
"""Cached results, pictures and files of records, some 100 kB each."""
MAX_WAITING = 3
RETRY_SECONDS = 10
"""Seconds after which a refused reader may ask again."""


class Busy(ServiceUnavailable):
    description = "Many ask just now for what takes long to make. Please try again in a moment."


def cached(key: Hashable, make: Callable[[], bytes]) -> bytes:
    return current_app.extensions["cache"].get(key, make)


class Cache:
    """Results by key, `most` at once, safe for several threads."""

    def __init__(self, most: int = CACHE_SIZE) -> None:
        self._most = most
        self._found: OrderedDict[Hashable, bytes] = OrderedDict()
        self._looking, self._making = Lock(), Lock()
        self._line = Semaphore(1 + MAX_WAITING)

    def get(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        """The result for this key, made now if missing; raises Busy."""
        if (found := self._lookup(key)) is not None:
            return found
        if not self._line.acquire(blocking=False):
            raise Busy(retry_after=RETRY_SECONDS)
        try:
            with self._making:  # another thread may have made it meanwhile
                if (found := self._lookup(key)) is None:
                    found = make()
                    with self._looking:
                        self._found[key] = found
                        if len(self._found) > self._most:
                            self._found.popitem(last=False)
                return found
        finally:
            self._line.release()

    def _lookup(self, key: Hashable) -> bytes | None:
        with self._looking:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)
