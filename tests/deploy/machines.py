"""A machine that boots systemd in namespaces of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import TypeVar

from tests.deploy.namespaces import Machine

T = TypeVar("T")

BOOT = Path(__file__).with_name("boot.sh")
CGROUPS = (Path("/sys/fs/cgroup/unified"), Path("/sys/fs/cgroup"))
PATIENCE_SECONDS = 120


class Booted:
    """A machine that runs; `init` is its first process, by its number here."""

    def __init__(self, init: int) -> None:
        self.init = init

    def run(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a command there, as root; both outputs as one text."""
        inside = ["nsenter", f"--target={self.init}", "--all", "--root", "--wd", "env", "-i"]
        path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        done = subprocess.run(
            [*inside, path, "HOME=/root", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert 0 == done.returncode or not check, f"{' '.join(words)}: {done.stdout}"
        return done

    def path(self, path: str) -> Path:
        """A file there, as this process sees it."""
        return Path(f"/proc/{self.init}/root{path}")


@contextmanager
def boot(network: Machine, room: Path, tree: Path, *folders: Path) -> Iterator[Booted]:
    """Boot a machine from a tree of files; what it changes is forgotten."""
    with ExitStack() as stack:
        group = stack.enter_context(_cgroup(network.name))
        inside = [
            "ip",
            "netns",
            "exec",
            network.name,
            "unshare",
            "--mount",
            "--pid",
            "--fork",
            "--uts",
            "--ipc",
        ]
        words = [*inside, "--cgroup", "--kill-child", "bash", str(BOOT), str(tree), str(room)]
        log = stack.enter_context(open(room.with_suffix(".log"), "w"))
        first = subprocess.Popen(
            [*words, *map(str, folders)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=lambda: group.joinpath("cgroup.procs").write_text(str(os.getpid())),
        )
        stack.callback(_end, first)
        init = _until(lambda: _child_of(first.pid))
        ready = Booted(init)
        _until(lambda: _is_up(ready, first))
        yield ready


def _end(first: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        first.kill()  # the kernel ends all processes of its namespace with it
    first.wait(PATIENCE_SECONDS)


def _child_of(pid: int) -> int | None:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(found[0]) if found else None


def _is_up(ready: Booted, first: subprocess.Popen[bytes]) -> bool:
    assert first.poll() is None
    done = ready.run("systemctl", "is-system-running", check=False)
    return done.stdout.strip() in ("running", "degraded")


def _until(ask: Callable[[], T]) -> T:
    end = monotonic() + PATIENCE_SECONDS
    while not (found := ask()):
        assert monotonic() < end
        sleep(0.1)
    return found


@contextmanager
def _cgroup(name: str) -> Iterator[Path]:
    """A control group in which systemd may make its own."""
    root = next(each for each in CGROUPS if (each / "cgroup.controllers").exists())
    (group := root / name).mkdir()
    try:
        yield group
    finally:
        end = monotonic() + PATIENCE_SECONDS
        while group.exists() and monotonic() < end:
            for each in sorted(group.rglob("*/"), reverse=True):
                with suppress(OSError):
                    each.rmdir()
            with suppress(OSError):
                group.rmdir()
            sleep(0.1)
