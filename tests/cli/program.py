"""`pbem COMMAND` as an operator runs it, in a separate process.

Imports take a second, so the process is forked from one that has imported everything. Like a process of the
shell it has its own words, environment, folder, streams and exit code.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pbem.__main__ import COMMANDS, main

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 90
WRITING = os.O_WRONLY | os.O_CREAT | os.O_APPEND
Running = subprocess.Popen[str]
READY = (
    "tests.cli.program",
    "tests.e2e.dying_server",
    "psycopg",
    *(f"pbem.cli.{module}" for module, _ in COMMANDS.values()),
)

forks = get_context("forkserver")
forks.set_forkserver_preload(list(READY))


def run(
    words: Sequence[str], environ: Mapping[str, str], *, stdin: bytes = b"", folder: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run `pbem` with these words; raises subprocess.TimeoutExpired after a minute."""
    with TemporaryDirectory() as scratch:
        streams = [Path(scratch, name) for name in ("in", "out", "err")]
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


@contextmanager
def started(words: Sequence[str], environ: Mapping[str, str], **streams: Any) -> Iterator[Running]:
    """Start `pbem` with these words, and end it after the block."""
    command = [sys.executable, "-m", "pbem", *words]
    with subprocess.Popen(command, env=environ, text=True, **streams) as process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def _be_pbem(words: Sequence[str], environ: dict[str, str], streams: Sequence[Path], folder: Path) -> None:
    for number, (stream, flags) in enumerate(zip(streams, (os.O_RDONLY, *[WRITING] * 2), strict=True)):
        os.dup2(os.open(stream, flags), number)
    sys.stdin = os.fdopen(0)
    sys.stdout = os.fdopen(1, "w")
    sys.stderr = os.fdopen(2, "w", errors="backslashreplace")
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(folder)
    sys.argv = ["pbem", *words]
    main(prog_name="python -m pbem")
