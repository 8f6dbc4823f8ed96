"""Gonnect for a search: random playouts that look for no repetition but the last board's."""

from random import Random

from rules.contract import Knowledge, Playout
from rules.games.gonnect.chains import Chains, joined
from rules.stone_placement import EMPTY, OneStone, cell_marks

MOST = 3
"""The most plies of a playout for each cell of the board; a longer one is a draw."""


def playout(position: OneStone, rng: Random) -> Playout:
    """Play on to the end. Whoever has no legal ply has lost."""
    chains = Chains(position.board, position.cells, [glyph for _, glyph in position.players])
    empty = [cell for cell, held in enumerate(position.cells) if held == EMPTY]
    colour, made, ko = position.colour, [0, 0], -1
    won = None
    for _ in range(MOST * len(position.cells)):
        place = _choose(chains, empty, colour, ko, rng)
        if place < 0:
            won = 1 - colour
            break
        cell = empty[place]
        empty[place] = empty[-1]
        empty.pop()
        taken = chains.lay(cell, colour)
        made[colour] |= 1 << cell
        empty += taken
        chain = chains.at[cell]
        assert chain
        if joined(chain.edges):
            won = colour
            break
        ko = taken[0] if len(taken) == 1 and chain.liberties == 1 << taken[0] else -1
        colour = 1 - colour
    seats = (made[0], made[1]) if position.seat(0) == 0 else (made[1], made[0])
    return Playout(0.5 if won is None else 1.0 - position.seat(won), seats)


def _choose(chains: Chains, empty: list[int], colour: int, ko: int, rng: Random) -> int:
    """Return the place in `empty` of a random legal cell, or -1 if there is none. Change their order."""
    random = rng.random
    for left in range(len(empty), 0, -1):
        place = int(random() * left)
        cell = empty[place]
        if cell != ko and chains.breathes(cell, colour):
            return place
        empty[place], empty[left - 1] = empty[left - 1], cell
    return -1


KNOWLEDGE = Knowledge(playout=playout, marks=cell_marks, kernel="rules.games.gonnect.kernel")
