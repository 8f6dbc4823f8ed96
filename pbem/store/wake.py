"""Wakes the workers of other processes: by NOTIFY on PostgreSQL only.

Work that no ring announced is found a second later. Ringing has its own transaction, since transactions that
ring wait for each other's commits. A process rings at most ten times a second.
"""

import time
from collections.abc import Callable, Iterator
from threading import Lock, Timer

from sqlalchemy import Connection, Engine, func, select

from pbem.store.engine import Store, is_unavailable

CHANNEL = "pbem"
GAP_SECONDS = 0.1


class Bell:
    """Rings for the workers of all processes that listen."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock, self._ringing = Lock(), Lock()
        self._closed = False
        self._later: Timer | None = None
        self._names = set[str]()
        self._next = 0.0

    def ring(self, *names: str) -> None:
        """Wake all threads of each worker, or those named. What follows at once waits, and rings together."""
        if self._store.file is not None:
            return
        with self._lock:
            self._names.update(names or ("",))
            wait = self._next - time.monotonic()
            if self._later is not None:
                return
            if wait > 0:
                self._later = Timer(wait, self._notify)
                self._later.daemon = True
                self._later.start()
                return
        self._notify()

    def close(self) -> None:
        """Stop ringing. Workers find work that was not announced yet by themselves."""
        with self._ringing:
            self._closed = True

    def _notify(self) -> None:
        with self._lock:
            names, self._names, self._later = self._names, set(), None
            self._next = time.monotonic() + GAP_SECONDS
        words = "" if "" in names else " ".join(sorted(names))
        try:
            with self._ringing:
                if not self._closed:
                    with _session(self._store.engine) as db:
                        db.execute(select(func.pg_notify(CHANNEL, words)))
        except Exception as error:
            if not is_unavailable(error):
                raise

    def listen(self, until: Callable[[], bool], seconds: float = 1) -> Iterator[tuple[str, ...]]:
        """Yield the names of each ring until `until()`, which is asked at least every `seconds`."""
        if self._store.engine.dialect.name != "postgresql":
            return
        with _session(self._store.engine) as db:
            db.exec_driver_sql(f"LISTEN {CHANNEL}")
            session = db.connection.driver_connection
            assert session is not None
            while not until():
                for heard in session.notifies(timeout=seconds, stop_after=1):
                    yield tuple(heard.payload.split())


def _session(engine: Engine) -> Connection:
    return engine.connect().execution_options(isolation_level="AUTOCOMMIT")
