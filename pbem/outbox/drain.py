"""Loops over work until nothing is left, with a transaction for each item."""

import logging
from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import contextmanager
from operator import itemgetter
from typing import Any

from pbem.app import App
from pbem.store.engine import Connection, is_unavailable

log = logging.getLogger("pbem.worker")


def never_stop() -> bool:
    return False


@contextmanager
def log_failure(where: logging.Logger, sentence: str, *facts: object) -> Iterator[None]:
    """Log an exception in the block and go on, but raise that of an unavailable database."""
    try:
        yield
    except Exception as error:
        if is_unavailable(error):
            raise
        where.exception(sentence, *facts)


def drain(step: Callable[[], tuple[int, bool]], until: Callable[[], bool]) -> int:
    """Repeat `step` until nothing is left or `until()` is true; return the sum of what the steps did.

    `step` returns how much it did, and True if more may follow.
    """
    done, more = 0, True
    while more and not until():
        new, more = step()
        done += new
    return done


def drain_rows(
    app: App,
    name: str,
    take: Callable[[Connection, Collection[Any]], tuple[Any, ...] | None],
    do: Callable[..., int],
    until: Callable[[], bool],
    key: Callable[[Any], Hashable] = itemgetter(0),
) -> int:
    """Call `do(app, db, *thing)` for each thing that `take` gives; return the sum of the results.

    A failure with one thing delays no other, because `take` skips the keys of things tried before.
    """
    tried = set[Hashable]()

    def step() -> tuple[int, bool]:
        thing = None
        with log_failure(log, "%s failed; it is tried again at the next round", name):
            with app.store.write() as db:
                thing = take(db, tried)
                if thing is None:
                    return 0, False
                tried.add(key(thing))
                new = do(app, db, *thing)
                app.step(name)
            return new, True
        return 0, thing is not None

    return drain(step, until)
