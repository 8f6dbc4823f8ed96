"""Machine code, from plain loops over arrays. It needs numba.

A game names a module in `Knowledge.kernel`. The module imports numba, so nothing loads it but a search.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from random import Random
from typing import Any, NamedTuple, Protocol, cast

from rules.contract import Position
from rules.search.counts import Counts, Floats, Ints


class Playouts(NamedTuple):
    """Several games played on by chance from one position."""

    value: float
    """The sum of their values for seat 0."""
    visits: Ints
    """By seat and number of a mark: in how many of the games the seat made that ply."""
    totals: Floats
    """The same: the sum of the values, for seat 0, of those games."""


class Kernel(Protocol):
    """A module with compiled playouts of one game."""

    def play_on(self, position: Position, rng: Random, count: int) -> Playouts:
        """Plays `count` games on from a position that is not over."""

    def number_marks(self, position: Position, marks: Sequence[int]) -> list[int]:
        """The number of each mark in `Playouts`, -1 for no mark."""


class Loops(Protocol):
    """A module with the loops of a tree: `counts` or `machine`."""

    def new_counts(self, size: int) -> Counts: ...
    def new_way(self, depth: int) -> tuple[Ints, Ints]: ...
    def with_room(self, counts: Counts, starts: Mapping[str, Any], more: int) -> Counts: ...
    def walk(self, counts: Counts, node: int, nodes: Ints, edges: Ints, depth: int) -> tuple[int, int]: ...
    def count_games(
        self, counts: Counts, nodes: Ints, edges: Ints, depth: int, leaf: int, weight: int, value: float
    ) -> None: ...
    def count_marks(
        self,
        counts: Counts,
        nodes: Ints,
        edges: Ints,
        depth: int,
        weight: int,
        value: float,
        visits: Ints,
        totals: Floats,
    ) -> None: ...


@cache
def find_kernel(name: str) -> Kernel | None:
    """Return the module of this name, or None. Numba may be missing, or may not keep its code."""
    try:
        return cast(Kernel, import_module(name)) if name else None
    except (ImportError, RuntimeError):
        return None


def find_machine() -> Loops:
    """Return `machine`. Needs numba."""
    return cast(Loops, import_module("rules.search.machine"))
