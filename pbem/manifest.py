"""A folder of static files with a manifest, brought up to date in place.

Each file is whole at every moment, and left alone while nothing in it changes. The manifest has a line a
file in the order in which files are made, so that the one of the run before and the new one are walked
along together and neither is ever held. Only files that a manifest names are removed.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

MANIFEST, SUMS = "manifest.json", "SHA256SUMS"

_LINE = re.compile(r'("[^"]+"): (\{"sha256".*\}),?\n')
_PATH = re.compile(r"(?:[a-z]+/)?(?:[0-9]+/)?[A-Za-z0-9_-]+\.[a-z]+")
"""Where files lie: nothing else is believed of a manifest."""


class NotOurs(ValueError):
    """The folder holds other things, or somebody else is at it; `str()` says which."""


@dataclass(frozen=True)
class Kept:
    """A file as the manifest has it; `stamp` tells what it was made of."""

    path: str
    sha256: str
    bytes: int
    stamp: str = ""


class Folder:
    """A folder while it is brought up to date, by one run at a time."""

    def __init__(self, place: Path, new: BinaryIO, sums: BinaryIO) -> None:
        self.old = Old(place)
        self.files = self.written = self.removed = 0
        self._place, self._new, self._sums = place, new, sums

    def stands(self, kept: Kept) -> bool:
        """Whether a file of the manifest is still there."""
        return _size(self._place / kept.path) == kept.bytes

    def read(self, path: str) -> bytes:
        return (self._place / path).read_bytes()

    def put(self, path: str, content: bytes, stamp: str = "") -> None:
        self.stream(path, (content,), stamp)

    def stream(self, path: str, parts: Iterable[bytes], stamp: str = "") -> None:
        """Write a file part by part beside the one there is, and put it in its place if it is another."""
        target = self._place / path
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = _beside(target)
        digest, size = sha256(), 0
        with draft.open("wb") as file:
            for part in parts:
                digest.update(part)
                size += file.write(part)
        if _size(target) == size and _same(target, draft):
            draft.unlink()
        else:
            os.replace(draft, target)
            self.written += 1
        self.keep(Kept(path, digest.hexdigest(), size, stamp))

    def keep(self, kept: Kept) -> None:
        """Enter a file in the new manifest."""
        facts = {"sha256": kept.sha256, "bytes": kept.bytes} | ({"stamp": kept.stamp} if kept.stamp else {})
        comma = "," if self.files else ""
        self._new.write(f"{comma}\n{json.dumps(kept.path)}: {json.dumps(facts)}".encode())
        self._sums.write(f"{kept.sha256}  {kept.path}\n".encode())
        self.files += 1

    def remove(self, kept: Kept) -> None:
        with suppress(FileNotFoundError):
            (self._place / kept.path).unlink()
            self.removed += 1


class Old:
    """The manifest of the run before, read along."""

    def __init__(self, place: Path) -> None:
        self._lines = _kept_in(place / MANIFEST)
        self._next = next(self._lines, None)

    def take(self, wanted: Callable[[str], bool]) -> Iterator[Kept]:
        """The files that come next, as long as their paths are wanted."""
        while self._next and wanted(self._next.path):
            yield self._next
            self._next = next(self._lines, None)


@contextmanager
def opened(place: Path, head: dict[str, str]) -> Iterator[Folder]:
    """The folder, for one run at a time; the new manifest counts once the block has ended without a slip.

    Raises NotOurs, OSError.
    """
    place.mkdir(parents=True, exist_ok=True)
    with _alone(place):
        _ours_or_empty(place)
        with _whole(place / SUMS) as sums, _whole(place / MANIFEST) as new:
            new.write(f'{json.dumps(head, indent=0)[:-2]},\n"files": {{'.encode())
            yield Folder(place, new, sums)
            new.write(b"\n}\n}\n")


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    number = os.open(place, os.O_RDONLY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise NotOurs(f"Another export is writing to {place}.") from None
    finally:
        os.close(number)


def _ours_or_empty(place: Path) -> None:
    """Nothing is mixed with files of somebody else; an empty manifest says from the start whose it is."""
    manifest = place / MANIFEST
    if manifest.exists():
        with manifest.open(encoding="utf-8", errors="replace") as text:
            if '"pbem": ' not in text.read(200):
                raise NotOurs(f"{place} has a {MANIFEST} of something else.")
    elif any(place.iterdir()):
        raise NotOurs(f"{place} is not empty and holds no export; give it a folder of its own.")
    else:
        manifest.write_text('{\n"pbem": ""\n}\n', encoding="utf-8")


def _kept_in(manifest: Path) -> Iterator[Kept]:
    """The files that a manifest names, in its order."""
    with manifest.open(encoding="utf-8") as lines:
        for line in lines:
            found = _LINE.fullmatch(line)
            if found and _PATH.fullmatch(path := json.loads(found[1])):
                yield Kept(path, **json.loads(found[2]))


@contextmanager
def _whole(path: Path) -> Iterator[BinaryIO]:
    """A file that takes the place of the one there is once it is written to its end, and to the disk."""
    draft = _beside(path)
    with draft.open("wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.new")


def _size(path: Path) -> int:
    """The size of a file, -1 where there is none."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return -1


def _same(one: Path, other: Path) -> bool:
    with one.open("rb") as a, other.open("rb") as b:
        while (piece := a.read(1 << 20)) == b.read(1 << 20):
            if not piece:
                return True
    return False


__all__ = ["SUMS", "Folder", "Kept", "NotOurs", "opened"]
