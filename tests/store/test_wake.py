"""Processes that wake the workers of others, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from queue import SimpleQueue
from threading import Event, Thread

import pytest
from sqlalchemy import text

from pbem.store.engine import Store, open_store
from pbem.store.wake import CHANNEL, Bell

PATIENCE_SECONDS = 60


@pytest.fixture
def store(postgresql_url: str) -> Iterator[Store]:
    store = open_store(postgresql_url)
    yield store
    store.close()


@pytest.fixture
def heard(store: Store) -> Iterator[SimpleQueue[tuple[str, ...]]]:
    """The names of each ring, as another process hears them."""
    rings: SimpleQueue[tuple[str, ...]] = SimpleQueue()
    stop = Event()

    def listen() -> None:
        for names in Bell(store).listen(stop.is_set, 0.05):
            rings.put(names)

    thread = Thread(target=listen)
    thread.start()
    _wait_for_listener(store)
    yield rings
    stop.set()
    thread.join()


def _wait_for_listener(store: Store) -> None:
    query = text("SELECT count(*) FROM pg_stat_activity WHERE query = :words AND state = 'idle'")
    for _ in range(PATIENCE_SECONDS * 100):
        with store.read() as db:
            if db.execute(query, {"words": f"LISTEN {CHANNEL}"}).scalar_one():
                return
        Event().wait(0.01)
    raise AssertionError("nobody listens")


def test_a_ring_names_the_threads_to_wake(store: Store, heard: SimpleQueue[tuple[str, ...]]) -> None:
    bell = Bell(store)
    bell.ring("file")
    assert ("file",) == heard.get(timeout=PATIENCE_SECONDS)
    bell.ring()
    assert () == heard.get(timeout=PATIENCE_SECONDS)
    bell.close()


def test_many_rings_at_once_are_few_and_none_is_lost(
    store: Store, heard: SimpleQueue[tuple[str, ...]]
) -> None:
    bell = Bell(store)
    for _ in range(500):
        bell.ring("file")
    bell.ring("send")
    rings = [heard.get(timeout=PATIENCE_SECONDS)]
    while "send" not in rings[-1]:
        rings.append(heard.get(timeout=PATIENCE_SECONDS))
    assert len(rings) < 250
    bell.close()


def test_a_closed_bell_does_not_ring(store: Store, heard: SimpleQueue[tuple[str, ...]]) -> None:
    bell, other = Bell(store), Bell(store)
    bell.close()
    bell.ring("file")
    other.ring("send")
    assert ("send",) == heard.get(timeout=PATIENCE_SECONDS)


def test_sqlite_has_no_bell(sqlite_url: str) -> None:
    store = open_store(sqlite_url)
    bell = Bell(store)
    bell.ring("file")
    assert [] == list(bell.listen(lambda: False))
    bell.close()
    store.close()
