"""How much a visitor may read: a purse of requests for each, which fills again as time goes by.

Kept in memory, by each process for itself: reading must write nothing, and a restart may forget who read.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from math import ceil
from threading import Lock

MOST_PURSES = 20_000
"""How many are remembered; who was seen longest ago goes first, and has a full one when he comes again."""


@dataclass(frozen=True)
class Rate:
    """So many requests at once, and so many more each minute."""

    at_once: int
    a_minute: int


@dataclass
class _Purse:
    left: float
    at: float


class Allowance:
    """Purses by whose they are; safe to use from several threads."""

    def __init__(self, most: int = MOST_PURSES) -> None:
        self._most = most
        self._purses: OrderedDict[str, _Purse] = OrderedDict()
        self._lock = Lock()

    def spend(self, whose: str, rate: Rate, now: float) -> int:
        """0 if there was a request left, which is taken; else the seconds until there is one."""
        with self._lock:
            purse = self._filled(whose, rate, now)
            if purse.left < 1:
                return max(1, ceil((1 - purse.left) * 60 / rate.a_minute))
            purse.left -= 1
            return 0

    def give_back(self, whose: str) -> None:
        """One that was spent cost nothing after all; only for who has just spent it."""
        with self._lock:
            if whose in self._purses:
                self._purses[whose].left += 1

    def _filled(self, whose: str, rate: Rate, now: float) -> _Purse:
        purse = self._purses.setdefault(whose, _Purse(rate.at_once, now))
        self._purses.move_to_end(whose)
        if len(self._purses) > self._most:
            self._purses.popitem(last=False)
        gained = max(0.0, now - purse.at) * rate.a_minute / 60
        purse.left, purse.at = min(rate.at_once, purse.left + gained), now
        return purse
