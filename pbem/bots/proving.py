"""Searches for a proof within a job's memory and time."""

from rules.contract import Position, Seat
from rules.search.proof import write_proof
from rules.search.prove import prove_win

MAX_NODES = 250_000
"""The most positions that a proof looks at: some 150 MB in Begird."""
MAX_PLIES = 20_000
"""The most plies of a proof that is kept: its check takes about a second."""


def find_proof(position: Position, seat: Seat, seconds: float) -> str:
    """The text of the proof that `seat` wins, or ""."""
    proof = prove_win(position, seat, MAX_NODES, seconds)
    if proof is None or sum(map(len, proof.nodes)) > MAX_PLIES:
        return ""
    return write_proof(proof)
