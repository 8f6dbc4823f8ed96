"""A loop over work items, each in a transaction of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from pbem.store.engine import Connection, Store, is_gone

log = logging.getLogger("pbem.clock")

Thing = TypeVar("Thing")


def each_alone(
    store: Store,
    take: Callable[[Connection], Thing | None],
    do: Callable[[Connection, Thing], int],
    until: Callable[[], bool],
    trouble: str,
) -> int:
    """Do what `take` gives until it gives nothing; returns the sum.

    A failure of one item delays no other, so `take` skips what it gave before. If nothing can even be taken
    it ends, until the next call.
    """
    done = 0
    while not until():
        thing: Thing | None = None
        try:
            with store.write() as db:
                thing = take(db)
                if thing is None:
                    break
                new = do(db, thing)
            done += new
        except Exception as error:
            if is_gone(error):
                raise
            log.exception("%s", trouble)
            if thing is None:
                break
    return done


__all__ = ["each_alone"]
