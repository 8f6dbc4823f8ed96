"""Breakthrough for a search: quick random games, in which a man who can reach the far row does."""

from collections.abc import Sequence
from random import Random

from rules.contract import Knowledge, Move, Playout
from rules.moving import Moving, Path

WAYS = 3
"""The ways of a man: ahead to the left, straight ahead, ahead to the right."""


def playout(position: Moving, rng: Random) -> Playout:
    """Play on at random until a man is on the far row, or one player has no man."""
    side = position.options["size"]
    owners = [position.owner(cell) for cell in range(side * side)]
    men = [[cell for cell, owner in enumerate(owners) if owner == seat] for seat in (0, 1)]
    seat = position.colour
    while men[seat]:
        ahead = side if seat else -side
        while True:
            here = rng.choice(men[seat])
            way = rng.randrange(WAYS) - 1
            if 0 <= here % side + way < side:
                there = here + ahead + way
                if owners[there] is None or (way and owners[there] != seat):
                    break
        if owners[there] is not None:
            men[1 - seat].remove(there)
        men[seat][men[seat].index(here)] = there
        owners[here], owners[there] = None, seat
        if not 0 <= there + ahead < side * side:
            return Playout(1.0 - seat)
        seat = 1 - seat
    return Playout(float(seat))


def marks(position: Moving, moves: Sequence[Move]) -> list[int]:
    """Return a bit a path: three a cell, for its three ways."""
    index, side = position.board.index, position.options["size"]
    found = []
    for move in moves:
        start, end = (index[name] for name in move.cells) if isinstance(move, Path) else (0, 0)
        found.append(1 << start * WAYS + end % side - start % side + 1)
    return found


KNOWLEDGE = Knowledge(playout=playout, marks=marks, kernel="rules.games.breakthrough.kernel")
