"""Two machines in one: network namespaces with a line between them, for root on Linux."""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

CLONE_NEWNET = 0x40000000  # setns(2)
FOLDER = Path("/run/netns")


@dataclass(frozen=True)
class Machine:
    """A network namespace, and its address on the line to the other."""

    name: str
    address: str

    @property
    def path(self) -> Path:
        return FOLDER / self.name

    def add_address(self, address: str) -> None:
        _ip("-n", self.name, "address", "add", f"{address}/24", "dev", "line")

    def send_all_to(self, router: str) -> None:
        _ip("-n", self.name, "route", "add", "default", "via", router)

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Have this thread, and those that it starts, use the network of this machine.

        A socket stays where it was made.
        """
        here = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        there = os.open(self.path, os.O_RDONLY)
        try:
            _enter(there)
            yield
        finally:
            _enter(here)
            os.close(there)
            os.close(here)


def _enter(namespace: int) -> None:
    if ctypes.CDLL(None, use_errno=True).setns(namespace, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns")


@contextmanager
def two_machines(here: str = "10.77.0.1", there: str = "10.77.0.2") -> Iterator[tuple[Machine, Machine]]:
    """Make two machines that reach each other and nobody else; remove them at the end."""
    ours = Machine(f"ours-{os.getpid()}", here)
    theirs = Machine(f"theirs-{os.getpid()}", there)
    try:
        for machine in (ours, theirs):
            _ip("netns", "add", machine.name)
            _ip("-n", machine.name, "link", "set", "lo", "up")
        _ip("-n", ours.name, "link", "add", "line", "type", "veth", "peer", "line", "netns", theirs.name)
        for machine in (ours, theirs):
            machine.add_address(machine.address)
            _ip("-n", machine.name, "link", "set", "line", "up")
        yield ours, theirs
    finally:
        for machine in (ours, theirs):
            subprocess.run(["ip", "netns", "delete", machine.name], capture_output=True, check=False)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)
