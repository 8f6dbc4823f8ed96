"""The talk with a service manager such as systemd: sd_notify(3) and sd_listen_fds(3)."""

import os
import socket
from time import monotonic

from pbem.config.load import take_variables

FIRST_SOCKET = 3


class Service:
    """The service manager of this process. Without one, nothing is told to anybody.

    The variables about it are taken out of the environment, so that no child process acts on them.
    """

    def __init__(self) -> None:
        found = take_variables("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID")
        self._address = found.get("NOTIFY_SOCKET", "")
        ours = found.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.watchdog_seconds = int(found.get("WATCHDOG_USEC", 0)) / 1e6 if ours else 0
        self._fed = 0.0

    def tell(self, *states: str) -> None:
        """Send states such as READY=1. A manager that does not listen is no reason to end."""
        if not self._address:
            return
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
            try:
                out.sendto("\n".join(states).encode(), address)
            except OSError:
                return

    def ready(self) -> None:
        self.tell("READY=1", f"MAINPID={os.getpid()}")

    def reloading(self) -> None:
        self.tell("RELOADING=1", f"MONOTONIC_USEC={int(monotonic() * 1e6)}")

    def feed(self, progress: float) -> None:
        """Feed the watchdog if work has gone on since the last time. `progress`: its time, monotonic."""
        if self.watchdog_seconds and progress - self._fed >= self.watchdog_seconds / 4:
            self._fed = progress
            self.tell("WATCHDOG=1")


def web_socket() -> int | None:
    """Return the listening socket for web pages that this process got."""
    found = take_variables("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES")
    handed = found.get("LISTEN_PID") == str(os.getpid()) and int(found.get("LISTEN_FDS", 0)) > 0
    return FIRST_SOCKET if handed else None
