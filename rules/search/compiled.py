"""Compiled playouts. Where numba is installed, it turns plain loops over arrays into machine code.

A game names a module in `Knowledge.kernel`. The module imports numba, so nothing loads it but a search.
"""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from random import Random
from typing import NamedTuple, Protocol, cast

from rules.contract import Position


class Playouts(NamedTuple):
    """Several games played on by chance from one position."""

    value: float
    """The sum of their values for seat 0."""
    visits: Sequence[list[int]]
    """By seat and number of a mark: in how many of the games the seat made that ply."""
    totals: Sequence[list[float]]
    """The same: the sum of the values, for seat 0, of those games."""


class Kernel(Protocol):
    """A module with compiled playouts of one game."""

    def play_on(self, position: Position, rng: Random, count: int) -> Playouts:
        """Plays `count` games on from a position that is not over."""

    def number_marks(self, position: Position, marks: Sequence[int]) -> list[int]:
        """The number of each mark in `Playouts`, -1 for no mark."""


@cache
def find_kernel(name: str) -> Kernel | None:
    """Return the module of this name, or None. Numba may be missing, or may not keep its code."""
    try:
        return cast(Kernel, import_module(name)) if name else None
    except (ImportError, RuntimeError):
        return None
