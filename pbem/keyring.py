"""The keys that reply addresses are signed with, newest first, as the secret is from moment to moment.

Where the secret is the file in PBEM_VAR it is read again whenever it has changed, so that a process
that was running before `pbem rotate` knows the addresses that one started after it has made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import overload

from pbem.config import Settings, SettingsError, secret_file, secrets_of

Stamp = tuple[int, int, int]


class Keyring(Sequence[bytes]):
    """One key for each secret, newest first; only the first signs, all are read."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._file = secret_file(settings)
        self._keys = _keys(secrets_of(settings))
        self._stamp = self._now()

    def __len__(self) -> int:
        return len(self._current())

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._current())

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[bytes]: ...
    def __getitem__(self, index: int | slice) -> bytes | Sequence[bytes]:
        return self._current()[index]

    def _current(self) -> tuple[bytes, ...]:
        """The keys; what was known stays where the file is gone or damaged meanwhile."""
        stamp = self._now()
        if stamp is not None and stamp != self._stamp:
            with suppress(OSError, SettingsError):
                self._keys, self._stamp = _keys(secrets_of(self._settings)), stamp
        return self._keys

    def _now(self) -> Stamp | None:
        """What changes when the file is replaced; None where the secret is no file."""
        try:
            found = self._file.stat() if self._file else None
        except OSError:
            return None
        return (found.st_ino, found.st_mtime_ns, found.st_size) if found else None


def _keys(found: Sequence[str]) -> tuple[bytes, ...]:
    return tuple(sha256(b"pbem addresses: " + secret.encode()).digest() for secret in found)
