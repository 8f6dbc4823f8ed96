"""Backs up a running server: rows of one moment, and files."""

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from rich.progress import Progress

from pbem import __version__
from pbem.app import App
from pbem.backup.archive import Manifest, TableRows, Writer
from pbem.backup.files import files_of
from pbem.core.errors import Refusal
from pbem.store import engine, outages, transfer
from pbem.store.revisions import revision_in

PART = ".pbem-backup.part"
"""The name of an unfinished backup. One that a killed process left is written over by the next."""
DATED = "pbem-{:%Y%m%dT%H%M%S}Z.tar.gz"
DATED_FILES = f"pbem-{'[0-9]' * 8}T{'[0-9]' * 6}Z.tar.gz"
ROWS_AT_ONCE = 500


@dataclass(frozen=True)
class Saved:
    """A finished backup: its file, size in bytes, and older removed ones."""

    path: Path
    bytes: int
    manifest: Manifest
    removed: tuple[Path, ...] = ()


def save_backup(
    app: App, environ: Mapping[str, str], target: Path, progress: Progress, keep: int | None = None
) -> Saved:
    """Write a backup to the file `target`, or into that folder, dated. Raises Refusal.

    `keep`: this many dated files stay in the folder, the newest. The moment of the backup is remembered.
    """
    made = app.now()
    path = target / DATED.format(made) if target.is_dir() else target
    if path.exists():
        raise Refusal(f"{path} is there already; name another file, or a folder.")
    try:
        with _unfinished(path) as file:
            manifest = _write(app, environ, file, made, progress)
            size = file.tell()
    except OSError as error:
        if error.filename:
            raise
        raise Refusal(f"{path} cannot be written: {error.strerror}. Nothing was kept of it.") from error
    with app.store.write() as db:
        outages.record_heartbeat(db, outages.BACKUP_HEARTBEAT, made)
    return Saved(path, size, manifest, _remove_old(target, keep) if target.is_dir() and keep else ())


@contextmanager
def _unfinished(path: Path) -> Iterator[IO[bytes]]:
    """Open a private file that becomes `path` once it is on disk."""
    part = path.with_name(PART)
    with open(os.open(part, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            alone = part.exists() and part.stat().st_ino == os.fstat(file.fileno()).st_ino
        except BlockingIOError:
            alone = False
        if not alone:
            raise Refusal(f"Another backup is being written in {path.parent} now.")
        file.truncate(0)
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            part.rename(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _write(
    app: App, environ: Mapping[str, str], file: IO[bytes], made: datetime, progress: Progress
) -> Manifest:
    with Writer(file, made) as writer:
        for name, content in files_of(app.config, environ):
            writer.add(name, content)
        with app.store.read() as db:
            revision = revision_in(db)
            if revision is None:
                raise Refusal("There is no database here to make a backup of; see PBEM_DATABASE.")
            tables = _write_rows(db, writer, progress)
            numbers = transfer.last_numbers(db)
        database = app.store.engine.dialect.name
        manifest = Manifest(__version__, revision, database, made.isoformat(), tables, numbers)
        writer.finish(manifest)
    return manifest


def _write_rows(db: engine.Connection, writer: Writer, progress: Progress) -> list[TableRows]:
    names = transfer.table_names(db)
    task = progress.add_task("Rows", total=sum(transfer.count_rows(db, name) for name in names))

    def counted(rows: Iterator[list[Any]]) -> Iterator[list[Any]]:
        for number, row in enumerate(rows, 1):
            yield row
            if number % ROWS_AT_ONCE == 0:
                progress.advance(task, ROWS_AT_ONCE)

    tables = []
    for name in names:
        columns = transfer.column_names(db, name)
        tables.append(TableRows(name, columns, writer.add_rows(name, counted(transfer.read_rows(db, name)))))
    return tables


def _remove_old(folder: Path, keep: int) -> tuple[Path, ...]:
    old = sorted(folder.glob(DATED_FILES))[:-keep]
    for path in old:
        path.unlink()
    return tuple(old)
