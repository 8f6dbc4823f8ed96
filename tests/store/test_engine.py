"""Database errors: unavailability is worth a retry, a wrong statement is not."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, OperationalError

from pbem.store import engine
from pbem.store.engine import BUSY_SECONDS, Store, is_unavailable, open_store

pytestmark = pytest.mark.each_database


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    store = open_store(database_url)
    yield store
    store.close()


def trouble(store: Store, statement: str) -> DBAPIError:
    with pytest.raises(DBAPIError) as caught, store.write() as db:
        db.execute(text(statement))
    return caught.value


@pytest.mark.parametrize("statement", ["SELECT 1 FROM nowhere", "SELECT nothing FROM games", "SELEKT 1"])
def test_a_statement_that_is_wrong_stays_wrong(store: Store, statement: str) -> None:
    assert not is_unavailable(trouble(store, statement))


def test_a_locked_file_is_worth_another_try(sqlite_url: str) -> None:
    store = open_store(f"{sqlite_url}?timeout=0.1")
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        assert is_unavailable(trouble(store, "SELECT 1"))
        assert time.monotonic() - began < BUSY_SECONDS / 2
        other.execute("ROLLBACK")
    other.close()
    store.close()


class Contended(sqlite3.Connection):
    """A connection to a new file that other processes are giving its write-ahead log."""

    busy = 0

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        if "journal_mode" in sql and Contended.busy:
            Contended.busy -= 1
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error
        return super().execute(sql, *values)


def test_a_new_file_that_several_processes_open_at_once_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite itself reports a lock at once there: of 900 openings, six at a time, 14 failed."""
    connect = sqlite3.dbapi2.connect
    monkeypatch.setattr(sqlite3.dbapi2, "connect", lambda *a, **k: connect(*a, **k, factory=Contended))
    monkeypatch.setattr(Contended, "busy", 3)
    store = open_store(f"sqlite:///{tmp_path}/new.sqlite")
    with store.write() as db:
        assert "wal" == db.scalar(text("PRAGMA journal_mode"))
    assert 0 == Contended.busy
    store.close()


def test_a_file_whose_log_another_process_keeps_away_is_given_up_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite itself waits in each try."""
    monkeypatch.setattr(engine, "BUSY_SECONDS", 0.5)
    file = tmp_path / "old.sqlite"
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("CREATE TABLE t (a)")
        other.execute("BEGIN")
        other.execute("SELECT * FROM t").fetchall()
        with closing(open_store(f"sqlite:///{file}")) as store:
            began = time.monotonic()
            with pytest.raises(OperationalError), store.read() as db:
                db.execute(text("SELECT 1"))
            assert time.monotonic() - began < 5


def test_a_reader_waits_for_no_writer(sqlite_url: str) -> None:
    store = open_store(f"{sqlite_url}?timeout=0.1")
    with store.write(), store.read() as db:
        assert 0 == db.execute(text("SELECT count(*) FROM games")).scalar_one()
    store.close()


def test_a_full_disk_is_worth_another_try(sqlite_url: str) -> None:
    store = open_store(sqlite_url)
    with pytest.raises(DBAPIError) as caught, store.write() as db:
        db.execute(text("PRAGMA max_page_count = 1"))
        for n in range(50):
            db.execute(text(f"CREATE TABLE more{n} (x)"))
    assert is_unavailable(caught.value)
    store.close()


def test_a_file_that_cannot_be_opened_is_worth_another_try(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}")
    assert is_unavailable(trouble(store, "SELECT 1"))
    store.close()


def test_a_server_that_does_not_answer_is_worth_another_try() -> None:
    store = open_store("postgresql+psycopg://nobody@127.0.0.1:1/none")
    assert is_unavailable(trouble(store, "SELECT 1"))
    store.close()


def test_of_two_that_wait_for_each_other_one_may_try_again(postgresql_url: str) -> None:
    store = open_store(postgresql_url)
    both, caught = Barrier(2), []

    def take(first: int, second: int) -> None:
        try:
            with store.write() as db:
                db.execute(text(f"SELECT pg_advisory_xact_lock({first})"))
                both.wait(60)
                db.execute(text(f"SELECT pg_advisory_xact_lock({second})"))
        except DBAPIError as error:
            caught.append(error)

    threads = [Thread(target=take, args=pair) for pair in ((1, 2), (2, 1))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.close()
    assert [True] == [is_unavailable(error) for error in caught]


def test_what_is_read_in_one_block_is_of_one_moment(store: Store) -> None:
    with store.read() as db:
        assert 0 == db.execute(text("SELECT count(*) FROM players")).scalar_one()
        with store.write() as other:
            other.execute(
                text(
                    "INSERT INTO players (name, name_key, address, epoch, stopped, created_at) "
                    "VALUES ('Bill', 'bill', 'bill@example.org', 0, '[]', '2026-03-01 12:00:00')"
                )
            )
        assert 0 == db.execute(text("SELECT count(*) FROM players")).scalar_one()
    with store.read() as db:
        assert 1 == db.execute(text("SELECT count(*) FROM players")).scalar_one()


def test_a_block_that_only_looks_cannot_write_on_postgresql(postgresql_url: str) -> None:
    store = open_store(postgresql_url)
    with pytest.raises(DBAPIError, match="read-only"), store.read() as db:
        db.execute(text("DELETE FROM games"))
    with store.write() as db:
        db.execute(text("DELETE FROM games"))
    store.close()


def test_lines_that_the_server_has_ended_are_not_used_again(postgresql_url: str) -> None:
    store = open_store(postgresql_url)
    ends = text(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    with store.write(), store.write(), store.write() as db:
        db.execute(text("SELECT 1"))
    other = open_store(postgresql_url)
    with other.write() as db:
        assert 3 == len(db.execute(ends).all())
    other.close()
    for _ in range(4):
        with store.write() as db:
            db.execute(text("SELECT 1"))
    store.close()
