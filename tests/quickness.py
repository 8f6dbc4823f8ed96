"""Time limits of tests, reliable on slow or busy machines.

Only this thread's own processor time counts, and the quickest of a few tries: garbage collection in one of
them changes nothing. Bad code is slow each time, and by far.
"""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time
from typing import TypeVar

SPARE = 4
"""Factor by which another machine may be slower than the author's."""
TRIES = 5

T = TypeVar("T")


def quick(seconds: float, work: Callable[[], T]) -> T:
    """The result of `work`; fails if each try takes longer. `work` must bear repeating."""
    took = []
    for _ in range(TRIES):
        began = thread_time()
        found = work()
        took.append(thread_time() - began)
        if took[-1] < SPARE * seconds:
            return found
    raise AssertionError(f"{min(took):.3f} s at best is more than {SPARE} times {seconds} s")
