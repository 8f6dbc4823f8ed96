"""Opening a database, SQLite or PostgreSQL, so that the rest need not know which it is.

A transaction that writes takes SQLite's one write lock when it begins (BEGIN IMMEDIATE), so two
writers queue instead of failing half-way; on PostgreSQL rows are locked where they are read.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

BUSY_SECONDS = 10
"""How long a writer waits for SQLite's lock before it says so."""

QUIET: dict[str, Any] = {"hide_parameters": True}
"""Errors and logs name statements without their values: among those are letters and reply addresses."""

Conflict = IntegrityError
"""What a row raises that another of its kind keeps out: a name that is taken, an entry made twice."""

SQLITE_AWAY = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
    }
)
"""Primary result codes of a file that is locked, full or gone; the low byte of the extended ones."""


PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "temp_store=MEMORY",
    "secure_delete=FAST",  # what is blanked is overwritten, where that costs no more writing
)

READING: dict[str, dict[str, Any]] = {
    "sqlite": {"reading": True},
    "postgresql": {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True},
}
"""By dialect: what makes a transaction one that only looks."""


@dataclass(frozen=True)
class Store:
    """An open database. `write()` and `read()` each give a connection in one transaction."""

    engine: Engine

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that commits when the block ends, and rolls back if it raises."""
        with self.engine.begin() as connection:
            yield connection

    @contextmanager
    def jot(self) -> Iterator[Connection]:
        """A short transaction that outlives this process, but need not outlive a loss of power.

        So nothing waits for the disk; whatever is committed later takes it along.
        """
        with self._jotting.begin() as connection:
            if not is_sqlite(connection):
                connection.exec_driver_sql("SET LOCAL synchronous_commit TO off")
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only looks, and sees one moment of the database from first to last.

        On SQLite it takes no lock that a writer would miss.
        """
        with self._reading.begin() as connection:
            yield connection

    @property
    def file(self) -> Path | None:
        """The file of an SQLite database."""
        url = self.engine.url
        return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None

    @cached_property
    def _reading(self) -> Engine:
        return self.engine.execution_options(**READING[self.engine.dialect.name])

    @cached_property
    def _jotting(self) -> Engine:
        return self.engine.execution_options(jotting=True)

    def close(self) -> None:
        self.engine.dispose()


def open_store(url: str) -> Store:
    """Open the database at a SQLAlchemy URL; nothing is created or migrated.

    Raises ValueError for a database that is neither SQLite nor PostgreSQL.
    """
    parsed = make_url(url)
    backend = parsed.get_backend_name()
    if backend == "sqlite":
        if parsed.database:
            _make_private(Path(parsed.database))
        return Store(_sqlite(url))
    if backend == "postgresql":
        return Store(create_engine(url, pool_pre_ping=True, pool_size=10, max_overflow=10, **QUIET))
    raise ValueError(f"{backend} is not a database pbem knows; use sqlite or postgresql")


def _make_private(path: Path) -> None:
    """Make the file, for its owner alone: letters and addresses are in it. One that is there stays as it is.

    SQLite gives the files beside it the same mode.
    """
    if str(path) != ":memory:" and not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def is_sqlite(connection: Connection) -> bool:
    return connection.dialect.name == "sqlite"


def is_gone(error: BaseException) -> bool:
    """Whether `error` means that the database cannot be had now, so that trying again makes sense.

    A statement that is wrong, or a table that is not there, stays wrong: False. A deadlock or a
    serialization failure on PostgreSQL ends with the other transaction: True.
    """
    if isinstance(error, PoolTimeout):
        return True
    if not isinstance(error, DBAPIError):
        return False
    if isinstance(error.orig, sqlite3.Error):
        return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in SQLITE_AWAY
    return bool(error.connection_invalidated) or isinstance(error, OperationalError | InterfaceError)


def _sqlite(url: str) -> Engine:
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False}, **QUIET)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(dbapi_connection: Any, _record: Any) -> None:
    dbapi_connection.isolation_level = None  # we say BEGIN ourselves
    for pragma in PRAGMAS:
        dbapi_connection.execute(f"PRAGMA {pragma}").close()


def _begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    wanted = "NORMAL" if options.get("jotting") else "FULL"
    if connection.info.get("synchronous", "FULL") != wanted:
        connection.exec_driver_sql(f"PRAGMA synchronous={wanted}")
        connection.info["synchronous"] = wanted
    connection.exec_driver_sql("BEGIN" if options.get("reading") else "BEGIN IMMEDIATE")
