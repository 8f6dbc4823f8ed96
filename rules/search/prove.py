"""Proof of a win by complete search without chance: proved, refuted, or not known.

Theory of operation. This is depth-first proof-number search (Nagai 2002), with transpositions found by
`Position.key`. Each position has two numbers: about how many ends must still be proved for `seat` to win, and
how many for the other not to lose. The search goes to the child with the least number for the seat to play,
and stays until that number exceeds the next best. Of several ends that must all be proved only the hardest
counts whole (Ueda and others 2008), since in these games most of them share what follows. If the plies of a
position are a selection of all, nothing is ever proved against the seat that is to play there. If a bound of
the score says who wins, the search stops; the proof also lists what follows there, so that its check needs no
bound.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress
from time import monotonic

from rules.contract import Move, Position, Seat, other
from rules.search.proof import BadProof, Node, Proof, check_proof

INFINITE = 10**9
MAX_DEPTH = 300
"""The most plies that the search looks ahead."""
CLOCK_EVERY = 64


class Spent(Exception):
    """The search has used up its nodes or its seconds."""


class ProofNode:
    """A position in the search: its numbers, plies, and proving ply."""

    __slots__ = ("against", "children", "complete", "for_seat", "mine", "moves", "number")

    def __init__(self, position: Position, seat: Seat) -> None:
        self.for_seat = self.against = 1
        """The effort left to prove that `seat` wins, and that `seat` does not win; 0 is proved."""
        self.mine = position.to_play == seat
        self.children: list[ProofNode] = []
        self.moves: Sequence[Move] | None = None
        self.complete = True
        self.number = 0
        """The position's number in order of proof. A proof refers only to positions proved earlier."""
        winner, sure = position.outcome and position.outcome.winner, position.rules.knowledge.winner
        if position.outcome is None and sure is not None:
            winner = sure(position)
        if position.outcome is not None or winner is not None:
            self.for_seat, self.against = (0, INFINITE) if winner == seat else (INFINITE, 0)

    @property
    def is_proved(self) -> bool:
        return not self.for_seat or not self.against


class Search:
    """A search for wins of `seat` in positions of one game. Each search reuses earlier results."""

    def __init__(self, seat: Seat, seconds: float | None = None) -> None:
        self.seat = seat
        self.left = 0
        self.end = None if seconds is None else monotonic() + seconds
        self.places: dict[Hashable, ProofNode] = {}
        self.proved = 0

    def settle(self, position: Position, max_nodes: int) -> Proof | None:
        """Return a proof of a win or against one, or None. A second call continues the first."""
        root, self.left = self._place(position), max_nodes
        with suppress(Spent):
            self._search(root, position, INFINITE, INFINITE, 0)
        return self._checked(root, position) if root.is_proved else None

    def effort(self, position: Position) -> int:
        """Return an estimate of the ends that a win's proof still needs; 0 if it is proved."""
        return self._place(position).for_seat

    def _checked(self, root: ProofNode, position: Position) -> Proof | None:
        is_win = not root.for_seat
        proof = self._extract(root, position, self.seat if is_win else other(self.seat), draws=not is_win)
        try:
            check_proof(position, proof)
        except BadProof:  # a game that breaks its promises about keys or actions proves nothing
            return None
        return proof

    def _place(self, position: Position) -> ProofNode:
        key = position.key()
        found = self.places.get(key)
        if found is None:
            found = self.places[key] = ProofNode(position, self.seat)
            if found.is_proved:
                self._count(found)
        return found

    def _count(self, place: ProofNode) -> None:
        self.proved += 1
        place.number = self.proved

    def _search(
        self, place: ProofNode, position: Position, most_for: int, most_against: int, depth: int
    ) -> None:
        """Search a position until one of its numbers reaches its limit."""
        self._spend()
        if depth > MAX_DEPTH:  # only where positions come back
            raise Spent
        if place.moves is None:
            self._expand(place, position, depth)
        self._sum_up(place)
        while place.for_seat < most_for and place.against < most_against and not place.is_proved:
            n, second = _two_best(place)
            child = place.children[n]
            if place.mine:
                limits = min(most_for, second + 1), most_against - place.against + child.against
            else:
                limits = most_for - place.for_seat + child.for_seat, min(most_against, second + 1)
            assert place.moves is not None
            self._search(child, position.follow(place.moves[n]), *limits, depth + 1)
            self._sum_up(place)

    def _expand(self, place: ProofNode, position: Position, depth: int) -> None:
        complete = position.complete and depth < MAX_DEPTH
        moves = position.actions() if depth < MAX_DEPTH else ()
        children = list[ProofNode]()
        for move in moves:
            self._spend()
            children.append(self._place(position.follow(move)))
        place.complete, place.moves, place.children = complete, moves, children  # all, or none if spent

    def _spend(self) -> None:
        self.left -= 1
        late = self.left % CLOCK_EVERY == 0 and self.end is not None and monotonic() >= self.end
        if self.left <= 0 or late:
            raise Spent

    def _extract(self, root: ProofNode, start: Position, seat: Seat, *, draws: bool) -> Proof:
        """Return the part of the search that proves its root, as a proof."""
        nodes: list[Node] = []
        numbers: dict[int, int] = {}

        def add(place: ProofNode, position: Position) -> int:
            if id(place) not in numbers:
                self._play_on(place, position)
                chosen = [n for n, child in enumerate(place.children) if _proves(child, draws)]
                if place.mine != draws:  # one ply is enough, and what was proved first makes no circle
                    chosen = sorted(chosen, key=lambda n: place.children[n].number)[:1]
                moves = place.moves or ()
                after = [add(place.children[n], position.follow(moves[n])) for n in chosen]
                numbers[id(place)] = len(nodes)
                nodes.append(tuple((str(moves[n]), number) for n, number in zip(chosen, after, strict=True)))
            return numbers[id(place)]

        add(root, start)
        return Proof(seat, tuple(nodes), draws)

    def _play_on(self, place: ProofNode, position: Position) -> None:
        """List the plies after a bound of the score, since a proof goes on to the end of the game."""
        if place.moves is None and position.outcome is None:
            place.moves = position.actions()
            place.children = [self._place(position.follow(move)) for move in place.moves]

    def _sum_up(self, place: ProofNode) -> None:
        """Compute both numbers again from those of the children."""
        if place.is_proved:
            return
        wins = [child.for_seat for child in place.children]
        losses = [child.against for child in place.children]
        if place.mine:
            place.for_seat = min(wins, default=INFINITE)
            place.against = _effort_for_all(losses, place.complete)
        else:
            place.for_seat = _effort_for_all(wins, place.complete)
            place.against = min(losses, default=INFINITE)
        if place.is_proved:
            self._count(place)


def _effort_for_all(numbers: Sequence[int], complete: bool) -> int:
    """Return the effort to prove all: the hardest effort, plus one for each other open proof."""
    if not complete or not numbers:
        return INFINITE
    hardest = max(numbers)
    return 0 if not hardest else min(INFINITE, hardest + sum(number > 0 for number in numbers) - 1)


def _two_best(place: ProofNode) -> tuple[int, int]:
    """Return the child to work on, and the least number of the others."""
    numbers = [child.for_seat if place.mine else child.against for child in place.children]
    n = min(range(len(numbers)), key=numbers.__getitem__)
    return n, min((number for other_, number in enumerate(numbers) if other_ != n), default=INFINITE)


def settle(position: Position, seat: Seat, max_nodes: int, seconds: float | None = None) -> Proof | None:
    """Return a proof that `seat` wins, or that the other does not lose, or None if neither was found."""
    return Search(seat, seconds).settle(position, max_nodes)


def prove_win(position: Position, seat: Seat, max_nodes: int, seconds: float | None = None) -> Proof | None:
    """Return a checked proof that `seat` wins from here, or None."""
    proof = settle(position, seat, max_nodes, seconds)
    return proof if proof is not None and not proof.draws else None


def _proves(place: ProofNode, draws: bool) -> bool:
    return not (place.against if draws else place.for_seat)
