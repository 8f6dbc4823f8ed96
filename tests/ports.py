"""Free ports for programs that need a port before they listen.

A port chosen by the system may be given to another program at once. The ports here lie below that range, and
each test process counts through ports of its own.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from itertools import count

LOWEST, HIGHEST = 10_000, 32_000
STRIDE = 97
"""Distance between the first ports of two processes started in turn."""


def _ports() -> Iterator[int]:
    first = os.getpid() * STRIDE
    return (LOWEST + (first + n) % (HIGHEST - LOWEST) for n in count())


_own = _ports()


def free_port() -> int:
    """A port on 127.0.0.1 without a listener, given to no other test."""
    return next(port for port in _own if _free(port))


def _free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
