"""Bytes of old mails and letters outside the database. They lie in a folder, or in a store that fsspec knows.

A row has the name of its blob then, and `whole_bytes` reads it. Names that no row has any more are kept in
`released_blobs` until the blobs are deleted.
"""

import logging
import os
import re
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    LargeBinary,
    Table,
    func,
    insert,
    literal,
    select,
    type_coerce,
)

from pbem.store.columns import MOVED, Moved, numbered_table, unpacked
from pbem.store.engine import Store, Unavailable

log = logging.getLogger("pbem.blobs")

LISTED = 500
NAME = re.compile(r"\d{4}-\d\d-\d\d/(?P<kind>[mo])(?P<id>\d+)-[0-9a-f]{8}")

released_blobs = numbered_table("released_blobs", Column("name", LargeBinary, nullable=False))
"""Blobs to delete, by what their rows had in the place of the bytes."""


class Blobs:
    """A folder or another store, by its fsspec URL. Raises ValueError or ImportError where it cannot be."""

    def __init__(self, url: str) -> None:
        from fsspec.core import url_to_fs  # an extra, which few need
        from fsspec.implementations.local import LocalFileSystem

        self._files, self._root = url_to_fs(url, use_listings_cache=False)  # others write too
        self._local = isinstance(self._files, LocalFileSystem)
        if self._local and not Path(self._root).is_dir():
            raise ValueError("no such folder")

    def write(self, name: str, stored: bytes) -> None:
        """Write a blob that survives a power failure."""
        path = self._path(name)
        with _failures():
            if self._local:
                Path(path).parent.mkdir(mode=0o700, exist_ok=True)
            self._files.pipe_file(path, stored)
            for each in (path, Path(path).parent, self._root) if self._local else ():
                _flush(each)

    def read(self, names: Collection[str]) -> dict[str, bytes]:
        """Return those of these blobs that are there."""
        if not names:
            return {}
        with _failures():
            found = self._files.cat_ranges([*map(self._path, names)], None, None, on_error="return")
            for error in found:
                if isinstance(error, Exception) and not isinstance(error, FileNotFoundError):
                    raise error
            there = {n: bytes(each) for n, each in zip(names, found, strict=True) if isinstance(each, bytes)}
            if len(there) < len(names) and not self._files.exists(self._root):
                raise FileNotFoundError(self._root)
        return there

    def find(self, name: str) -> bytes:
        """Return a file, or b"" if it is not there. An empty object store is as if it were away."""
        with _failures():
            try:
                return bytes(self._files.cat_file(self._path(name)))
            except FileNotFoundError:
                if self._local and not self._files.exists(self._root):
                    raise
        return b""

    def delete(self, name: str) -> None:
        with _failures():
            try:
                self._files.rm_file(self._path(name))
            except FileNotFoundError:
                return

    def names(self, before: str = "~") -> Iterator[list[str]]:
        """Yield the names of our blobs before a day, in lists."""
        with _failures():
            days = sorted(Path(each).name for each in self._files.ls(self._root, detail=False))
        for day in days:
            if day < before:
                with _failures():
                    found = self._files.find(f"{self._root}/{day}")
                names = [name for each in found if NAME.fullmatch(name := f"{day}/{Path(each).name}")]
                yield from (names[at : at + LISTED] for at in range(0, len(names), LISTED))

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}"


@contextmanager
def _failures() -> Iterator[None]:
    """Raise Unavailable for whatever a store raises."""
    try:
        yield
    except Exception as error:
        raise Unavailable(f"PBEM_BLOBS: {type(error).__name__}: {error}") from error


def _flush(path: Path | str) -> None:
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def use_blobs(store: Store, url: str) -> None:
    """Make rows of this store read blobs from a URL. Raises as `Blobs` does."""
    store.engine.update_execution_options(blobs=Blobs(url))


def blobs_of(options: Any) -> Blobs | None:
    """Return the blobs of an engine or connection, or None."""
    found = options.get_execution_options().get("blobs")
    return found if isinstance(found, Blobs) else None


def whole_bytes(db: Connection, raw: bytes) -> bytes:
    """Return the bytes of a mail or letter, wherever they are. Raises Unavailable."""
    return all_bytes(db, [raw])[0]


def all_bytes(options: Any, raws: Collection[bytes]) -> list[bytes]:
    """Return the bytes of mails or letters. Raises Unavailable.

    What is lost or damaged is empty, as of a mail that is no longer kept.
    """
    names, blobs = [raw.decode("ascii") for raw in raws if isinstance(raw, Moved)], blobs_of(options)
    if names and blobs is None:
        raise Unavailable("PBEM_BLOBS is not set, and has mails and letters")
    there = blobs.read(names) if blobs else {}
    return [_unpacked_blob(there, raw.decode("ascii")) if isinstance(raw, Moved) else raw for raw in raws]


def _unpacked_blob(there: Mapping[str, bytes], name: str) -> bytes:
    try:
        return unpacked(there[name])
    except (KeyError, zlib.error) as error:
        log.error("the blob %s is %s", name, "missing" if isinstance(error, KeyError) else "damaged")
        return b""


def is_moved(table: Table) -> ColumnElement[bool]:
    """Say if a row names a blob in place of its bytes."""
    begins = func.substr(stored_bytes(table), 1, len(MOVED), type_=LargeBinary)
    return begins == literal(MOVED, LargeBinary)


def stored_bytes(table: Table) -> ColumnElement[bytes]:
    """Return the column of the bytes as they are stored."""
    return type_coerce(table.c.raw, LargeBinary)


def release_blobs(db: Connection, table: Table, where: ColumnElement[bool]) -> None:
    """Note the blobs of these rows for deletion. Call it before the rows lose their names."""
    names = select(stored_bytes(table)).where(where, is_moved(table))
    db.execute(insert(released_blobs).from_select(["name"], names))
