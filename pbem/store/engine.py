"""Opens a database, SQLite or PostgreSQL, with the same interface.

A writing transaction takes SQLite's only write lock at its start (BEGIN IMMEDIATE), so two writers queue
instead of failing half-way. Threads of one process queue by `WriteQueue`. On PostgreSQL rows are locked where
they are read.
"""

import os
import select
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from logging import Logger
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import (
    DBAPIError,
    IntegrityError,
    InterfaceError,
    InvalidatePoolError,
    OperationalError,
    ProgrammingError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout

from pbem.store.write_queue import WriteQueue

BUSY_SECONDS = 10
"""Time that a writer waits for SQLite's lock before it raises, unless the URL says `?timeout=`."""

HIDE_VALUES: dict[str, Any] = {"hide_parameters": True}
"""An option that hides values in errors and logs, as they include letters and reply addresses."""

Conflict = IntegrityError
"""Raised when a row conflicts with another: a taken name, a duplicate entry."""

SQLITE_UNAVAILABLE = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
    }
)
"""SQLite's primary result codes, the low byte of the extended ones, for a locked, full or missing file."""

SQLITE_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})

POSTGRES_DISK_FULL = "53100"

DURABLE_SETTINGS = frozenset({"fsync", "full_page_writes", "synchronous_commit"})
"""Settings of PostgreSQL that keep what was committed, and must not be off."""

WAL = "PRAGMA journal_mode=WAL"
WAL_WAIT_SECONDS = 0.02
"""Seconds between tries: SQLite does not wait while another process makes a new file's log."""
PRAGMAS = (
    "synchronous=FULL",
    "foreign_keys=ON",
    "temp_store=MEMORY",
    "secure_delete=FAST",  # overwrites deleted content where that costs no extra writing
)

WRITING, UNSYNCED, READING = ("FULL", "BEGIN IMMEDIATE"), ("NORMAL", "BEGIN IMMEDIATE"), ("FULL", "BEGIN")
"""The kinds of SQLite's transactions: `synchronous`, and the statement that begins one."""

KIND, SYNCHRONOUS = "kind", "synchronous"
"""What a connection to SQLite has in `info`: the kind of its transaction, if not WRITING, and the setting."""

NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})
READ_ONLY: dict[str, Any] = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
"""PostgreSQL's options of a read-only transaction."""


@dataclass(frozen=True)
class Store:
    """An open database. `write()` and `read()` each open one transaction."""

    engine: Engine
    _queue: WriteQueue = field(default_factory=lambda: WriteQueue(BUSY_SECONDS), compare=False, repr=False)

    @contextmanager
    def write(self, *, first: bool = False) -> Iterator[Connection]:
        """Open a transaction that commits at the end of the block, or rolls back if the block raises.

        `first`: begin before the other threads of this process that wait for a transaction.
        """
        with self._turn(first=first), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def write_unsynced(self) -> Iterator[Connection]:
        """Open a short transaction without waiting for the disk. A power failure may lose it."""
        with self._turn(first=False), self._transaction(UNSYNCED) as connection:
            if not is_sqlite(connection):
                connection.exec_driver_sql("SET LOCAL synchronous_commit TO off")
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a read-only transaction with one consistent view. On SQLite it blocks no writer."""
        with self._transaction(READING, READ_ONLY) as connection:
            yield connection

    @contextmanager
    def _transaction(
        self, kind: tuple[str, str], options: Mapping[str, Any] = NO_OPTIONS
    ) -> Iterator[Connection]:
        """Open a transaction: on SQLite of a kind, on PostgreSQL with options."""
        with self.engine.connect() as connection:
            if not is_sqlite(connection):
                with connection.execution_options(**options).begin():
                    yield connection
                return
            info = connection.info
            info[KIND] = kind
            try:
                with connection.begin():
                    yield connection
            finally:
                del info[KIND]

    def _turn(self, *, first: bool) -> AbstractContextManager[None]:
        """Wait for this thread's turn to write. On PostgreSQL nobody waits."""
        return self._queue.turn(first=first) if self.engine.dialect.name == "sqlite" else nullcontext()

    @property
    def file(self) -> Path | None:
        return sqlite_file(self.engine.url)

    def careless_settings(self) -> list[str]:
        """The settings of PostgreSQL by which a crash loses what was committed."""
        if self.file is not None:
            return []
        with self.read() as db:
            found = db.exec_driver_sql("SELECT name FROM pg_settings WHERE setting = 'off' ORDER BY name")
            return [name for name in found.scalars() if name in DURABLE_SETTINGS]

    def close(self) -> None:
        self.engine.dispose()


def sqlite_file(url: str | URL) -> Path | None:
    """Return an SQLite database's file; None for others and in memory."""
    parsed = make_url(url)
    named = parsed.get_backend_name() == "sqlite" and parsed.database not in (None, "", ":memory:")
    return Path(str(parsed.database)) if named else None


class BadUrlOption(ValueError):
    """An option of SQLite's URL is of the wrong kind."""


def open_store(url: str) -> Store:
    """Open the database at an SQLAlchemy URL, as it is. Raises ValueError for an unknown kind.

    A wrong option of SQLite raises BadOption.
    """
    parsed = make_url(url)
    backend = parsed.get_backend_name()
    if backend == "sqlite":
        if parsed.database:
            _make_private(Path(parsed.database))
        arguments: dict[str, Any] = {"check_same_thread": False}
        if "timeout" not in parsed.query:
            arguments["timeout"] = BUSY_SECONDS
        try:
            engine = create_engine(url, connect_args=arguments, **HIDE_VALUES)
        except (TypeError, ValueError) as error:  # an option that is given twice is a tuple
            raise BadUrlOption(f"an option is wrong, {error}") from error
        event.listen(engine, "connect", _prepare)
        # a listener at "begin" would make SQLAlchemy look for listeners at every statement
        engine.dialect.do_begin = _begin  # type: ignore[assignment]
        return Store(engine)
    if backend == "postgresql":
        engine = create_engine(url, pool_size=10, max_overflow=10, **HIDE_VALUES)
        event.listen(engine, "checkout", _check_line)
        return Store(engine)
    raise ValueError(f"{backend} is not a database pbem knows; use sqlite or postgresql")


def _make_private(path: Path) -> None:
    """Create the file for its owner alone: it holds letters and addresses. An old one stays as it is."""
    if str(path) != ":memory:" and not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def is_sqlite(connection: Connection) -> bool:
    return connection.dialect.name == "sqlite"


def upsert(db: Connection, table: Table) -> Any:
    """Return an insert that can say what a conflict does."""
    return (sqlite if is_sqlite(db) else postgresql).insert(table)


def add_row(db: Connection, table: Table, **values: Any) -> None:
    """Insert a row; one that is there already stays as it is."""
    db.execute(upsert(db, table).values(**values).on_conflict_do_nothing())


def put_row(db: Connection, table: Table, keys: Mapping[str, Any], **values: Any) -> None:
    """Insert the row with these unique columns, or update it."""
    new = upsert(db, table).values(**keys, **values)
    db.execute(new.on_conflict_do_update(index_elements=list(keys), set_=values))


def log_at_commit(db: Connection, log: Logger, line: str, *facts: Any) -> None:
    """Log a line when the transaction commits. A trial in a savepoint logs nothing."""
    if not db.in_nested_transaction():
        event.listen(db, "commit", lambda _: log.info(line, *facts), once=True)


@contextmanager
def unless_unavailable() -> Iterator[None]:
    """Do nothing while the database is unavailable. Other errors are raised."""
    try:
        yield
    except Exception as error:
        if not is_unavailable(error):
            raise


def is_unavailable(error: BaseException) -> bool:
    """True if the database is unavailable now, so a retry makes sense.

    A wrong statement or a missing table stays wrong: False. A deadlock or a serialization failure on
    PostgreSQL ends with the other transaction: True.
    """
    if isinstance(error, PoolTimeout):
        return True
    if not isinstance(error, DBAPIError):
        return False
    if isinstance(error.orig, sqlite3.Error):
        return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in SQLITE_UNAVAILABLE
    return bool(error.connection_invalidated) or isinstance(error, OperationalError | InterfaceError)


def is_misconfigured(error: BaseException) -> bool:
    """True if an option of the URL is unknown or wrong. No server was asked."""
    if isinstance(error, BadUrlOption):
        return True
    original = error.orig if isinstance(error, ProgrammingError) else None
    return getattr(original, "sqlstate", "") is None


def is_damaged(error: BaseException) -> bool:
    """True if SQLite's file is damaged, or no database."""
    code = getattr(error.orig, "sqlite_errorcode", 0) if isinstance(error, DBAPIError) else 0
    return code & 0xFF in SQLITE_DAMAGED


def is_full(error: BaseException) -> bool:
    """True if the database has no room on its disk."""
    original = error.orig if isinstance(error, DBAPIError) else None
    if isinstance(original, sqlite3.Error):
        return getattr(original, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL
    return getattr(original, "sqlstate", None) == POSTGRES_DISK_FULL


def _prepare(dbapi_connection: Any, _record: Any) -> None:
    dbapi_connection.isolation_level = None  # this module issues BEGIN itself
    _use_wal(dbapi_connection)
    for pragma in PRAGMAS:
        dbapi_connection.execute(f"PRAGMA {pragma}").close()


def _use_wal(connection: sqlite3.Connection) -> None:
    """Have the file use a write-ahead log. Raises OperationalError after ten seconds."""
    end = time.monotonic() + BUSY_SECONDS
    while time.monotonic() < end:
        try:
            connection.execute(WAL).close()
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
        time.sleep(WAL_WAIT_SECONDS)
    connection.execute(WAL).close()


def _check_line(dbapi_connection: Any, _record: Any, _proxy: Any) -> None:
    """Invalidate the pool if the server has hung up, as data on the socket shows without a query."""
    line = dbapi_connection.pgconn
    try:
        while select.select([line.socket], [], [], 0)[0]:
            line.consume_input()
            if line.status != 0:
                raise InvalidatePoolError
    except (dbapi_connection.OperationalError, OSError, ValueError):
        raise InvalidatePoolError from None


def _begin(line: Any) -> None:
    """Begin a transaction on SQLite without SQLAlchemy, which takes ten times as long for a statement."""
    synchronous, begin = line.info.get(KIND, WRITING)
    if line.info.get(SYNCHRONOUS, "FULL") != synchronous:
        line.execute(f"PRAGMA synchronous={synchronous}").close()
        line.info[SYNCHRONOUS] = synchronous
    line.execute(begin).close()
