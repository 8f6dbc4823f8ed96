"""Hadron for a search: random playouts to the last stone."""

from random import Random

from rules.balanced import play_out
from rules.contract import Knowledge, Playout
from rules.stone_placement import OneStone, cell_marks


def playout(position: OneStone, rng: Random) -> Playout:
    """Play on; the colours are the seats, as sides are never exchanged."""
    _, taken, loser = play_out(position, rng)
    return Playout(float(loser), taken)


KNOWLEDGE = Knowledge(playout=playout, marks=cell_marks, kernel="rules.games.hadron.kernel")
