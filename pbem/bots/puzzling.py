"""Searches for puzzles: positions with exactly one move that is proved to win.

Every other move is proved not to win. All moves of a position are searched briefly first, then longer. A
second winning move ends the search, so a long search is made only where a short one found no second win.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic

from rules.contract import Move, Position
from rules.search.proof import Proof
from rules.search.prove import Search

MAX_BACK = 24
"""The number of positions, counted from a game's end, that are searched."""
MIN_PLY = 3
"""No puzzles of openings."""
MAX_PUZZLES = 2
"""The most puzzles of one game."""
NODES = (300, 3_000, 30_000)
"""Maximum nodes for one move, in each round of a position."""
MAX_NODES = 60_000
"""Maximum nodes for all moves of a position, because the search keeps every node in memory."""
MAX_UNSETTLED = 2
"""The number of too hard positions in a row that ends the search: earlier positions are harder."""
MIN_MOVES, MAX_MOVES = 3, 150
MIN_LINE = 3
"""A win with the first move is no puzzle."""
APART = 4
"""The least number of plies between two puzzles of a game."""


@dataclass(frozen=True)
class FoundPuzzle:
    """The position after `ply` plies, its solution, and an answer to each move that does not win."""

    ply: int
    line: tuple[str, ...]
    replies: Mapping[str, str]


class Unsettled(Exception):
    """Raised if the search cannot tell whether a move wins."""


def find_puzzles(positions: Sequence[Position], seconds: float) -> list[FoundPuzzle]:
    """The hardest puzzles among the last of a game's positions."""
    found, end, unsettled = list[FoundPuzzle](), monotonic() + seconds, 0
    for ply in reversed(range(max(MIN_PLY, len(positions) - MAX_BACK), len(positions))):
        try:
            puzzle = _find_puzzle(positions[ply], ply, end)
        except Unsettled:
            unsettled += 1
            if unsettled >= MAX_UNSETTLED or monotonic() >= end:
                break
            continue
        unsettled = 0
        found += [puzzle] if puzzle else []
    best = list[FoundPuzzle]()
    for each in sorted(found, key=lambda one: (-len(one.line), one.ply)):
        if len(best) < MAX_PUZZLES and all(abs(each.ply - other.ply) >= APART for other in best):
            best.append(each)
    return best


def _find_puzzle(position: Position, ply: int, end: float) -> FoundPuzzle | None:
    """Return the puzzle in a position, or None. Raises Unsettled if the search cannot tell."""
    moves = [] if position.outcome or not position.complete else position.actions()
    if not MIN_MOVES <= len(moves) <= MAX_MOVES:
        return None
    proofs = _prove_all(position, moves, end)
    if proofs is None:
        return None
    winning = [text for text, proof in proofs.items() if not proof.draws]
    if len(winning) != 1:
        return None
    after = {str(move): position.follow(move) for move in moves}
    replies = {text: _reply(after[text], proof) for text, proof in proofs.items() if proof.draws}
    return FoundPuzzle(ply, (winning[0], *_line(proofs[winning[0]])), replies)


def _prove_all(position: Position, moves: Sequence[Move], end: float) -> dict[str, Proof] | None:
    """Return a proof about each move; None if one spoils the puzzle. Raises Unsettled if one is missing."""
    assert position.to_play is not None
    search, left = Search(position.to_play, end - monotonic()), MAX_NODES
    after, proofs = {str(move): position.follow(move) for move in moves}, dict[str, Proof]()
    for most in NODES:
        open_moves = sorted(after.keys() - proofs.keys(), key=lambda text: (search.effort(after[text]), text))
        for text in open_moves:
            given = min(most, left)
            proof = search.settle(after[text], given) if given and monotonic() < end else None
            left -= given - search.left
            if proof is not None:
                proofs[text] = proof
                if _spoils(proof, proofs.values()):
                    return None
            elif given < most or most == NODES[-1] or monotonic() >= end:
                raise Unsettled
    return proofs


def _spoils(proof: Proof, proofs: Iterable[Proof]) -> bool:
    """True if this proof spoils the puzzle: the move wins, but another wins too, or it wins too soon."""
    if proof.draws:
        return False
    return sum(not each.draws for each in proofs) > 1 or len(_line(proof)) + 1 < MIN_LINE


def _line(proof: Proof) -> tuple[str, ...]:
    return proof.longest_line(len(proof.nodes) - 1)


def _reply(position: Position, proof: Proof) -> str:
    """Return the opponent's answer to a move that does not win, "" at the end or if any will do."""
    return proof.nodes[-1][0][0] if position.to_play == proof.seat else ""
