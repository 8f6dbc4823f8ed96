"""Whether something takes no longer than it should, on a machine that may be slow or have much else to do.

What is counted is this thread's own processor time, and the quickest of a few tries: a collection of
garbage that falls into one of them says nothing. What is made badly is slow each time, and by far.
"""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time
from typing import TypeVar

SPARE = 4
"""How much slower than the machine these tests were written on another may be."""
TRIES = 5

T = TypeVar("T")


def quick(seconds: float, work: Callable[[], T]) -> T:
    """What `work` gives. Fails where that takes longer, each time it is tried; so it must bear repeating."""
    took = []
    for _ in range(TRIES):
        began = thread_time()
        found = work()
        took.append(thread_time() - began)
        if took[-1] < SPARE * seconds:
            return found
    raise AssertionError(f"{min(took):.3f} s at best is more than {SPARE} times {seconds} s")
