"""Rate limits for readers: each has a bucket of requests that refills.

The buckets are in memory, one set per process: reading must write nothing to the database.
"""

from collections import OrderedDict
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


@dataclass
class _Bucket:
    left: float
    at: float


class RateLimit:
    """Rate limit buckets by reader, safe for several threads."""

    def __init__(self, most: int = MAX_BUCKETS) -> None:
        self._most = most
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()
        self._lock = Lock()

    def spend(self, whose: str, rate: Rate, now: float) -> int:
        """Take one request; return 0, or the seconds to wait."""
        with self._lock:
            bucket = self._buckets.setdefault(whose, _Bucket(rate.at_once, now))
            self._buckets.move_to_end(whose)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
            gained = max(0.0, now - bucket.at) * rate.a_minute / 60
            bucket.left, bucket.at = min(rate.at_once, bucket.left + gained), now
            if bucket.left < 1:
                return max(1, ceil((1 - bucket.left) * 60 / rate.a_minute))
            bucket.left -= 1
            return 0

    def give_back(self, whose: str) -> None:
        """Return a request that cost nothing; call it right after `spend`."""
        with self._lock:
            if whose in self._buckets:
                self._buckets[whose].left += 1
