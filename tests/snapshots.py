"""First states of tests, made once by mail in this process and then copied.

Copied are an SQLite database and the secret that its reply addresses are signed with. A state may be made
from another one. With other databases, steps, chance, clocks or name servers of the test, all is done by mail
each time.
"""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import closing
from dataclasses import fields, replace
from hashlib import blake2b
from pathlib import Path
from random import SystemRandom

from pbem.app import App
from pbem.keys.address_keys import secret_file

made: OrderedDict[Hashable, tuple[sqlite3.Connection, bytes | None]] = OrderedDict()
"""The databases, in memory, and what the file of the secret held; the one used last is at the end."""
MAX_KEPT = 120
empty: list[bytes] = []
"""The files that were found to be without rows; in most runs the copied template alone."""


def once(app: App, words: Hashable, make: Callable[[], object]) -> None:
    """Bring the app to where `make` leads from what its database holds now."""
    file = app.store.file
    if file is None or not _usual(app):
        make()
        return
    key = (words, _held(app, file), app.now(), _settings(app))
    if key in made:
        made.move_to_end(key)
        _restore(app, file, *made[key])
    else:
        make()
        made[key] = _copy(app, file)
        if len(made) > MAX_KEPT:
            made.popitem(last=False)[1][0].close()


def _usual(app: App) -> bool:
    usual = App.__dataclass_fields__["step"].default
    by_hand = app.step is usual and type(app.rng) is SystemRandom and hasattr(app.clock, "pass_by")
    return by_hand and app.lookup is None


def _held(app: App, file: Path) -> tuple[bytes, bytes | None] | None:
    """What tells a database from others: its content and the secret of its addresses; None if it is empty."""
    if _empty(file):
        return None
    secret = secret_file(app.config)
    with closing(sqlite3.connect(file)) as db:
        return blake2b(db.serialize()).digest(), secret.read_bytes() if secret else None


def _settings(app: App) -> str:
    """All settings, secrets too, but for the app's own folder and database."""
    there = replace(app.config, database="sqlite:///pbem.sqlite")
    values = [getattr(there, field.name) for field in fields(there)]  # repr() leaves secrets out
    return repr(values).replace(str(there.var), "var")


def _empty(file: Path) -> bool:
    """True if no table has a row. The same bytes as before, with none in the log beside them, are known."""
    log = file.with_name(f"{file.name}-wal")
    content = None if log.exists() and log.stat().st_size else file.read_bytes()
    if content is not None and content in empty:
        return True
    found = _has_no_row(file)
    if found and content is not None:
        empty.append(content)
    return found


def _has_no_row(file: Path) -> bool:
    with closing(sqlite3.connect(file)) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        only = {"alembic_version": "WHERE false", "sqlite_sequence": "WHERE seq > 0"}
        rows = (f'SELECT 1 FROM "{name}" {only.get(name, "")} LIMIT 1' for name in names)
        return not any(db.execute(row).fetchone() for row in rows)


def _copy(app: App, file: Path) -> tuple[sqlite3.Connection, bytes | None]:
    kept = sqlite3.connect(":memory:")
    with closing(sqlite3.connect(file)) as db:
        db.backup(kept)
    secret = secret_file(app.config)
    return kept, secret.read_bytes() if secret else None


def _restore(app: App, file: Path, kept: sqlite3.Connection, secret: bytes | None) -> None:
    with closing(sqlite3.connect(file)) as db:
        kept.backup(db)
    path = secret_file(app.config)
    if path is not None and secret is not None:
        path.write_bytes(secret)
