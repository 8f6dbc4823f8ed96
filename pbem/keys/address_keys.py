"""Keys for reply addresses, newest first. Each process reads a changed file in PBEM_VAR again."""

import fcntl
import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from pbem.config.load import SettingsError
from pbem.config.parsers import SECRET_LETTERS
from pbem.config.table import Config

SECRET_FILE = "secret"
OLD_SECRETS = 2
"""Older secrets that are still accepted."""


class Keyring(Sequence[bytes]):
    """One key per secret, newest first. The first key signs; signatures by any key are accepted."""

    def __init__(self, config: Config) -> None:
        self._settings = config
        path = secret_file(config)
        self._path = str(path) if path else ""
        self._keys = _keys(secrets_of(config))
        self._stamp = self._now()

    def __len__(self) -> int:
        return len(self._current())

    def __getitem__(self, index: Any) -> Any:
        return self._current()[index]

    def _current(self) -> tuple[bytes, ...]:
        """The current keys. The last known ones stay if the file is gone or damaged."""
        stamp = self._now()
        if stamp is not None and stamp != self._stamp:
            with suppress(OSError, SettingsError):
                self._keys, self._stamp = _keys(secrets_of(self._settings)), stamp
        return self._keys

    def _now(self) -> tuple[int, int, int] | None:
        """A value that changes with the file; None without one."""
        try:
            found = os.stat(self._path) if self._path else None
        except OSError:
            return None
        return (found.st_ino, found.st_mtime_ns, found.st_size) if found else None


def _keys(found: Sequence[str]) -> tuple[bytes, ...]:
    return tuple(sha256(b"pbem addresses: " + secret.encode()).digest() for secret in found)


def secrets_of(config: Config) -> tuple[str, ...]:
    """The secret that signs, made on first run, and those before it. Raises SettingsError."""
    if config.secret is not None:
        return (config.secret, *(config.old_secrets or ()))
    path = config.var / SECRET_FILE
    if not path.exists():
        write_once(path, secrets.token_hex(SECRET_LETTERS) + "\n")
    return _secrets_in(path)


def secret_file(config: Config) -> Path | None:
    return None if config.secret is not None else config.var / SECRET_FILE


def _secrets_in(path: Path) -> tuple[str, ...]:
    return read_secrets(path.read_text(), str(path))


def read_secrets(text: str, path: str) -> tuple[str, ...]:
    """The secrets in the text of a file, newest first. Raises SettingsError, which names the file."""
    lines = tuple(text.split())
    if not lines or any(len(line) < SECRET_LETTERS for line in lines):
        raise SettingsError(
            [f"{path} is damaged: bring it back from a backup, or every reply address is void."]
        )
    return lines[: OLD_SECRETS + 1]


def rotate_secret(config: Config) -> None:
    """Make a new signing secret; the two before it stay good. Raises SettingsError if it is a setting."""
    path = secret_file(config)
    if path is None:
        raise SettingsError(["PBEM_SECRET is set, so it is for you to change: see docs/run/senders.md."])
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)  # of two at once the second would lose the first's secret
        lines = (secrets.token_hex(SECRET_LETTERS), *(_secrets_in(path) if path.exists() else ()))
        text = "\n".join(lines[: OLD_SECRETS + 1]) + "\n"
        os.replace(write_draft(path, text.encode()), path)
        os.fsync(folder)
    finally:
        os.close(folder)


def write_once(path: Path, text: str) -> bool:
    """Write a private file, never over another; False if there is one."""
    draft = write_draft(path, text.encode())
    try:
        os.link(draft, path)
    except FileExistsError:
        return False
    finally:
        draft.unlink()
    return True


def write_draft(path: Path, content: bytes) -> Path:
    """Write a new private file beside `path`, flushed to the disk. A failure leaves none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        draft.unlink(missing_ok=True)
        error.filename = error.filename or str(path)
        raise
    return draft
