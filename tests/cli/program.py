"""`pbem COMMAND` as an operator runs it, in a separate process.

Imports take a second, so the process is forked from one that has imported everything. Like a process of the
shell it has its own words, environment, folder, streams and exit code.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from pbem.__main__ import COMMANDS, main

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 90
COMPILED = Path(gettempdir()) / f"pbem-compiled-{os.getuid()}"
"""The machine code that all programs of tests share: none compiles it anew."""
WRITING = os.O_WRONLY | os.O_CREAT | os.O_APPEND
FIRST_HANDED = 3
"""The number of the first file that a service manager hands over."""
READY = (
    "tests.cli.program",
    "tests.cli.slow_pages",
    "tests.e2e.dying_server",
    "psycopg",
    *(f"pbem.cli.{module}" for module, _ in COMMANDS.values()),
)

forks = get_context("forkserver")
forks.set_forkserver_preload(list(READY))


def run(
    words: Sequence[str],
    environ: Mapping[str, str],
    *,
    stdin: bytes | Path = b"",
    folder: Path | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run `pbem` with these words; raises subprocess.TimeoutExpired after a minute."""
    with TemporaryDirectory() as scratch:
        streams = [Path(scratch, name) for name in ("in", "out", "err")]
        if isinstance(stdin, Path):
            streams[0] = stdin
        else:
            streams[0].write_bytes(stdin)
        process = forks.Process(target=_be_pbem, args=(words, dict(environ), streams, folder or ROOT))
        process.start()
        process.join(PATIENCE_SECONDS)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(list(words), PATIENCE_SECONDS)
        out, err = (stream.read_bytes() if stream.exists() else b"" for stream in streams[1:])
        return subprocess.CompletedProcess(list(words), process.exitcode, out, err)


def migrate(environ: Mapping[str, str]) -> None:
    """Make the files that `pbem migrate` makes in PBEM_VAR. It runs once, they are written from then on."""
    var = Path(environ["PBEM_VAR"])
    var.mkdir(0o700, exist_ok=True)
    for name, content in _migrated().items():
        (var / name).touch(0o600)
        (var / name).write_bytes(content)


@cache
def _migrated() -> dict[str, bytes]:
    with TemporaryDirectory() as var:
        assert 0 == run(["migrate"], {"PBEM_VAR": var}).returncode
        return {file.name: file.read_bytes() for file in Path(var).iterdir()}


@contextmanager
def running(words: Sequence[str], environ: Mapping[str, str]) -> Iterator[BaseProcess]:
    """`pbem` with these words, forked and running; ended when the block is left."""
    with TemporaryDirectory() as scratch:
        streams = [Path(scratch, name) for name in ("in", "out", "err")]
        streams[0].touch()
        process = forks.Process(target=_be_pbem, args=(words, dict(environ), streams, ROOT))
        process.start()
        try:
            yield process
        finally:
            process.terminate()
            process.join(PATIENCE_SECONDS)


class Running:
    """A forked `pbem`, with the methods and streams of subprocess.Popen."""

    def __init__(self, process: BaseProcess, out: socket.socket, err: socket.socket) -> None:
        assert process.pid is not None
        self._process, self.pid = process, process.pid
        self.terminate, self.kill = process.terminate, process.kill
        self.stdout, self.stderr = out.makefile(errors="replace"), err.makefile(errors="replace")

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, seconds: float = PATIENCE_SECONDS) -> int:
        self._process.join(seconds)
        assert self._process.exitcode is not None, "it goes on"
        return self._process.exitcode

    def send_signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)


@contextmanager
def started(
    words: Sequence[str], environ: Mapping[str, str], handed: socket.socket | None = None
) -> Iterator[Running]:
    """Start `pbem` with these words, and end it after the block; `handed` is a listening socket for it."""
    with ExitStack() as stack:
        (out, its_out), (err, its_err) = (
            tuple(map(stack.enter_context, socket.socketpair())) for _ in range(2)
        )
        stdin = stack.enter_context(open(os.devnull))
        streams = (Path(stdin.name), its_out, its_err)
        process = forks.Process(target=_be_pbem, args=(words, dict(environ), streams, ROOT, handed))
        process.start()
        its_out.close()
        its_err.close()
        try:
            yield Running(process, out, err)
        finally:
            process.terminate()
            process.join(PATIENCE_SECONDS)
            if process.exitcode is None:
                process.kill()


def _be_pbem(
    words: Sequence[str],
    environ: dict[str, str],
    streams: Sequence[Path | socket.socket],
    folder: Path,
    handed: socket.socket | None = None,
) -> None:
    for number, stream in enumerate(streams):
        os.dup2(_opened(stream, WRITING if number else os.O_RDONLY), number)
    sys.stdin = os.fdopen(0)
    sys.stdout = os.fdopen(1, "w")
    sys.stderr = os.fdopen(2, "w", errors="backslashreplace")
    os.environ.clear()
    os.environ.update({"NUMBA_CACHE_DIR": str(COMPILED), **environ})
    if handed is not None:
        os.dup2(handed.fileno(), FIRST_HANDED)
        os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
    os.chdir(folder)
    sys.argv = ["pbem", *words]
    main(prog_name="python -m pbem")


def _opened(stream: Path | socket.socket, flags: int) -> int:
    return os.open(stream, flags) if isinstance(stream, Path) else stream.fileno()
