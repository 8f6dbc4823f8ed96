"""A folder of static files with a manifest. It is updated in place, without following links.

Each file is whole at every moment. The old and the new manifest have the same order and are read in parallel,
so neither is ever in memory. Only files in a manifest, or begun by an interrupted run, are removed. Others
may have planted links in the folder, to make us write, read or remove files anywhere.
"""

import errno
import fcntl
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO

MANIFEST, SUMS = "manifest.json", "SHA256SUMS"
ADDED_FILES = ".begun"
"""The list of added files, until the manifest has them.

Without it nothing would ever remove the files of an interrupted run.
"""
DRAFT = ".draft"
DRAFTS = {name: f".{name}.draft" for name in (MANIFEST, SUMS)}
OWN = frozenset({ADDED_FILES, DRAFT, *DRAFTS.values()})

_LINE = re.compile(r'("[^"]+"): (\{"sha256".*\}),?\n')
_PATH = re.compile(r"games/[0-9]+/[0-9]+\.[a-z]+|(?:(?:players|records)/)?[A-Za-z0-9_-]+\.[a-z]+")
"""The only valid paths: nothing else in a manifest is trusted."""
_SITE = re.compile(r'"site": "([^"]+)"')

NO_LINK = os.O_NOFOLLOW | os.O_CLOEXEC
FOLDER = os.O_RDONLY | os.O_DIRECTORY
NOTHING, NO_FILE = -1, -2
"""Results in place of a size: nothing there, or not a file."""


class NotOurs(ValueError):
    """Raised for a folder in use, with other contents or a link. `str()` says which."""


class ConfinedFolder:
    """The folder at `place`. The folder itself may be a link, as its owner decides."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.number = os.open(place, FOLDER | os.O_CLOEXEC)

    def names(self) -> set[str]:
        return set(os.listdir(self.number))

    def size(self, path: str) -> int:
        with suppress(FileNotFoundError), self._folder_of(path) as folder:
            found = os.stat(_name_of(path), dir_fd=folder, follow_symlinks=False)
            return found.st_size if S_ISREG(found.st_mode) else NO_FILE
        return NOTHING

    def open(self, path: str) -> BinaryIO:
        # otherwise a pipe would block us until it has a writer
        number = self._open(path, os.O_RDONLY | os.O_NONBLOCK)
        if not S_ISREG(os.fstat(number).st_mode):
            os.close(number)
            raise self._not_plain_error(path)
        return os.fdopen(number, "rb")

    @contextmanager
    def draft(self, name: str) -> Iterator[BinaryIO]:
        """A new file in the folder itself, replacing an old one."""
        self.remove(name)
        number = self._open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        with os.fdopen(number, "wb") as file:
            yield file

    def settle(self, draft: str, path: str) -> None:
        """Move a draft to its path atomically, replacing a link there."""
        with self._folder_of(path, make=True) as folder:
            os.replace(draft, _name_of(path), src_dir_fd=self.number, dst_dir_fd=folder)

    def remove(self, path: str) -> bool:
        """Remove a file or a link itself; True if there was one."""
        with suppress(FileNotFoundError), self._folder_of(path) as folder:
            os.unlink(_name_of(path), dir_fd=folder)
            return True
        return False

    def _open(self, path: str, flags: int) -> int:
        with self._folder_of(path) as folder:
            return self._open_at(folder, path, flags)

    @contextmanager
    def _folder_of(self, path: str, *, make: bool = False) -> Iterator[int]:
        """Open the folder of a path, one folder after the other."""
        folder, names = os.dup(self.number), path.split("/")[:-1]
        try:
            for depth, name in enumerate(names, 1):
                if make:
                    with suppress(FileExistsError):
                        os.mkdir(name, dir_fd=folder)
                inner = self._open_at(folder, "/".join(names[:depth]), FOLDER)
                os.close(folder)
                folder = inner
            yield folder
        finally:
            os.close(folder)

    def _open_at(self, folder: int, path: str, flags: int) -> int:
        try:
            return os.open(_name_of(path), flags | NO_LINK, 0o666, dir_fd=folder)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENOTDIR):
                raise self._not_plain_error(path) from None
            raise

    def _not_plain_error(self, path: str) -> NotOurs:
        return NotOurs(f"{self.place / path} is a link, or no file; nothing is read or written through it.")


def _name_of(path: str) -> str:
    return path.rpartition("/")[2]


@dataclass(frozen=True)
class FileEntry:
    path: str
    sha256: str
    bytes: int
    stamp: str = ""


class Folder:
    """A folder during its update, by one run at a time."""

    def __init__(self, below: ConfinedFolder, new: BinaryIO, sums: BinaryIO, begun: BinaryIO) -> None:
        self._old = _read_manifest(below)
        self._next = next(self._old, None)
        self.files = self.written = self.removed = 0
        self._below, self._new, self._sums, self._begun = below, new, sums, begun

    def old_files(self, wanted: Callable[[str], bool]) -> Iterator[FileEntry]:
        """Yield the old manifest's next files while their paths are wanted."""
        while self._next and wanted(self._next.path):
            yield self._next
            self._next = next(self._old, None)

    def stands(self, kept: FileEntry) -> bool:
        """True if a file of the manifest still exists."""
        return self._below.size(kept.path) == kept.bytes

    def read(self, path: str) -> bytes:
        with self._below.open(path) as file:
            return file.read()

    def put(self, path: str, content: bytes, stamp: str = "") -> None:
        self.stream(path, (content,), stamp)

    def stream(self, path: str, parts: Iterable[bytes], stamp: str = "") -> None:
        """Write a file in parts; move it into place if it differs."""
        digest, size = sha256(), 0
        with self._below.draft(DRAFT) as file:
            for part in parts:
                digest.update(part)
                size += file.write(part)
        there = self._below.size(path)
        if there == size and self._same(path):
            self._below.remove(DRAFT)
        else:
            if there < 0:
                self._begun.write(f"{path}\n".encode())
                self._begun.flush()
            self._below.settle(DRAFT, path)
            self.written += 1
        self.keep(FileEntry(path, digest.hexdigest(), size, stamp))

    def keep(self, kept: FileEntry) -> None:
        facts = {"sha256": kept.sha256, "bytes": kept.bytes} | ({"stamp": kept.stamp} if kept.stamp else {})
        comma = "," if self.files else ""
        self._new.write(f"{comma}\n{json.dumps(kept.path)}: {json.dumps(facts)}".encode())
        self._sums.write(f"{kept.sha256}  {kept.path}\n".encode())
        self.files += 1

    def remove(self, kept: FileEntry) -> None:
        self.removed += self._below.remove(kept.path)

    def _same(self, path: str) -> bool:
        with self._below.open(path) as a, self._below.open(DRAFT) as b:
            while (piece := a.read(1 << 20)) == b.read(1 << 20):
                if not piece:
                    return True
        return False


@contextmanager
def open_export_folder(place: Path, head: dict[str, str]) -> Iterator[Folder]:
    """Open the folder for one run; its new manifest begins with `head`. Raises NotOurs, OSError."""
    place.mkdir(parents=True, exist_ok=True)
    below = ConfinedFolder(place)
    try:
        fcntl.flock(below.number, fcntl.LOCK_EX | fcntl.LOCK_NB)  # the open folder carries the lock
        _ours_or_empty(below, head["site"])
        _remove_leftovers(below)
        with (
            _atomic_file(below, SUMS) as sums,
            _atomic_file(below, MANIFEST) as new,
            below.draft(ADDED_FILES) as begun,
        ):
            new.write(f'{json.dumps(head, indent=0)[:-2]},\n"files": {{'.encode())
            yield Folder(below, new, sums, begun)
            new.write(b"\n}\n}\n")
        below.remove(ADDED_FILES)
    except BlockingIOError:
        raise NotOurs(f"Another export is writing to {place}.") from None
    finally:
        os.close(below.number)


def _ours_or_empty(below: ConfinedFolder, site: str) -> None:
    """Raise NotOurs for a folder with other contents. An empty manifest marks a new folder at once."""
    place, there = below.place, below.names()
    if MANIFEST in there:
        with below.open(MANIFEST) as file:
            head = file.read(400).decode("utf-8", "replace")
        if '"pbem": ' not in head:
            raise NotOurs(f"{place} has a {MANIFEST} of something else.")
        if (found := _SITE.search(head)) and json.dumps(site) != f'"{found[1]}"':
            raise NotOurs(
                f"{place} holds the games of {found[1]}; give those of {site} a folder of their own."
            )
    elif there - OWN:
        raise NotOurs(f"{place} is not empty and holds no export; give it a folder of its own.")
    else:
        with _atomic_file(below, MANIFEST) as file:
            file.write(f'{{\n"pbem": "",\n"site": {json.dumps(site)}\n}}\n'.encode())


def _remove_leftovers(below: ConfinedFolder) -> None:
    """Remove the files of a killed run, which no manifest has."""
    if below.size(ADDED_FILES) >= 0:
        with below.open(ADDED_FILES) as lines:
            for path in (line.decode("utf-8", "replace").strip() for line in lines):
                if _PATH.fullmatch(path):
                    below.remove(path)
    for name in OWN & below.names():
        below.remove(name)


def _read_manifest(below: ConfinedFolder) -> Iterator[FileEntry]:
    """The files in a manifest, in order, without malformed lines."""
    with below.open(MANIFEST) as lines:
        for line in lines:
            found = _LINE.fullmatch(line.decode("utf-8", "replace"))
            if found and (kept := _read_entry(found[1], found[2])):
                yield kept


def _read_entry(path: str, facts: str) -> FileEntry | None:
    try:
        kept = FileEntry(json.loads(path), **json.loads(facts))
    except (ValueError, TypeError):
        return None
    sound = isinstance(kept.bytes, int) and isinstance(kept.stamp, str) and isinstance(kept.sha256, str)
    return kept if sound and _PATH.fullmatch(kept.path) else None


@contextmanager
def _atomic_file(below: ConfinedFolder, name: str) -> Iterator[BinaryIO]:
    """A file that replaces the old one once flushed to disk."""
    with below.draft(DRAFTS[name]) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
    below.settle(DRAFTS[name], name)
