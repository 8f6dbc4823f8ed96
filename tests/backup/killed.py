"""A backup or a restore that kills itself in the middle."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from pbem.app import open_app
from pbem.backup import files, restore, save
from pbem.config.load import config_from
from pbem.store import transfer
from tests.backup.servers import bring_back
from tests.backup.servers import save as save_backup


def _die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _dying_at(number: int, plain: Callable[..., Any]) -> Callable[..., Any]:
    calls = iter(range(1, number))
    return lambda *words, **more: plain(*words, **more) if next(calls, None) else _die()


def killed_save(environ: Mapping[str, str], path: Path, tables: int) -> None:
    """Make a backup until so many tables are written; 0: until the file is to get its name."""
    if tables:
        transfer.read_rows = _dying_at(tables, transfer.read_rows)
    else:
        save.os.fsync = _die  # type: ignore[attr-defined]
    save_backup(open_app(config_from(environ)), environ, path)


def killed_restore(environ: Mapping[str, str], path: Path, now: datetime, point: str) -> None:
    """Restore until the named point: `rows`, `drafts`, `files`, or `commit`."""
    if point == "rows":
        transfer.add_rows = _dying_at(3, transfer.add_rows)
    elif point == "commit":
        files.Places.put = _after(files.Places.put)  # type: ignore[method-assign]
    elif point == "drafts":
        files.write_draft = _dying_at(2, files.write_draft)
    else:
        Path.replace = _dying_at(2, Path.replace)  # type: ignore[method-assign]
    assert restore.transfer is transfer
    bring_back(path, environ, now)


def _after(plain: Callable[..., Any]) -> Callable[..., Any]:
    def put(*words: Any) -> None:
        plain(*words)
        _die()

    return put
