"""Monte Carlo tree search that also proves wins and losses.

Theory of operation. The tree has a node for each position that was reached, found again by `Position.key`.
One `step` walks from the root to a node that has no plies yet, plays the game on by chance, and counts the
value on the way back. A ply is chosen by its mean value and its RAVE value (Gelly and Silver 2007), the mean
of all games in which the same player made it later, as far as the game gives marks; a game without marks
gets plain UCT (Kocsis and Szepesvari 2006). The back-up proves (MCTS-Solver, Winands and others 2008): one
child that is won proves a win, all children proved prove the best of them. A node whose plies are a
choice of all (`Position.complete` is False) is never proved lost.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import log, sqrt
from random import Random

from rules.contract import Knowledge, Move, Playout, Position, Seat
from rules.search.compiled import Kernel, Playouts, find_kernel

EXPLORATION = 0.6
EXPLORATION_WITH_RAVE = 0.15
RAVE = 600
"""As many visits make the mean of a ply weigh as much as its RAVE value."""
PRIOR = 3.0
"""As many visits weigh as much as what the game says of a ply beforehand."""
MAX_NODES = 40_000
MAX_CHILDREN = 3_000_000
"""The most nodes, and the most plies of all nodes together: this bounds the memory."""
MAX_PLIES = 300
"""A game by chance is a draw after so many plies."""


class Node:
    """A position with visits, summed values, and the proved value. Values are for seat 0."""

    __slots__ = (
        *("position", "seat", "visits", "total", "proved", "moves", "marks", "priors", "children"),
        *("numbers", "rave_visits", "rave_totals"),
    )

    def __init__(self, position: Position) -> None:
        self.position = position
        self.seat = position.to_play
        self.visits = 0
        self.total = 0.0
        outcome = position.outcome
        self.proved: float | None = None
        if outcome is not None:
            self.proved = 0.5 if outcome.winner is None else 1.0 - outcome.winner
        self.moves: Sequence[Move] | None = None
        self.children: list[Node | None] = []

    def expand(self, knowledge: Knowledge, rng: Random, kernel: Kernel | None) -> None:
        """List the plies, before any of them is tried. Chance decides between equal ones."""
        position = self.position
        self.moves = moves = position.actions()
        count = len(moves)
        self.children = [None] * count
        self.marks = knowledge.marks(position, moves) if knowledge.marks else ()
        if not any(self.marks):
            self.marks = ()
        self.numbers = kernel.number_marks(position, self.marks) if kernel else []
        priors = knowledge.priors(position, moves) if knowledge.priors else [0.5] * count
        self.priors = [prior + 1e-3 * rng.random() for prior in priors]
        self.rave_visits = [0] * count if self.marks else []
        self.rave_totals = [0.0] * count if self.marks else []

    def value(self, seat: int | None) -> float:
        """The value for a seat, from 0 to 1."""
        mean = self.proved
        if mean is None:
            mean = self.total / self.visits if self.visits else 0.5
        return mean if seat == 0 else 1.0 - mean


class Tree:
    """The search from one position."""

    def __init__(self, position: Position, rng: Random, batch: int = 0) -> None:
        """Play on `batch` games at once from a leaf, with a kernel."""
        self.rng = rng
        self.knowledge = position.rules.knowledge
        self.kernel = find_kernel(self.knowledge.kernel) if batch else None
        self.weight = batch if self.kernel else 1
        self.nodes: dict[Hashable, Node] = {}
        self.listed = 0
        self.root = self._node(position)

    def _node(self, position: Position) -> Node:
        """Return a position's node. Once there are too many, it is not kept."""
        key = position.key()
        found = self.nodes.get(key)
        if found is None:
            found = Node(position)
            if self._has_room():
                self.nodes[key] = found
        return found

    def _has_room(self) -> bool:
        return len(self.nodes) < MAX_NODES and self.listed < MAX_CHILDREN

    def step(self) -> None:
        """Play one game down the tree, then by chance, and count it."""
        path: list[tuple[Node, int]] = []
        node, is_kept = self.root, True
        while node.proved is None and is_kept:
            if node.moves is None:
                if not (node.visits or node is self.root) or not self._has_room():
                    break
                node.expand(self.knowledge, self.rng, self.kernel)
                self.listed += len(node.children)
            chosen = self._choose(node)
            path.append((node, chosen))
            node, is_kept = self._child(node, chosen)
        if node.proved is not None:
            played = Playout(self.weight * node.proved)
        elif self.kernel:
            self._count_many(node, path, self.kernel.play_on(node.position, self.rng, self.weight))
            return
        else:
            played = self._play_on(node.position)
        node.visits += self.weight
        node.total += played.value
        self._count(path, played)

    def _child(self, node: Node, chosen: int) -> tuple[Node, bool]:
        """Return the node after a ply, and if the tree keeps it."""
        child = node.children[chosen]
        if child is not None:
            return child, True
        assert node.moves is not None
        has_room = self._has_room()
        child = self._node(node.position.follow(node.moves[chosen]))
        if has_room or child.visits:
            node.children[chosen] = child
        return child, has_room

    def _choose(self, node: Node) -> int:
        """Choose a ply to try: a good one, or one seldom tried."""
        priors, seat, has_rave = node.priors, node.seat, bool(node.marks)
        rave_visits, rave_totals = node.rave_visits, node.rave_totals
        width = EXPLORATION_WITH_RAVE if has_rave else EXPLORATION
        width *= sqrt(log(node.visits + 2))
        best, chosen = -1.0, 0
        for n, child in enumerate(node.children):
            value = priors[n]
            if has_rave:
                value = (rave_totals[n] + PRIOR * value) / (rave_visits[n] + PRIOR)
            if child is None:
                value += width
            elif child.proved is not None:
                if child.proved == seat:  # 1.0 is a loss for seat 1, and 0.0 for seat 0
                    continue
                value = child.value(seat)
            else:
                value = _mixed(child, seat, priors[n], value, has_rave) + width / sqrt(child.visits + 1)
            if value > best:
                best, chosen = value, n
        return chosen

    def _play_on(self, position: Position) -> Playout:
        if self.knowledge.playout:
            return self.knowledge.playout(position, self.rng)
        for _ in range(MAX_PLIES):
            if position.outcome is not None:
                break
            position = position.follow(position.sample(self.rng))
        outcome = position.outcome
        return Playout(0.5 if outcome is None or outcome.winner is None else 1.0 - outcome.winner)

    def _count(self, path: Sequence[tuple[Node, int]], played: Playout) -> None:
        """Count a game in every node that it came through. The last one comes first."""
        weight, value, made = self.weight, played.value, list(played.marks)
        for node, chosen in reversed(path):
            _count_one(node, chosen, weight, value)
            if node.marks and node.seat is not None:
                made[node.seat] |= node.marks[chosen]
                _count_later(node, made[node.seat], weight, value if node.seat == 0 else weight - value)

    def _count_many(self, leaf: Node, path: Sequence[tuple[Node, int]], played: Playouts) -> None:
        """Count a kernel's games. In each node a ply has its own number and sum of values."""
        weight, value = self.weight, played.value
        leaf.visits += weight
        leaf.total += value
        for node, chosen in reversed(path):
            _count_one(node, chosen, weight, value)
            if node.marks and node.seat is not None:
                visits, totals = played.visits[node.seat], played.totals[node.seat]
                if (number := node.numbers[chosen]) >= 0:
                    visits[number], totals[number] = weight, value
                _add_later(node, visits, totals)


def _count_one(node: Node, chosen: int, weight: int, value: float) -> None:
    node.visits += weight
    node.total += value
    child = node.children[chosen]
    if child is not None and child.proved is not None and node.proved is None:
        _prove(node, child.proved)


def _mixed(child: Node, seat: Seat | None, prior: float, later: float, has_rave: bool) -> float:
    """Mix the means of a ply's own games and later ones. Later ones made it later; the seat counts."""
    visits = child.visits
    total = child.total if seat == 0 else visits - child.total
    mean = (total + PRIOR * prior) / (visits + PRIOR)
    return mean + sqrt(RAVE / (3 * visits + RAVE)) * (later - mean) if has_rave else mean


def _count_later(node: Node, made: int, weight: int, value: float) -> None:
    """Count a game for each of the player's plies, now or later."""
    visits, totals = node.rave_visits, node.rave_totals
    for n, mark in enumerate(node.marks):
        if mark and mark & made == mark:
            visits[n] += weight
            totals[n] += value


def _add_later(node: Node, made: Sequence[int], values: Sequence[float]) -> None:
    """Count several games so, by values and the numbers of marks. The values are for seat 0."""
    visits, totals = node.rave_visits, node.rave_totals
    for n, number in enumerate(node.numbers):
        if number >= 0 and (times := made[number]):
            visits[n] += times
            totals[n] += values[number] if node.seat == 0 else times - values[number]


def _prove(node: Node, found: float) -> None:
    """Prove a node: one ply wins, or all are proved. None may be left out."""
    best = 1.0 if node.seat == 0 else 0.0
    if found == best:
        node.proved = found
        return
    values = [child.proved for child in node.children if child is not None and child.proved is not None]
    if len(values) == len(node.children) and node.position.complete:
        node.proved = max(values) if node.seat == 0 else min(values)
