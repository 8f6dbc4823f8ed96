"""Counts of events in all processes, summed in rows. Each process adds its own from time to time."""

from collections import Counter
from threading import Lock
from typing import Literal

from sqlalchemy import Connection, select

from pbem.store.engine import Store, upsert
from pbem.store.tables.operation import counters

CounterName = Literal[
    "letters_sent", "letters_deferred", "letters_given_up", "bounces", "policy_refusals", "faults"
]

COUNTERS: dict[CounterName, str] = {
    "letters_sent": "Letters that the relay accepted.",
    "letters_deferred": "Tries after which a letter waits for another.",
    "letters_given_up": "Letters that are not tried again.",
    "bounces": "Letters that came back.",
    "policy_refusals": "Letters that a policy or filter of the recipient's provider refused.",
    "faults": "Mails, letters and rounds of work that failed by a fault of ours.",
}
"""What is counted, with its help."""


class ProcessCounts:
    """Counts of this process, safe for threads. Counts not stored yet are lost if the process dies."""

    def __init__(self) -> None:
        self._new: Counter[str] = Counter()
        self._lock = Lock()

    def add(self, name: CounterName, number: int = 1) -> None:
        with self._lock:
            self._new[name] += number

    def store(self, store: Store) -> None:
        """Add the counts to the rows. If that raises, keep them for the next time."""
        with self._lock:
            new, self._new = self._new, Counter()
        try:
            if +new:
                with store.write_unsynced() as db:
                    _add(db, +new)
        except BaseException:
            with self._lock:
                self._new += new
            raise


def _add(db: Connection, new: Counter[str]) -> None:
    for name, number in sorted(new.items()):  # in one order, so that no two processes wait for each other
        first = upsert(db, counters).values(name=name, number=number)
        more = {"number": counters.c.number + first.excluded.number}
        db.execute(first.on_conflict_do_update(index_elements=["name"], set_=more))


def read_counters(db: Connection) -> dict[CounterName, int]:
    found = {row.name: row.number for row in db.execute(select(counters))}
    return {name: found.get(name, 0) for name in COUNTERS}
