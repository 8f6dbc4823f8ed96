"""Servers to back up, and places to restore to, for tests of backups."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.progress import Progress, TaskID
from sqlalchemy import select

from pbem.app import App, open_app
from pbem.backup import archive
from pbem.backup.restore import check_backup, restore, target_of
from pbem.backup.save import Saved, save_backup
from pbem.config.load import config_from
from pbem.store.engine import Store
from pbem.store.tables.columns import metadata


class Bar(Progress):
    """A silent progress bar that calls `then` once the backup has begun to read."""

    def __init__(self, then: Callable[[], object] = lambda: None) -> None:
        super().__init__(disable=True)
        self.then = then

    def add_task(self, *words: Any, **options: Any) -> TaskID:
        self.then()
        return super().add_task(*words, **options)


def save(
    app: App, environ: Mapping[str, str], path: Path, then: Callable[[], object] = lambda: None
) -> Saved:
    return save_backup(app, environ, path, Bar(then))


def bring_back(path: Path, environ: Mapping[str, str], now: datetime) -> int:
    """Restore to the server of these settings; return the epoch."""
    with path.open("rb") as file:
        manifest = check_backup(file)
        target = target_of(archive.read_files(file), environ, Path(environ["PBEM_VAR"]) / ".env")
        return restore(file, manifest, target, now)


def reopened(environ: Mapping[str, str], clock: Callable[[], datetime]) -> App:
    return open_app(config_from(environ), clock=clock)


def all_rows(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """The rows of every table, sorted, as the program reads them."""
    with store.read() as db:
        return {
            name: sorted((tuple(row) for row in db.execute(select(table))), key=repr)
            for name, table in metadata.tables.items()
        }


def without_marks(rows: dict[str, list[tuple[object, ...]]]) -> dict[str, list[tuple[object, ...]]]:
    """The rows without what a restore itself writes: its epoch, the lost time, its marks on games."""
    columns = list(metadata.tables["games"].columns.keys())
    marks = {columns.index(name) for name in ("restored_entries", "next_event_at")}
    games = [tuple(value for n, value in enumerate(row) if n not in marks) for row in rows["games"]]
    kept = {name: found for name, found in rows.items() if name not in ("restores", "outages", "heartbeats")}
    return {**kept, "games": sorted(games, key=repr)}
