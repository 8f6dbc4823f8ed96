"""Machine code, compiled by numba from plain loops over arrays.

A game names a module in `Knowledge.kernel`. That module imports numba, so only a search loads it.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from random import Random
from typing import Any, NamedTuple, Protocol, cast

from rules.contract import Position
from rules.search.counts import Counts, Floats, Ints


class Playouts(NamedTuple):
    """Several games played at random from one position."""

    value: float
    """The sum of the games' values for seat 0."""
    visits: Ints
    """By seat and number of a mark: the number of games in which the seat made that ply."""
    totals: Floats
    """By seat and number of a mark: the sum of the values, for seat 0, of those games."""


class Kernel(Protocol):
    """A module with compiled playouts of one game."""

    def play_on(self, position: Position, rng: Random, count: int) -> Playouts:
        """Play `count` games on from a position that is not over."""

    def number_marks(self, position: Position, marks: Sequence[int]) -> list[int]:
        """Return the number of each mark in `Playouts`, -1 for no mark."""


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
    """Return the module of this name, or None if numba is missing or cannot cache its code."""
    try:
        return cast(Kernel, import_module(name)) if name else None
    except (ImportError, RuntimeError):
        return None


def find_machine() -> Loops:
    """Return the module `machine`, which needs numba."""
    return cast(Loops, import_module("rules.search.machine"))
