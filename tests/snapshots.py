"""First states of tests, made once by mail in this process and then copied.

Copied are the rows of a database and the secret that its reply addresses are signed with. A state may be made
from another one. With other steps, chance, clocks or name servers of the test, all is done by mail each time.
"""

from __future__ import annotations

import json
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from contextlib import closing
from dataclasses import dataclass, fields, replace
from hashlib import blake2b
from pathlib import Path
from random import SystemRandom
from typing import Protocol

import psycopg

from pbem.app import App
from pbem.keys.address_keys import secret_file
from tests.cover import recorder

MAX_KEPT = 120
empty: list[bytes] = []
"""The files that were found to be without rows; in most runs the copied template alone."""


class Snapshot(Protocol):
    """The rows of a database."""

    def restore(self, app: App) -> None:
        """Give the app's database these rows, and no others."""
        ...

    def close(self) -> None: ...


made: OrderedDict[Hashable, tuple[Snapshot, bytes | None]] = OrderedDict()
"""The states, with what the file of the secret held; the one used last is at the end."""


def once(app: App, words: Hashable, make: Callable[[], object]) -> None:
    """Bring the app to where `make` leads from what its database holds now."""
    if not _usual(app):
        with recorder.paused():
            make()
        return
    key = (words, _held(app), app.now(), _settings(app))
    if key in made:
        made.move_to_end(key)
        kept, secret = made[key]
        kept.restore(app)
        path = secret_file(app.config)
        if path is not None and secret is not None:
            path.write_bytes(secret)
    else:
        with recorder.paused():
            make()
        copy = SqliteSnapshot if app.store.file else PostgresSnapshot
        made[key] = copy.of(app), _secret(app)
        if len(made) > MAX_KEPT:
            made.popitem(last=False)[1][0].close()


def _usual(app: App) -> bool:
    usual = App.__dataclass_fields__["step"].default
    by_hand = app.step is usual and type(app.rng) is SystemRandom and hasattr(app.clock, "pass_by")
    return by_hand and app.lookup is None


def _secret(app: App) -> bytes | None:
    path = secret_file(app.config)
    return path.read_bytes() if path is not None and path.exists() else None


def _held(app: App) -> tuple[bytes, bytes | None] | None:
    """What tells a database from others: its content and the secret of its addresses; None if it is empty."""
    file = app.store.file
    if file is None:
        rows = PostgresSnapshot.of(app)
        return (rows.digest, _secret(app)) if rows.tables else None
    if _empty(file):
        return None
    with closing(sqlite3.connect(file)) as db:
        return blake2b(db.serialize()).digest(), _secret(app)


def _settings(app: App) -> str:
    """All settings, secrets too, but for the app's own folder and the database's place."""
    kind = app.store.engine.dialect.name
    there = replace(app.config, database=f"{kind}://")
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


@dataclass(frozen=True)
class SqliteSnapshot:
    """A database in memory."""

    kept: sqlite3.Connection

    @classmethod
    def of(cls, app: App) -> SqliteSnapshot:
        kept = sqlite3.connect(":memory:", check_same_thread=False)
        with closing(sqlite3.connect(str(app.store.file))) as db:
            db.backup(kept)
        return cls(kept)

    def restore(self, app: App) -> None:
        with closing(sqlite3.connect(str(app.store.file))) as db:
            self.kept.backup(db)

    def close(self) -> None:
        self.kept.close()


USED = """
SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
AND relname <> 'alembic_version' AND pg_relation_size(oid) > 0 ORDER BY relname
"""
"""SQL for the tables that have or had rows."""
NUMBERS = "SELECT sequencename, last_value FROM pg_sequences WHERE last_value IS NOT NULL ORDER BY 1"


@dataclass(frozen=True)
class PostgresSnapshot:
    """The rows by table, as COPY writes them, and the last number of each sequence."""

    tables: Mapping[str, bytes]
    numbers: Mapping[str, int]

    @classmethod
    def of(cls, app: App) -> PostgresSnapshot:
        with app.store.engine.connect() as connection, _cursor(connection) as cursor:
            names = [name for (name,) in cursor.execute(USED).fetchall()]
            tables = {}
            for name in names:
                with cursor.copy(f'COPY "{name}" TO STDOUT') as rows:  # type: ignore[call-overload]
                    tables[name] = b"".join(rows)
            numbers = dict(cursor.execute(NUMBERS).fetchall())
        return cls({name: rows for name, rows in tables.items() if rows}, numbers)

    @property
    def digest(self) -> bytes:
        numbers = json.dumps(self.numbers).encode()
        return blake2b(b"\0".join((numbers, *(n.encode() + r for n, r in self.tables.items())))).digest()

    def restore(self, app: App) -> None:
        """Foreign keys are not looked at on the way, so that the order of tables does not matter."""
        with app.store.engine.begin() as connection, _cursor(connection) as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            used = [f'"{name}"' for (name,) in cursor.execute(USED).fetchall()]
            if used:
                cursor.execute(f"TRUNCATE {', '.join(used)} RESTART IDENTITY CASCADE")  # type: ignore[call-overload]
            for name, rows in self.tables.items():
                with cursor.copy(f'COPY "{name}" FROM STDIN') as copy:  # type: ignore[call-overload]
                    copy.write(rows)
            cursor.executemany("SELECT setval(%s::regclass, %s)", self.numbers.items())

    def close(self) -> None:
        pass


def _cursor(connection: object) -> psycopg.Cursor:
    return connection.connection.driver_connection.cursor()  # type: ignore[attr-defined]
