"""The database through PgBouncer in transaction mode, where a session lasts no longer than a transaction."""

from __future__ import annotations

from collections.abc import Iterator
from queue import Queue
from threading import Event, Thread

import pytest
from sqlalchemy import text

from pbem.store import locks
from pbem.store.engine import Store, open_store
from pbem.store.wake import Bell

pytestmark = pytest.mark.pgbouncer

PATIENCE_SECONDS = 60


@pytest.fixture
def store(pooled_url: str) -> Iterator[Store]:
    store = open_store(pooled_url)
    yield store
    store.close()


def test_a_pooler_is_noticed(store: Store, postgresql_url: str) -> None:
    direct = open_store(postgresql_url)
    assert store.sessions() is None
    assert direct.sessions() is direct.engine
    direct.close()


def test_the_same_statement_runs_in_any_session(store: Store) -> None:
    """Psycopg prepares a statement at its sixth run; the next transaction may be in a session without it."""
    sessions = set()
    with store.engine.connect() as holding, store.engine.connect() as asking:
        for turn in range(20):
            with asking.begin():
                sessions.add(asking.execute(text("SELECT pg_backend_pid()")).scalar_one())
                assert turn == asking.execute(text("SELECT :turn + 0"), {"turn": turn}).scalar_one()
            if turn % 5 == 4:  # this one now takes the session that the other had last
                holding.rollback()
                holding.execute(text("SELECT 1"))
    assert len(sessions) > 1


def test_a_lock_of_a_process_is_held_and_given_back(store: Store, pooled_url: str) -> None:
    other = open_store(pooled_url)
    for _ in range(10):
        with locks.process_lock(store, "fetch") as ours, locks.process_lock(other, "fetch") as theirs:
            assert (True, False) == (ours, theirs)
        with locks.process_lock(other, "fetch") as theirs:
            assert theirs
    other.close()


def test_nothing_listens_through_a_pooler(store: Store) -> None:
    bell = Bell(store)
    assert [] == list(bell.listen(lambda: False))
    bell.close()


def test_a_direct_way_hears_what_is_rung_through_the_pooler(pooled_url: str, postgresql_url: str) -> None:
    store, stop, heard = open_store(pooled_url, postgresql_url), Event(), Queue[tuple[str, ...]]()
    bell = Bell(store)

    def listen() -> None:
        for names in Bell(store).listen(stop.is_set, 0.05):
            heard.put(names)

    thread = Thread(target=listen)
    thread.start()
    while heard.empty():  # from when it listens
        bell.ring("file")
        stop.wait(0.2)
    assert ("file",) == heard.get(timeout=PATIENCE_SECONDS)
    stop.set()
    thread.join()
    bell.close()
    store.close()
