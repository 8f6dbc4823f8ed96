"""Monte Carlo tree search that also proves wins and losses.

Theory of operation. The tree has a node for each position that was reached, and finds transpositions by
`Position.key`. One `step` walks from the root to a node that has no plies yet, plays the game on at random,
and counts the value on the way back. A ply is chosen by its mean value and its RAVE value (Gelly and Silver
2007), the mean of all games in which the same player made it later, if the game gives marks; a game without
marks gets plain UCT (Kocsis and Szepesvari 2006). The back-up proves (MCTS-Solver, Winands and others 2008):
one won child proves a win, and if all children are proved, the best of them is the value. A node whose plies
are a selection of all (`Position.complete` is False) is never proved lost. The tree's loops are in `counts`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random

from rules.contract import Move, Playout, Position, Seat
from rules.search import counts as plain
from rules.search.compiled import find_kernel, find_machine
from rules.search.counts import NONE, NOT_PROVED, OF_EDGES, OF_NODES

MAX_NODES = 80_000
MAX_CHILDREN = 3_000_000
"""The most plies of all nodes together, which bounds the memory, as MAX_NODES bounds the nodes.

A game with `Knowledge.at_once` has its own `leaves` in place of MAX_NODES.
"""
MAX_PLIES = 300
"""The number of plies after which a random game is a draw."""
MAX_DEPTH = 1_000
ROOM = 1 << 10
"""The number of nodes and of edges for which there is room at first."""
SPARE, ROOT = 0, 1
"""The node of a position that is not kept, and the node of the position searched."""


class Tree:
    """The search from one position. Nodes and edges are numbers, as in `counts`."""

    def __init__(self, position: Position, rng: Random, batch: int = 0) -> None:
        """Play `batch` games at once from a leaf, if there is a kernel."""
        self.rng = rng
        self.knowledge = position.rules.knowledge
        self.max_nodes = self.knowledge.leaves if self.knowledge.at_once else MAX_NODES
        self.kernel = find_kernel(self.knowledge.kernel) if batch else None
        self.weight = batch if self.kernel else 1
        self.loops = find_machine() if self.kernel else plain
        self.counts = self.loops.new_counts(ROOM)
        self.way = self.loops.new_way(MAX_DEPTH)
        """The nodes and the edges of the last way down."""
        self.numbers: dict[Hashable, int] = {}
        self.positions: list[Position] = [position]
        """By node: its position. `moves` and `marks` are by node too."""
        self.moves: list[Sequence[Move]] = [()]
        self.marks: list[Sequence[int]] = [()]
        self.listed = 0
        self._node(position)

    @property
    def visits(self) -> int:
        """Return the number of games."""
        return int(self.counts.visits[ROOT])

    @property
    def is_proved(self) -> bool:
        """True if the value of the position searched is proved."""
        return bool(self.counts.proved[ROOT] != NOT_PROVED)

    def value(self, node: int, seat: Seat | None) -> float:
        """Return the value of a node for a seat, from 0 to 1."""
        counts, mean = self.counts, 0.5
        if counts.proved[node] != NOT_PROVED:
            mean = float(counts.proved[node])
        elif counts.visits[node]:
            mean = float(counts.totals[node] / counts.visits[node])
        return mean if seat == 0 else 1.0 - mean

    def step(self) -> None:
        """Play one game down the tree and on at random, and count it."""
        nodes, edges = self.way
        depth, node, is_kept = 0, ROOT, True
        while is_kept:
            depth, node = self.loops.walk(self.counts, node, nodes, edges, depth)
            if node == NONE:
                node, is_kept = self._child(nodes[depth - 1], edges[depth - 1])
            elif self._may_expand(node):
                self._expand(node)
            else:
                break
        self._count(depth, node)

    def _node(self, position: Position) -> int:
        """Return a position's node. If there are too many nodes, the tree does not keep it."""
        key = position.key()
        node = self.numbers.get(key)
        if node is None:
            node = SPARE
            if self._has_room():
                node = self.numbers[key] = len(self.positions)
                if node == (room := len(self.counts.seat)):
                    self.counts = self.loops.with_room(self.counts, OF_NODES, room)
                self.positions.append(position)
                self.moves.append(())
                self.marks.append(())
            self._fill(node, position)
        return node

    def _fill(self, node: int, position: Position) -> None:
        """Assign a node to this position, without edges."""
        counts, outcome = self.counts, position.outcome
        self.positions[node] = position
        counts.seat[node] = NONE if position.to_play is None else position.to_play
        counts.visits[node], counts.totals[node] = 0, 0.0
        counts.proved[node] = NOT_PROVED
        if outcome is not None:
            counts.proved[node] = 0.5 if outcome.winner is None else 1.0 - outcome.winner
        counts.first[node] = NONE

    def _has_room(self) -> bool:
        return len(self.numbers) < self.max_nodes and self.listed < MAX_CHILDREN

    def _may_expand(self, node: int) -> bool:
        """True if a node gets its edges now, because it was visited before."""
        counts = self.counts
        if counts.proved[node] != NOT_PROVED or counts.first[node] != NONE:
            return False
        return bool(counts.visits[node] or node == ROOT) and self._has_room()

    def _expand(self, node: int) -> None:
        """List the plies of a node before the search tries any. Chance decides between equal ones."""
        position, knowledge = self.positions[node], self.knowledge
        self.moves[node] = moves = position.actions()
        assert moves, "a position that is not over has a ply"
        marks = knowledge.marks(position, moves) if knowledge.marks else ()
        self.marks[node] = marks = marks if any(marks) else ()
        numbers = self.kernel.number_marks(position, marks) if self.kernel else ()
        size, first = len(moves), self.listed
        priors = knowledge.priors(position, moves) if knowledge.priors else [0.5] * size
        self.listed += size
        if (more := self.listed - len(self.counts.child)) > 0:
            self.counts = self.loops.with_room(self.counts, OF_EDGES, more + first)
        counts, edges = self.counts, slice(first, self.listed)
        counts.child[edges] = [NONE] * size
        counts.prior[edges] = [prior + 1e-3 * self.rng.random() for prior in priors]
        counts.mark[edges] = numbers or [NONE] * size
        counts.rave_visits[edges], counts.rave_totals[edges] = [0] * size, [0.0] * size
        counts.first[node], counts.size[node] = first, size
        counts.complete[node], counts.has_rave[node] = int(position.complete), int(bool(marks))

    def _child(self, node: int, edge: int) -> tuple[int, bool]:
        """Make the node after an edge. Return it, and True if the tree keeps it."""
        counts, has_room = self.counts, self._has_room()
        move = self.moves[node][edge - counts.first[node]]
        child = self._node(self.positions[node].follow(move))
        if has_room or counts.visits[child]:
            counts.child[edge] = child
        return child, has_room

    def _count(self, depth: int, leaf: int) -> None:
        """Play on from a leaf, and count the games."""
        counts, loops, (nodes, edges), proved = self.counts, self.loops, self.way, self.counts.proved[leaf]
        if self.kernel and proved == NOT_PROVED:
            many = self.kernel.play_on(self.positions[leaf], self.rng, self.weight)
            loops.count_games(counts, nodes, edges, depth, leaf, self.weight, many.value)
            loops.count_marks(counts, nodes, edges, depth, self.weight, *many)
            return
        if proved == NOT_PROVED:
            played = self._play_on(self.positions[leaf])
        else:
            played = Playout(self.weight * proved)
        loops.count_games(counts, nodes, edges, depth, leaf, self.weight, played.value)
        self._count_later(depth, played)

    def _play_on(self, position: Position) -> Playout:
        if self.knowledge.playout:
            return self.knowledge.playout(position, self.rng)
        for _ in range(MAX_PLIES):
            if position.outcome is not None:
                break
            position = position.follow(position.sample(self.rng))
        outcome = position.outcome
        return Playout(0.5 if outcome is None or outcome.winner is None else 1.0 - outcome.winner)

    def _count_later(self, depth: int, played: Playout) -> None:
        """Count a game for the plies that their seat made later in it."""
        counts, weight, made = self.counts, self.weight, list(played.marks)
        nodes, edges = self.way
        for node, chosen in zip(reversed(nodes[:depth]), reversed(edges[:depth]), strict=True):
            marks, seat, first = self.marks[node], counts.seat[node], counts.first[node]
            if not marks:
                continue
            made[seat] |= marks[chosen - first]
            value = played.value if seat == 0 else weight - played.value
            for edge, mark in enumerate(marks, first):
                if mark and mark & made[seat] == mark:
                    counts.rave_visits[edge] += weight
                    counts.rave_totals[edge] += value
