"""The loops of `counts` as machine code over arrays. This module needs numba."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numba import njit

from rules.search import counts as plain
from rules.search.counts import OF_EDGES, OF_NODES, Counts, Ints

walk = njit(cache=True)(plain.walk)
count_games = njit(cache=True)(plain.count_games)
count_marks = njit(cache=True)(plain.count_marks)


def new_counts(size: int) -> Counts:
    """Return counts with room for the given numbers of nodes and edges."""
    return Counts(**{name: np.full(size, start) for name, start in {**OF_NODES, **OF_EDGES}.items()})


def new_way(depth: int) -> tuple[Ints, Ints]:
    """Return arrays for the nodes and the edges of a way."""
    return np.zeros(depth, np.int64), np.zeros(depth, np.int64)


def with_room(counts: Counts, starts: Mapping[str, Any], more: int) -> Counts:
    """Return the same counts with more room. `starts` is OF_NODES or OF_EDGES."""
    longer = {
        name: np.concatenate([getattr(counts, name), np.full(more, start)]) for name, start in starts.items()
    }
    return counts._replace(**longer)
