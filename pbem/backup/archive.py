"""The file of a backup: a tar.gz whose last member, `manifest.json`, has the SHA-256 of all others.

A file that is read may come from anybody. So sizes are compared with limits before anything is read, and
members are read in pieces.
"""

import gzip
import json
import os
import re
import tarfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime
from hashlib import sha256
from io import BytesIO
from itertools import islice, takewhile
from typing import IO, Any, Self

from pbem.core.errors import Refusal
from pbem.keys.address_keys import SECRET_FILE
from pbem.keys.record_keys import KEY_FILE

FORMAT = 1
MANIFEST = "manifest.json"
LEVEL = 6
"""zlib's own choice: tarfile's, 9, takes three times as long for 2 % less."""
CHUNK_BYTES = 4 << 20
"""About the size of a member with rows."""
PIECE_BYTES = 1 << 20
"""Bytes of a member that are read at a time."""
MAX_MEMBER_BYTES = 64 << 20
"""A member with rows is somewhat larger than CHUNK_BYTES: it ends with a whole row."""
MAX_FILES_BYTES = 64 << 20
"""The greatest size of all files together: they are held in memory."""
MAX_MEMBERS = 50_000
"""Enough for 200 GB of rows."""
MAX_MANIFEST_BYTES = 8 << 20
"""Enough for so many members."""
HEADER_BYTES, MAX_HEADER_BYTES = 512, 64 << 10
"""The most that may stand before a member, and behind the last one."""
SETTINGS_FILE, DKIM_FILE = "settings.env", "dkim.pem"
TEMPLATES_FOLDER = "templates"
DESIGNS_FOLDER = "designs"
OLD_FOLDER = "boards"
"""A folder that older backups have, from a setting that no longer exists."""
NEEDED_FILES = (SETTINGS_FILE, SECRET_FILE, KEY_FILE)
FOLDERS = (f"{TEMPLATES_FOLDER}/", f"{DESIGNS_FOLDER}/", f"{OLD_FOLDER}/")
ROWS = re.compile(r"rows/([a-z_]+)/[0-9]+\.jsonl")
ROWS_AT_ONCE = 5000
VALUE = rb'(?:"(?:[^"\\]++|\\.)*+"|[-+.0-9eE]++|null|true|false)'
FLAT = re.compile(rb"\[(?:%b(?:,%b)*+)?\]\n?" % (VALUE, VALUE))
"""A row: a list of plain values in JSON."""
UNREADABLE = (tarfile.TarError, EOFError, zlib.error, OSError, ValueError, LookupError, RecursionError)


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
    """Writes a backup to an open file, member by member, and empties the file if the block raises."""

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
        """Write a member. Raises Refusal where `read_manifest` would not take it."""
        if len(content) > MAX_MEMBER_BYTES or len(self._members) >= MAX_MEMBERS - 1:
            raise Refusal(f"{name} is too large for a backup, or there is too much.")
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
    with _readable(file):
        sums, told = _sums(file)
    try:
        found = _manifest(json.loads(told), file)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise BadBackup(f"{_name(file)} is no backup of pbem, or its end is missing.") from None
    del sums[MANIFEST]
    if wrong := sorted(
        name for name in sums.keys() | found.members if sums.get(name) != found.members.get(name)
    ):
        raise BadBackup(f"{_name(file)} is damaged: {wrong[0]} is not as it was written.")
    if missing := [name for name in NEEDED_FILES if name not in sums]:
        raise BadBackup(f"{_name(file)} is no whole backup: it has no {missing[0]}.")
    return found


def _sums(file: IO[bytes]) -> tuple[dict[str, str], bytes]:
    """Return each member's SHA-256, and the manifest if it comes last. Raises BadBackup."""
    sums: dict[str, str] = {}
    told = b""
    files, rows_begun = 0, False
    for member, content in _members(file):
        name = member.name
        is_file = _is_file(name)
        rows_begun = rows_begun or not is_file
        if name in sums:
            raise BadBackup(f"{_name(file)} is no backup of pbem: it has {name!r} twice.")
        if (is_file and rows_begun) or not (is_file or name == MANIFEST or ROWS.fullmatch(name)):
            raise BadBackup(f"{_name(file)} has a file that no backup has: {name!r}.")
        files += member.size if is_file else 0
        if files > MAX_FILES_BYTES or (name == MANIFEST and member.size > MAX_MANIFEST_BYTES):
            raise BadBackup(f"{_name(file)} is no backup of pbem: {name!r} is too large.")
        summed, told = sha256(), b""
        while piece := content.read(PIECE_BYTES):
            summed.update(piece)
            told += piece if name == MANIFEST else b""
        sums[name] = summed.hexdigest()
    return sums, told


def _is_file(name: str) -> bool:
    """True for the name of a server's own file."""
    return name in (*NEEDED_FILES, DKIM_FILE) or name.startswith(FOLDERS)


def _manifest(told: Any, file: IO[bytes]) -> Manifest:
    """Return the manifest in this JSON. Many kinds of error mean that the JSON is no manifest."""
    version = told["version"]
    if told.get("format", FORMAT) > FORMAT and version.isprintable():
        raise BadBackup(f"{_name(file)} was made by a newer version of pbem, {version}.")
    tables = tuple(TableRows(**each) for each in told.pop("tables"))
    found = Manifest(**told, tables=tables)
    texts = (found.version, found.revision, found.database, found.made_at)
    counts = (*(table.rows for table in tables), *found.numbers.values())
    names = (*(table.name for table in tables), *(name for table in tables for name in table.columns))
    whole = (
        all(isinstance(text, str) and text.isprintable() for text in (*texts, *names, *found.members))
        and all(type(count) is int and count >= 0 for count in counts)
        and found.made.tzinfo is not None
        and len({table.name for table in tables}) == len(tables)
        and isinstance(found.members, dict)
    )
    if not whole:
        raise ValueError
    return found


def read_rows(file: IO[bytes], manifest: Manifest) -> Iterator[tuple[TableRows, list[Any]]]:
    """Yield a checked backup's rows, some of one table at a time. Raises BadBackup."""
    tables = {table.name: table for table in manifest.tables}
    left = {name: table.rows for name, table in tables.items()}
    with _readable(file):
        for member, content in _members(file):
            if match := ROWS.fullmatch(member.name):
                table = tables[match[1]]
                while lines := list(islice(content, ROWS_AT_ONCE)):
                    left[table.name] -= len(lines)
                    yield table, [_row(line) for line in lines]
    if any(left.values()):
        raise BadBackup(f"{_name(file)} has other numbers of rows than it says.")


def _row(line: bytes) -> Any:
    """Return the values of a row. Raises ValueError."""
    if not FLAT.fullmatch(line):  # lists in lists take twenty times their size in memory
        raise ValueError("a row is no list of plain values")
    return json.loads(line)


def read_files(file: IO[bytes]) -> dict[str, bytes]:
    """Return the server's own files in a checked backup by name. These members come before the rows."""
    with _readable(file):
        files = takewhile(lambda found: _is_file(found[0].name), _members(file))
        return {member.name: content.read() for member, content in files}


class _Bounded:
    """An unpacked archive that gives tarfile no more than `left` bytes.

    The headers of an archive may claim any length, also those that tarfile reads by itself.
    """

    def __init__(self, file: gzip.GzipFile) -> None:
        self._file = file
        self.left = MAX_HEADER_BYTES

    def read(self, size: int) -> bytes:
        if not 0 <= size <= self.left:
            raise tarfile.ReadError("a header is too large")
        self.left -= size
        return self._file.read(size)

    def seek(self, place: int) -> int:
        return self._file.seek(place)

    def tell(self) -> int:
        return self._file.tell()


def _members(file: IO[bytes]) -> Iterator[tuple[tarfile.TarInfo, IO[bytes]]]:
    """Yield each member with its content, to be read before the next. Raises BadBackup and UNREADABLE."""
    file.seek(0)
    with gzip.open(file) as packed:
        bounded = _Bounded(packed)
        with tarfile.open(fileobj=bounded, mode="r:") as tar:  # type: ignore[call-overload]
            for number, member in enumerate(tar):
                _check_member(file, number, member)
                bounded.left = member.size
                content = tar.extractfile(member)
                assert content is not None
                yield member, content
                bounded.left = MAX_HEADER_BYTES
        while bounded.read(HEADER_BYTES):  # at its end gzip compares the sum of all, the manifest too
            pass


def _check_member(file: IO[bytes], number: int, member: tarfile.TarInfo) -> None:
    """Raise BadBackup for what no backup has."""
    if member.type not in (tarfile.REGTYPE, tarfile.AREGTYPE) or member.issparse():
        raise BadBackup(f"{_name(file)} is no backup of pbem: {member.name!r} is no plain file.")
    if not 0 <= member.size <= MAX_MEMBER_BYTES:
        raise BadBackup(
            f"{_name(file)} is no backup of pbem: {member.name!r} has more than {MAX_MEMBER_BYTES >> 20} MiB."
        )
    if number >= MAX_MEMBERS:
        raise BadBackup(f"{_name(file)} is no backup of pbem: it has more than {MAX_MEMBERS} members.")


@contextmanager
def _readable(file: IO[bytes]) -> Iterator[None]:
    """Raise BadBackup where the block finds no readable archive."""
    try:
        yield
    except UNREADABLE as error:
        raise BadBackup(f"{_name(file)} is no backup of pbem, or it is damaged ({error}).") from error


def _name(file: IO[bytes]) -> str:
    return os.path.basename(str(getattr(file, "name", "the file")))
