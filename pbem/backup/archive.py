"""The file of a backup: a tar.gz. Its last member, `manifest.json`, has the SHA-256 of all others."""

import gzip
import json
import os
import re
import tarfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime
from hashlib import sha256
from io import BytesIO
from itertools import takewhile
from typing import IO, Any, Self

from pbem.core.errors import Refusal

FORMAT = 1
MANIFEST = "manifest.json"
LEVEL = 6
"""zlib's own choice: tarfile's, 9, takes three times as long for 2 % less."""
CHUNK_BYTES = 4 << 20
"""About the size of a member with rows."""
ROWS = re.compile(r"rows/([a-z_]+)/\d+\.jsonl")
UNREADABLE = (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile)


class BadBackup(Refusal):
    """Raised for a file that is no usable backup. The text tells the operator why."""


@dataclass(frozen=True)
class TableRows:
    """A table in a backup: its columns and number of rows."""

    name: str
    columns: Sequence[str]
    rows: int


@dataclass(frozen=True)
class Manifest:
    """The contents of a backup. `numbers`: the last number given in a table; `members`: SHA-256 by name."""

    version: str
    revision: str
    database: str
    made_at: str
    tables: Sequence[TableRows]
    numbers: Mapping[str, int]
    members: Mapping[str, str] = field(default_factory=dict)
    format: int = FORMAT

    @property
    def made(self) -> datetime:
        return datetime.fromisoformat(self.made_at)

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables)


class Writer:
    """Writes a backup to an open file, member by member. It empties the file where the block raises."""

    def __init__(self, file: IO[bytes], made: datetime) -> None:
        self._file = file
        self._tar = tarfile.open(fileobj=file, mode="w:gz", compresslevel=LEVEL)  # noqa: SIM115
        self._made = made
        self._members: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._tar.close()
            return
        with suppress(OSError):  # on a full disk this makes the room that closing needs
            self._file.seek(0)
            self._file.truncate()
            self._tar.close()

    def add(self, name: str, content: bytes) -> None:
        self._members[name] = sha256(content).hexdigest()
        self._write(name, content)

    def add_rows(self, table: str, rows: Iterator[Sequence[Any]]) -> int:
        """Write the rows of a table in chunks; returns their number."""
        lines: list[str] = []
        size = count = chunks = 0
        for row in rows:
            line = json.dumps(row, separators=(",", ":"))
            lines.append(line)
            count += 1
            size += len(line) + 1
            if size >= CHUNK_BYTES:
                self._add_chunk(table, chunks, lines)
                lines, size, chunks = [], 0, chunks + 1
        if lines:
            self._add_chunk(table, chunks, lines)
        return count

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest, which comes last."""
        told = {**asdict(manifest), "members": self._members}
        self._write(MANIFEST, json.dumps(told, indent=1).encode())

    def _add_chunk(self, table: str, number: int, lines: list[str]) -> None:
        self.add(f"rows/{table}/{number:06}.jsonl", "".join(f"{line}\n" for line in lines).encode())

    def _write(self, name: str, content: bytes) -> None:
        member = tarfile.TarInfo(name)
        member.size, member.mode, member.mtime = len(content), 0o600, int(self._made.timestamp())
        self._tar.addfile(member, BytesIO(content))


def read_manifest(file: IO[bytes]) -> Manifest:
    """Read a whole backup and compare each member with its sum. Raises BadBackup."""
    sums: dict[str, str] = {}
    last = b""
    for name, content in _members(file):
        sums[name] = sha256(content).hexdigest()
        last = content if name == MANIFEST else b""
    try:
        told = json.loads(last) if last else {}
        if told.get("format", FORMAT) > FORMAT:
            raise BadBackup(f"{_name(file)} was made by a newer version of pbem, {told['version']}.")
        tables = tuple(TableRows(**each) for each in told.pop("tables"))
        found = Manifest(**told, tables=tables)
    except (ValueError, KeyError, TypeError):
        raise BadBackup(f"{_name(file)} is no backup of pbem, or its end is missing.") from None
    del sums[MANIFEST]
    if wrong := sorted(
        name for name in sums.keys() | found.members if sums.get(name) != found.members.get(name)
    ):
        raise BadBackup(f"{_name(file)} is damaged: {wrong[0]} is not as it was written.")
    return found


def read_rows(file: IO[bytes], manifest: Manifest) -> Iterator[tuple[TableRows, list[Any]]]:
    """Yield the rows of a checked backup, table by table, in chunks. Raises BadBackup."""
    tables = {table.name: table for table in manifest.tables}
    left = {name: table.rows for name, table in tables.items()}
    for name, content in _members(file):
        if match := ROWS.fullmatch(name):
            table = tables[match[1]]
            rows = [json.loads(line) for line in content.splitlines()]
            left[table.name] -= len(rows)
            yield table, rows
    if any(left.values()):
        raise BadBackup(f"{_name(file)} has other numbers of rows than it says.")


def read_files(file: IO[bytes]) -> dict[str, bytes]:
    """Return a checked backup's members before the rows, by name."""
    return dict(takewhile(lambda member: not member[0].startswith(("rows/", MANIFEST)), _members(file)))


def _members(file: IO[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each member. Raises BadBackup for what is no tar.gz, or damaged."""
    file.seek(0)
    try:
        with gzip.open(file) as packed, tarfile.open(fileobj=packed, mode="r:") as tar:
            for member in tar:
                content = tar.extractfile(member)
                if content is None:
                    raise BadBackup(f"{_name(file)} is no backup of pbem: {member.name} is no plain file.")
                yield member.name, content.read()
            while packed.read(CHUNK_BYTES):  # at its end gzip compares the sum of all, the manifest too
                pass
    except UNREADABLE as error:
        raise BadBackup(f"{_name(file)} is no backup of pbem, or it is damaged ({error}).") from error


def _name(file: IO[bytes]) -> str:
    return os.path.basename(str(getattr(file, "name", "the file")))
