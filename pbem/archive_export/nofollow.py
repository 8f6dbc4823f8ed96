"""Files below one folder, opened without following links.

Others may have planted links there. Whoever may write to the folder could otherwise make us write, read or
remove files anywhere. The folder stays open, so it is the same one throughout, even if it is renamed.
"""

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
"""Results in place of a size: nothing there, or not a file."""


class NotAPlainFile(ValueError):
    """A link or other object in place of a folder or file. `str()` says where."""


class ConfinedFolder:
    """The folder at `place`. The folder itself may be a link, as its owner decides."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.number = os.open(place, FOLDER | os.O_CLOEXEC)
        self._last: tuple[str, int] = ("", self.number)

    def close(self) -> None:
        self._leave()
        os.close(self.number)

    def names(self) -> set[str]:
        """Names in the folder itself."""
        return set(os.listdir(self.number))

    def size(self, path: str) -> int:
        """The size of a file, or NOTHING, or NO_FILE."""
        try:
            found = os.stat(_name(path), dir_fd=self._folder_of(path), follow_symlinks=False)
        except FileNotFoundError:
            return NOTHING
        return found.st_size if S_ISREG(found.st_mode) else NO_FILE

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading."""
        number = self._opened(
            path, os.O_RDONLY | os.O_NONBLOCK
        )  # a pipe would block us until it has a writer
        if not S_ISREG(os.fstat(number).st_mode):
            os.close(number)
            raise self._not_plain_error(path)
        return os.fdopen(number, "rb")

    @contextmanager
    def draft(self, name: str) -> Iterator[BinaryIO]:
        """A new file in the folder itself, replacing an old one."""
        self.remove(name)
        number = self._opened(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        with os.fdopen(number, "wb") as file:
            yield file

    def settle(self, draft: str, path: str) -> None:
        """Move a draft to its path atomically, replacing a link there."""
        folder = self._folder_of(path, make=True)
        os.replace(draft, _name(path), src_dir_fd=self.number, dst_dir_fd=folder)

    def remove(self, path: str) -> bool:
        """Remove a file or a link itself; True if there was one."""
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
                raise self._not_plain_error(path) from None
            raise

    def _folder_of(self, path: str, *, make: bool = False) -> int:
        """The folder of a path. The last one stays open for its other files."""
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
                inner = _enter_folder(number, name, make)
            except OSError as error:
                if error.errno in (errno.ELOOP, errno.ENOTDIR):
                    raise self._not_plain_error(gone) from None
                raise
            finally:
                os.close(number)
            number = inner
        return number

    def _leave(self) -> None:
        if self._last[1] != self.number:
            os.close(self._last[1])
        self._last = ("", self.number)

    def _not_plain_error(self, path: str) -> NotAPlainFile:
        return NotAPlainFile(
            f"{self.place / path} is a link, or no file; nothing is read or written through it."
        )


def _enter_folder(folder: int, name: str, make: bool) -> int:
    if make:
        with suppress(FileExistsError):
            os.mkdir(name, dir_fd=folder)
    return os.open(name, FOLDER | NO_LINK, dir_fd=folder)


def _name(path: str) -> str:
    return path.rpartition("/")[2]
