"""Files below one folder, in which somebody else may have planted links: none is followed.

Otherwise whoever may write into the folder has us write, read or remove files anywhere. The folder is held
open, so it is the same one from first to last, whatever becomes of its name.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO

NO_LINK = os.O_NOFOLLOW | os.O_CLOEXEC
FOLDER = os.O_RDONLY | os.O_DIRECTORY
NOTHING, NO_FILE = -1, -2
"""In place of a size: there is nothing, or something that is no file."""


class Linked(ValueError):
    """A link, or something else, stands where a folder or a file should; `str()` says where."""


class Below:
    """The folder at `place`, which may itself be a link: that is for its owner to say."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.number = os.open(place, FOLDER | os.O_CLOEXEC)
        self._last: tuple[str, int] = ("", self.number)

    def close(self) -> None:
        self._leave()
        os.close(self.number)

    def names(self) -> set[str]:
        """What lies in the folder itself."""
        return set(os.listdir(self.number))

    def size(self, path: str) -> int:
        """The size of a file, or NOTHING, or NO_FILE."""
        try:
            found = os.stat(_name(path), dir_fd=self._folder_of(path), follow_symlinks=False)
        except FileNotFoundError:
            return NOTHING
        return found.st_size if S_ISREG(found.st_mode) else NO_FILE

    def open(self, path: str) -> BinaryIO:
        """A file to read."""
        number = self._opened(
            path, os.O_RDONLY | os.O_NONBLOCK
        )  # a pipe would keep us waiting for its writer
        if not S_ISREG(os.fstat(number).st_mode):
            os.close(number)
            raise self._in_the_way(path)
        return os.fdopen(number, "rb")

    @contextmanager
    def draft(self, name: str) -> Iterator[BinaryIO]:
        """A new file in the folder itself; what was left under its name is gone."""
        self.remove(name)
        number = self._opened(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        with os.fdopen(number, "wb") as file:
            yield file

    def settle(self, draft: str, path: str) -> None:
        """Put a draft in its place, whole at every moment; a link that stands there gives way to it."""
        folder = self._folder_of(path, make=True)
        os.replace(draft, _name(path), src_dir_fd=self.number, dst_dir_fd=folder)

    def remove(self, path: str) -> bool:
        """Whether there was something to remove: a file, or a link and not what it leads to."""
        with suppress(FileNotFoundError):
            os.unlink(_name(path), dir_fd=self._folder_of(path))
            return True
        return False

    def _opened(self, path: str, flags: int) -> int:
        folder = self._folder_of(path)
        try:
            return os.open(_name(path), flags | NO_LINK, 0o666, dir_fd=folder)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise self._in_the_way(path) from None
            raise

    def _folder_of(self, path: str, *, make: bool = False) -> int:
        """The folder that a path lies in; the last one asked for stays open, for its neighbours."""
        way = path.rpartition("/")[0]
        if way != self._last[0]:
            number = self._walked(way, make)
            self._leave()
            self._last = (way, number)
        return self._last[1]

    def _walked(self, way: str, make: bool) -> int:
        number, gone = os.dup(self.number), ""
        for name in way.split("/") if way else ():
            gone = f"{gone}/{name}".lstrip("/")
            try:
                inner = _entered(number, name, make)
            except OSError as error:
                if error.errno in (errno.ELOOP, errno.ENOTDIR):
                    raise self._in_the_way(gone) from None
                raise
            finally:
                os.close(number)
            number = inner
        return number

    def _leave(self) -> None:
        if self._last[1] != self.number:
            os.close(self._last[1])
        self._last = ("", self.number)

    def _in_the_way(self, path: str) -> Linked:
        return Linked(f"{self.place / path} is a link, or no file; nothing is read or written through it.")


def _entered(folder: int, name: str, make: bool) -> int:
    if make:
        with suppress(FileExistsError):
            os.mkdir(name, dir_fd=folder)
    return os.open(name, FOLDER | NO_LINK, dir_fd=folder)


def _name(path: str) -> str:
    return path.rpartition("/")[2]
