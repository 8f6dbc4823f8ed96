"""Games of joining for a search: random playouts on a board stored as bits."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from operator import or_
from random import Random

from rules.board import Board
from rules.contract import Knowledge, Move, Playout
from rules.joining import Goals, Joining
from rules.stone_placement import EMPTY
from rules.stone_reading import Cells

NEVER = 1_000_000
"""The number of stones for a figure that is never made."""


@dataclass(frozen=True, eq=False)
class BitBoard:
    """A board whose cells are bits in rows of `stride`. Neighbours are 1, `stride` and `stride` + 1 apart."""

    bit: tuple[int, ...]
    """By cell: its bit."""
    stride: int
    inside: int
    """All cells with six neighbours."""

    def spread(self, cells: int) -> int:
        """Return these cells and all beside them, also those off the board."""
        row, stride = cells | cells << 1 | cells >> 1, self.stride
        return row | cells << stride | cells >> stride | cells << stride + 1 | cells >> stride + 1

    def group(self, start: int, own: int) -> int:
        """Return the cells of `own` that are connected with `start`, all as bits."""
        group = start
        while (grown := self.spread(group) & own) != group:
            group = grown
        return group

    def has_ring(self, own: int) -> bool:
        """True if these stones go round a cell: seven together, or others that reach no boundary."""
        others = sum(self.bit) & ~own
        if self.group(others & ~self.inside, others) != others:
            return True
        return bool(own & self.inside & ~self.spread(others))


@cache
def bit_board(board: Board) -> BitBoard:
    places = [((x + y) // 2, y) for x, y in board.xy]
    least = min(column for column, _ in places)
    stride = max(column for column, _ in places) - least + 2
    bit = tuple(1 << y * stride + column - least for column, y in places)
    inside = sum(own for own, near in zip(bit, board.near, strict=True) if len(near) == 6)
    return BitBoard(bit, stride, inside)


@cache
def shores(goals: Goals) -> tuple[int, ...]:
    """By goal: the cells that touch it, as bits of the `BitBoard`."""
    bits = bit_board(goals.board).bit
    return tuple(
        sum(bit for bit, shore in zip(bits, goals.shore, strict=True) if shore >> goal & 1)
        for goal in range(max(goals.shore).bit_length())
    )


def touches(goals: Goals, own: int, colour: int) -> Iterator[int]:
    """Yield the goals that each group of these stones touches, for groups that touch any."""
    board, beside, linked = bit_board(goals.board), shores(goals), list[int]()
    link = goals.owners[colour] if goals.linked else 0
    for start in beside:
        while first := own & start:
            group = board.group(first & -first, own)
            touched = sum(1 << goal for goal, cells in enumerate(beside) if cells & group)
            own &= ~group
            for other in [other for other in linked if other & touched & link]:
                linked.remove(other)
                touched |= other
            linked.append(touched)
            yield touched


def value(goals: Goals, own: int, colour: int) -> int:
    """Return 1 if these stones win, -1 if they lose, else 0."""
    values = {
        figure.value[colour] for touched in touches(goals, own, colour) for figure in goals.made(touched)
    }
    if 1 in values or (goals.rings and bit_board(goals.board).has_ring(own)):
        return 1
    return min(values, default=0)


def playout(position: Joining, rng: Random) -> Playout:
    """Play on to a full board. Where both colours may have figures there, find the first one."""
    position = position.settled()
    goals, first = position.goals, position.colour
    bits = bit_board(goals.board).bit
    empty = [bit for bit, held in zip(bits, position.cells, strict=True) if held == EMPTY]
    rng.shuffle(empty)
    stones = [
        sum([bit for bit, held in zip(bits, position.cells, strict=True) if held == glyph])
        for _, glyph in position.players
    ]
    laid = [empty[colour ^ first :: 2] for colour in (0, 1)]
    full = [sum(own) + before for own, before in zip(laid, stones, strict=True)]
    if goals.is_settled:
        winner = 0 if value(goals, full[0], 0) > 0 else 1
    else:
        plies = [_first(goals, colour, stones[colour], laid[colour]) for colour in (0, 1)]
        found, _, winner = min(
            (2 * n + (colour != first), colour, won) for colour, (n, won) in enumerate(plies)
        )
        if found >= NEVER:
            return Playout(0.5)
    seats = full if position.seat(0) == 0 else full[::-1]
    return Playout(1.0 - position.seat(winner), (seats[0], seats[1]))


def _first(goals: Goals, colour: int, before: int, laid: Sequence[int]) -> tuple[int, int]:
    """Return the number of a colour's stones that make its first figure, and the colour that then wins."""
    own = list(accumulate(laid, or_, initial=before))
    count = bisect_left(own, True, key=lambda stones: value(goals, stones, colour) != 0)
    if count == len(own):
        return NEVER, colour
    return count, colour if value(goals, own[count], colour) > 0 else 1 - colour


def marks(position: Joining, moves: Sequence[Move]) -> list[int]:
    index, bits = position.board.index, bit_board(position.board).bit
    return [bits[index[move.cells[0]]] if isinstance(move, Cells) else 0 for move in moves]


KNOWLEDGE = Knowledge(playout=playout, marks=marks, kernel="rules.search.joining_kernel")
