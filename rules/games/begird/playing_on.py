"""Begird for a search: random playouts on a board stored as bits."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from rules.board import Board
from rules.contract import Knowledge, Move, Playout
from rules.games.begird.ground import Ground
from rules.stone_placement import EMPTY, OneStone
from rules.stone_reading import Cells


@dataclass(frozen=True, eq=False)
class BitBoard:
    """A board whose cells are bits in rows of `stride`. Neighbours are 1, `stride` and `stride` + 1 apart."""

    bit: tuple[int, ...]
    """By cell: its bit."""
    stride: int

    def group(self, start: int, own: int) -> int:
        """Return the connected cells of `own` that include `start`, all as bits."""
        group, stride = start, self.stride
        while True:
            row = group | group << 1 | group >> 1
            grown = (
                row | group << stride | group >> stride | group << stride + 1 | group >> stride + 1
            ) & own
            if grown == group:
                return group
            group = grown


@cache
def bit_board(board: Board) -> BitBoard:
    places = [((x + y) // 2, y) for x, y in board.xy]
    least = min(column for column, _ in places)
    stride = max(column for column, _ in places) - least + 2
    return BitBoard(tuple(1 << y * stride + column - least for column, y in places), stride)


@cache
def shores(ground: Ground) -> tuple[int, ...]:
    """By island: the cells that touch it, as bits of the `BitBoard`."""
    bits = bit_board(ground.board).bit
    return tuple(
        sum(bit for bit, shore in zip(bits, ground.shore, strict=True) if shore >> island & 1)
        for island in range(len(ground.islands))
    )


def wins(ground: Ground, own: int) -> bool:
    """True if a group of these stones has won."""
    board, beside = bit_board(ground.board), shores(ground)
    for start in beside:
        own_start = own & start
        while own_start:
            group = board.group(own_start & -own_start, own)
            islands = sum(1 << island for island, cells in enumerate(beside) if cells & group)
            if ground.wins(islands):
                return True
            own &= ~group
            own_start &= own
    return False


def ground_of(position: OneStone) -> Ground:
    ground = vars(position).get("ground") or position.ground  # type: ignore[attr-defined]
    assert isinstance(ground, Ground)
    return ground


def fill(position: OneStone, bits: Sequence[int], rng: Random) -> tuple[int, int]:
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


def playout(position: OneStone, rng: Random) -> Playout:
    """Play on to a full board, where exactly one colour has won: the one that would have won earlier."""
    ground = ground_of(position)
    stones = fill(position, bit_board(ground.board).bit, rng)
    won = 0 if wins(ground, stones[0]) else 1
    seats = stones if position.seat(0) == 0 else stones[::-1]
    return Playout(1.0 if position.seat(won) == 0 else 0.0, seats)


def marks(position: OneStone, moves: Sequence[Move]) -> list[int]:
    index, bits = position.board.index, bit_board(position.board).bit
    return [bits[index[move.cells[0]]] if isinstance(move, Cells) else 0 for move in moves]


KNOWLEDGE = Knowledge(playout=playout, marks=marks, kernel="rules.games.begird.kernel")
