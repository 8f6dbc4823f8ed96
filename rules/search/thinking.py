"""The ply that a level chooses in a position, and its evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from math import ceil
from random import Random
from time import monotonic
from typing import Literal

from rules.contract import Position, Seat
from rules.search.counts import NONE, NOT_PROVED
from rules.search.levels import LEVELS, Level
from rules.search.tree import ROOT, Tree

Proof = Literal["win", "loss", "draw"]
MAX_LINE = 8
CELLS_PER_GAME = 8
"""The number of open plies at the root for each game that is played from a leaf."""
_PROOFS: dict[float, Proof] = {1.0: "win", 0.5: "draw", 0.0: "loss"}


@dataclass(frozen=True)
class Thought:
    """The chosen ply, with its value for the side to move."""

    move: str
    value: float
    """From 0 (lost) to 1 (won)."""
    playouts: int
    proved: Proof | None
    line: tuple[str, ...]
    """The ply, and the plies expected after it."""


def think(
    position: Position,
    level: int,
    *,
    seed: int,
    playouts: int | None = None,
    seconds: float | None = None,
) -> Thought:
    """Return the ply that `level` chooses. `playouts` or `seconds` replace the level's own limits.

    With `playouts` alone no clock is used, so the same seed finds the same ply. Raise ValueError if nobody is
    to play, and for an unknown level.
    """
    if position.to_play is None:
        raise ValueError("The game is over, so there is no move to find.")
    if level not in LEVELS:
        raise ValueError(f"level is 1 to {max(LEVELS)}.")
    limits = LEVELS[level]
    if playouts is None and seconds is None:
        seconds = limits.seconds
    wanted = max(2, limits.playouts if playouts is None else playouts)
    tree = Tree(position, Random(f"{seed} {position.ply}"), _playouts_per_leaf(position, limits, wanted))
    for _ in range(2):  # a kernel is compiled here, before the clock starts
        tree.step()
    end = None if seconds is None else monotonic() + seconds
    while tree.visits < wanted and not tree.is_proved and not (end and monotonic() >= end):
        tree.step()
    return _thought(tree, position.to_play)


def _playouts_per_leaf(position: Position, limits: Level, playouts: int) -> int:
    """Return the number of games from one leaf, which is less if few plies are left."""
    if not limits.batch:
        return 0
    knowledge = position.rules.knowledge
    if knowledge.at_once:
        return max(knowledge.at_once, ceil(playouts / knowledge.leaves))
    plies = sum(1 for _ in islice(position.moves(), CELLS_PER_GAME * limits.batch))
    return max(1, min(limits.batch, plies // CELLS_PER_GAME))


def _thought(tree: Tree, seat: Seat) -> Thought:
    line, node = list[str](), ROOT
    while node != NONE and tree.moves[node] and len(line) < MAX_LINE:
        edge = _best(tree, node)
        line.append(str(tree.moves[node][edge - tree.counts.first[node]]))
        node = tree.counts.child[edge]
    value = tree.value(ROOT, seat)
    proved = _PROOFS[value] if tree.is_proved else None
    return Thought(line[0], value, tree.visits, proved, tuple(line))


def _best(tree: Tree, node: int) -> int:
    """Return the edge to take: a proved win, else the most visited edge that is not proved lost."""
    counts = tree.counts
    seat, is_proved = counts.seat[node], counts.proved[node] != NOT_PROVED

    def rank(edge: int) -> tuple[int, float, int, float]:
        child = counts.child[edge]
        if child == NONE:
            return 0, 0.5, 0, counts.prior[edge]
        value, visits = tree.value(child, seat), counts.visits[child]
        if counts.proved[child] == NOT_PROVED:
            return 0, 0.5, visits, value
        if value in (0.0, 1.0):
            return (1 if value else -1), value, visits, value
        return 0, (0.6 if is_proved else 0.5), visits, value

    return max(range(counts.first[node], counts.first[node] + counts.size[node]), key=rank)
