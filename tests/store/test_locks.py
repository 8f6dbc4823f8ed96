"""Locks of processes, for work longer than a transaction."""

from __future__ import annotations

import pytest

from pbem.store.engine import open_store
from pbem.store.locks import process_lock


@pytest.mark.each_database
def test_a_lock_of_a_process_is_held_and_given_back(database_url: str) -> None:
    store, other = open_store(database_url), open_store(database_url)
    for _ in range(10):
        with process_lock(store, "fetch") as ours, process_lock(other, "fetch") as theirs:
            assert (True, False) == (ours, theirs)
        with process_lock(other, "fetch") as theirs:
            assert theirs
    for each in (store, other):
        each.close()
