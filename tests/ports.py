"""A port for a program that has to be told its port before it listens there.

The system gives a port of its own choice to whoever asks for any, and that may be the one just looked for.
Those here lie below what it chooses from, and each test process counts through ports of its own.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from itertools import count

LOWEST, HIGHEST = 10_000, 32_000
STRIDE = 97
"""Between the first ports of two processes of which one started right after the other."""


def _ports() -> Iterator[int]:
    first = os.getpid() * STRIDE
    return (LOWEST + (first + n) % (HIGHEST - LOWEST) for n in count())


_own = _ports()


def free_port() -> int:
    """A port on 127.0.0.1 at which nobody listens, and which no other test is given."""
    return next(port for port in _own if _free(port))


def _free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
