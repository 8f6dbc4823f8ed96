"""The claim loops: one thing after the other, each in a transaction of its own, until nothing is left."""

import logging
from collections.abc import Callable, Collection, Hashable
from operator import itemgetter
from typing import Any, TypeVar

from pbem.store.engine import Connection, Store, is_unavailable

log = logging.getLogger("pbem.clock")

WorkItem = TypeVar("WorkItem")
Step = Callable[[], tuple[int, bool]]
"""Does something: how much that was, and whether more may follow."""


def never_stop() -> bool:
    return False


def drain(step: Step, until: Callable[[], bool]) -> int:
    """Repeat `step` while more may follow; the sum of what it did."""
    done, more = 0, True
    while more and not until():
        new, more = step()
        done += new
    return done


def drain_rows(
    store: Store,
    take: Callable[[Connection, Collection[Any]], WorkItem | None],
    do: Callable[[Connection, WorkItem], int],
    until: Callable[[], bool],
    trouble: str,
    key: Callable[[Any], Hashable] = itemgetter(0),
) -> int:
    """Do what `take` gives until it gives nothing more; the sum of what `do` says.

    What goes wrong with one thing holds up no other: `take` passes over the keys of those tried before. Where
    nothing can even be taken it ends, and is tried again when it is called again.
    """
    tried = set[Hashable]()

    def step() -> tuple[int, bool]:
        thing: WorkItem | None = None
        try:
            with store.write() as db:
                thing = take(db, tried)
                if thing is None:
                    return 0, False
                tried.add(key(thing))
                new = do(db, thing)
            return new, True
        except Exception as error:
            if is_unavailable(error):
                raise
            log.exception("%s", trouble)
            return 0, thing is not None

    return drain(step, until)
