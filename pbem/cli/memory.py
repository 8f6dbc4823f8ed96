"""Memory of the server processes, which have many threads and run for months."""

import ctypes
import gc
from contextlib import suppress

M_ARENA_MAX = -8  # mallopt(3)
ARENAS = 1
"""Heaps of the C library, which makes eight for each processor. What one thread frees there no other uses."""


def limit_arenas() -> None:
    """Let all threads share one heap. Call it before threads start; only glibc has the setting."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, ARENAS)


def freeze_loaded() -> None:
    """Keep what is loaded from the garbage collector.

    One look at all of it stops every thread for 90 ms, and in a child it copies pages shared with its parent.
    """
    gc.collect()
    gc.freeze()
