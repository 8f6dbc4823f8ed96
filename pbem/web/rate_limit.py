"""Rate limits for readers: each has a bucket of requests that refills.

The buckets are in memory, one set per process: reading must write nothing to the database.
"""

from dataclasses import dataclass
from math import ceil
from threading import Lock

MAX_BUCKETS = 20_000
"""Buckets kept in memory; the one unused longest is dropped first, and its reader begins with a full one."""


@dataclass(frozen=True)
class Rate:
    """Requests allowed at once, and the requests added per minute."""

    at_once: int
    a_minute: int


class RateLimit:
    """Rate limit buckets by reader, safe for several threads."""

    def __init__(self, most: int = MAX_BUCKETS) -> None:
        self._most = most
        self._buckets: dict[str, tuple[float, float]] = {}  # what is left, and since when
        self._lock = Lock()

    def spend(self, whose: str, rate: Rate, now: float) -> int:
        """Take one request; return 0, or the seconds to wait."""
        with self._lock:
            left, at = self._buckets.pop(whose, (rate.at_once, now))
            left = min(rate.at_once, left + max(0.0, now - at) * rate.a_minute / 60)
            wait = 0 if left >= 1 else max(1, ceil((1 - left) * 60 / rate.a_minute))
            self._buckets[whose] = (left if wait else left - 1, now)  # the newest is last
            if len(self._buckets) > self._most:
                del self._buckets[next(iter(self._buckets))]
            return wait

    def give_back(self, whose: str) -> None:
        """Return a request that cost nothing; call it right after `spend`."""
        with self._lock:
            if whose in self._buckets:
                left, at = self._buckets[whose]
                self._buckets[whose] = (left + 1, at)
