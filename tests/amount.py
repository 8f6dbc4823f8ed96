"""How much the tests do: a short run by default, a whole one with `CI`, everything with `RELEASE`.

In a short run long tests draw fewer examples, and tests of a product of cases take a sample of them. A whole
run takes all cases, and the tests of `cover.txt` on PostgreSQL too. A release runs every test at full length
and on both databases, and those marked `slow`, which try by whole servers or years what others try in short.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

T = TypeVar("T")

SHORT_EXAMPLES = 6
"""How many examples a property is tried on in a short run, where its test names no number."""


def whole() -> bool:
    """True in the run of a change, and for a release."""
    return bool(os.environ.get("CI")) or release()


def release() -> bool:
    """True in the run of a release, which does everything."""
    return bool(os.environ.get("RELEASE"))


def amount(short: T, everything: T) -> T:
    """Choose how much a long test does in this run: everything for a release alone."""
    return everything if release() else short


def some(cases: Iterable[T], number: int, *sides: Callable[[T], Hashable]) -> list[T]:
    """Choose cases for a short run by their places, so that they are the same each time; a whole run has all.

    Chosen are `number` of them, evenly spread, and the first with each value of each side that is not among
    these yet.
    """
    every = list(cases)
    if whole() or number >= len(every):
        return every
    chosen = {place * len(every) // number for place in range(number)}
    for side in sides:
        values = [side(case) for case in every]
        seen = {values[place] for place in chosen}
        chosen |= {values.index(value) for value in values if value not in seen}
    return [case for place, case in enumerate(every) if place in chosen]
