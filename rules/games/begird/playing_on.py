"""Begird for a search: random playouts on a board stored as bits."""

from collections.abc import Sequence
from random import Random

from rules.contract import Knowledge, Playout
from rules.games.begird.ground import Ground
from rules.joining import Joining
from rules.search.joining import bit_board, marks, touches
from rules.stone_placement import EMPTY


def wins(ground: Ground, own: int) -> bool:
    """True if a group of these stones has won."""
    return any(ground.wins(islands) for islands in touches(ground, own, 0))


def ground_of(position: Joining) -> Ground:
    ground = position.goals
    assert isinstance(ground, Ground)
    return ground


def fill(position: Joining, bits: Sequence[int], rng: Random) -> tuple[int, int]:
    """Fill the board with as many stones of each colour as alternate plies would lay."""
    empty = [bit for bit, held in zip(bits, position.cells, strict=True) if held == EMPTY]
    keys = [rng.random() for _ in empty]
    half = sorted(keys)[len(keys) // 2] if keys else 0.0  # who is not to play gets the smaller half
    theirs = sum([bit for bit, key in zip(empty, keys, strict=True) if key < half])
    mine = sum(empty) - theirs
    stones = [mine, theirs] if position.colour == 0 else [theirs, mine]
    for colour, (_, glyph) in enumerate(position.players):
        stones[colour] += sum([bit for bit, held in zip(bits, position.cells, strict=True) if held == glyph])
    return stones[0], stones[1]


def playout(position: Joining, rng: Random) -> Playout:
    """Play on to a full board, where exactly one colour has won: the one that would have won earlier."""
    ground = ground_of(position)
    stones = fill(position, bit_board(ground.board).bit, rng)
    won = 0 if wins(ground, stones[0]) else 1
    seats = stones if position.seat(0) == 0 else stones[::-1]
    return Playout(1.0 if position.seat(won) == 0 else 0.0, seats)


KNOWLEDGE = Knowledge(playout=playout, marks=marks, kernel="rules.games.begird.kernel")
