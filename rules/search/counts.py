"""The counts of a search tree, and the loops over them.

The loops are plain Python over lists. `machine` has the same loops compiled over arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log, sqrt
from typing import Any, NamedTuple

EXPLORATION = 0.6
EXPLORATION_WITH_RAVE = 0.15
RAVE = 600
"""The number of visits at which a ply's mean and its RAVE value should have equal weight."""
PRIOR = 3.0
"""The number of visits that weigh as much as the game's prior for a ply."""
NONE = -1
"""The number for no node, no edge, no mark, or nobody."""
NOT_PROVED = -1.0

Ints = Any
Floats = Any
"""A list or an array of numbers, or a list of such."""


class Counts(NamedTuple):
    """The counts of nodes and edges. An edge is a ply of a node, and values are for seat 0."""

    seat: Ints
    """By node: the seat to play, or NONE."""
    visits: Ints
    totals: Floats
    """By node: the sum of its values."""
    proved: Floats
    """By node: the proved value, or NOT_PROVED."""
    complete: Ints
    """By node: 1 if its edges are all legal plies."""
    has_rave: Ints
    first: Ints
    """By node: its first edge, or NONE. The others follow it."""
    size: Ints
    """By node: the number of its edges."""
    child: Ints
    """By edge: the node after it, or NONE."""
    prior: Floats
    mark: Ints
    """By edge: its number in a kernel's playouts, or NONE."""
    rave_visits: Ints
    rave_totals: Floats


OF_NODES: Mapping[str, Any] = {
    "seat": NONE,
    "visits": 0,
    "totals": 0.0,
    "proved": NOT_PROVED,
    "complete": 0,
    "has_rave": 0,
    "first": NONE,
    "size": 0,
}
OF_EDGES: Mapping[str, Any] = {
    "child": NONE,
    "prior": 0.0,
    "mark": NONE,
    "rave_visits": 0,
    "rave_totals": 0.0,
}
"""The fields by node and by edge, with their initial values."""


def walk(counts: Counts, node: int, nodes: Ints, edges: Ints, depth: int) -> tuple[int, int]:
    """Go down from a node along edges that are good or seldom tried.

    The way is left in `edges`, and its nodes in `nodes`. Return the way's length and its last node, which has
    no edges yet or is proved, or NONE if the last edge has no node yet.
    """
    visits, totals, proved = counts.visits, counts.totals, counts.proved
    children, priors = counts.child, counts.prior
    rave_visits, rave_totals = counts.rave_visits, counts.rave_totals
    while proved[node] < 0 and counts.first[node] >= 0 and depth < len(nodes):
        seat, has_rave, first = counts.seat[node], counts.has_rave[node], counts.first[node]
        width = EXPLORATION_WITH_RAVE if has_rave else EXPLORATION
        width *= sqrt(log(visits[node] + 2))
        best, chosen = -1.0, first
        for edge in range(first, first + counts.size[node]):
            child, prior = children[edge], priors[edge]
            later = prior
            if has_rave:
                later = (rave_totals[edge] + PRIOR * prior) / (rave_visits[edge] + PRIOR)
            if child < 0:
                value = later + width
            elif proved[child] >= 0:
                if proved[child] == seat:  # 1.0 is a loss for seat 1, and 0.0 for seat 0
                    continue
                value = proved[child] if seat == 0 else 1.0 - proved[child]
            else:
                number = visits[child]
                total = totals[child] if seat == 0 else number - totals[child]
                value = (total + PRIOR * prior) / (number + PRIOR)
                if has_rave:
                    value += sqrt(RAVE / (3 * number + RAVE)) * (later - value)
                value += width / sqrt(number + 1)
            if value > best:
                best, chosen = value, edge
        nodes[depth], edges[depth] = node, chosen
        depth, node = depth + 1, children[chosen]
        if node < 0:
            break
    return depth, node


def count_games(
    counts: Counts, nodes: Ints, edges: Ints, depth: int, leaf: int, weight: int, value: float
) -> None:
    """Count games in a leaf and on the way to it. `value` is the sum of their values.

    A node becomes proved if its edges prove it.
    """
    counts.visits[leaf] += weight
    counts.totals[leaf] += value
    for n in range(depth - 1, -1, -1):
        node, child = nodes[n], counts.child[edges[n]]
        counts.visits[node] += weight
        counts.totals[node] += value
        if child < 0 or counts.proved[child] < 0 or counts.proved[node] >= 0:
            continue
        best = 1.0 if counts.seat[node] == 0 else 0.0
        reached, first = counts.proved[child], counts.first[node]
        if reached != best:
            for edge in range(first, first + counts.size[node]):
                child = counts.child[edge]
                if child < 0 or counts.proved[child] < 0 or not counts.complete[node]:
                    reached = NOT_PROVED
                    break
                if abs(counts.proved[child] - best) < abs(reached - best):
                    reached = counts.proved[child]
        counts.proved[node] = reached


def count_marks(
    counts: Counts,
    nodes: Ints,
    edges: Ints,
    depth: int,
    weight: int,
    value: float,
    visits: Ints,
    totals: Floats,
) -> None:
    """Count a kernel's games for each ply that its seat made later.

    `visits` and `totals` are those of `Playouts`. The plies of the way are added to both.
    """
    for n in range(depth - 1, -1, -1):
        node = nodes[n]
        if not counts.has_rave[node]:
            continue
        seat, mark, first = counts.seat[node], counts.mark[edges[n]], counts.first[node]
        made, values = visits[seat], totals[seat]
        if mark >= 0:
            made[mark], values[mark] = weight, value
        for edge in range(first, first + counts.size[node]):
            mark = counts.mark[edge]
            if mark >= 0 and made[mark]:
                counts.rave_visits[edge] += made[mark]
                counts.rave_totals[edge] += values[mark] if seat == 0 else made[mark] - values[mark]


def new_counts(size: int) -> Counts:
    """Return counts with room for the given numbers of nodes and edges."""
    return Counts(**{name: [start] * size for name, start in {**OF_NODES, **OF_EDGES}.items()})


def new_way(depth: int) -> tuple[Ints, Ints]:
    """Return arrays for the nodes and the edges of a way."""
    return [0] * depth, [0] * depth


def with_room(counts: Counts, starts: Mapping[str, Any], more: int) -> Counts:
    """Return the same counts with more room. `starts` is OF_NODES or OF_EDGES."""
    for name, start in starts.items():
        getattr(counts, name).extend([start] * more)
    return counts
