"""A walk through a proof: the loser tries moves, the proof answers."""

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.core.game.game import Game
from pbem.core.records.record import proof_text
from rules.contract import Position, Seat, other
from rules.search.proof import Proof, read_proof


@dataclass(frozen=True)
class ProofStep:
    """A move of the walk. `replies` are the loser's up to it."""

    seat: Seat
    move: str
    replies: tuple[str, ...]


@dataclass(frozen=True)
class ProofWalk:
    """The board after the loser's tries, and the moves that led there."""

    proof: Proof
    position: Position
    steps: tuple[ProofStep, ...]
    node: int
    longest: tuple[str, ...]
    """The moves from here to the end, where the loser holds out longest."""

    @property
    def winner(self) -> Seat:
        return self.proof.seat

    @property
    def loser(self) -> Seat:
        return other(self.proof.seat)

    @property
    def tried(self) -> tuple[str, ...]:
        return self.steps[-1].replies if self.steps else ()

    @property
    def choices(self) -> list[str]:
        """The moves that the loser can try now."""
        return [] if self.position.outcome else [text for text, _ in self.proof.nodes[self.node]]


def walk_proof(game: Game, tried: Sequence[str]) -> ProofWalk | None:
    """Return the walk after these moves of the loser. None means no proof, or a move outside it."""
    text = proof_text(game)
    if not text:
        return None
    proof, position, node = read_proof(text), game.state.position, -1
    node += len(proof.nodes)
    steps: list[ProofStep] = []
    replies: tuple[str, ...] = ()
    for reply in (*tried, None):
        while position.to_play == proof.seat:
            move, node = proof.nodes[node][0]
            position = position.play(position.read(move))
            steps.append(ProofStep(proof.seat, move, replies))
        if reply is None:
            break
        after = dict(proof.nodes[node]).get(reply)
        if after is None:
            return None
        node, position = after, position.play(position.read(reply))
        replies = (*replies, reply)
        steps.append(ProofStep(other(proof.seat), reply, replies))
    return ProofWalk(proof, position, tuple(steps), node, proof.longest_line(node))
