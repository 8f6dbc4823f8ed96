"""Bagel for a search: random playouts, counted by tables of rows."""

from collections.abc import Sequence
from functools import cache
from random import Random

from rules.board import Board
from rules.contract import Knowledge, Move, Playout, Seat
from rules.games.bagel.tiles import BLACK, EMPTY, WHITE, mates, reserve
from rules.stone_placement import WithPie
from rules.stone_reading import Cells

PAIRS = 0.7
"""The share of playouts' plies that take a pair, if there is one."""
MAX_LEFT = 8
"""The most empty tiles with which to look for a winner, since a proof must list all that follows."""


@cache
def lines(board: Board) -> tuple[tuple[int, dict[int, int]], ...]:
    """Return every line of three tiles or more, as bits, with the score of each set of its tiles."""
    found = []
    for direction in range(3):
        for start in range(len(board)):
            if board.around[start][direction] >= 0:
                continue
            line, cell = [], start
            while cell >= 0:
                line.append(1 << cell)
                cell = board.around[cell][direction + 3]
            if len(line) > 2:
                found.append((sum(line), {sum(own): _score(line, own) for own in _subsets(line)}))
    return tuple(found)


def _subsets(line: Sequence[int]) -> list[list[int]]:
    return [[tile for n, tile in enumerate(line) if wanted >> n & 1] for wanted in range(1 << len(line))]


def _score(line: Sequence[int], own: Sequence[int]) -> int:
    """Return points and row lengths as one number; the greater number wins."""
    total, length = 0, 0
    for tile in (*line, 0):
        if tile in own:
            length += 1
            continue
        if length > 2:
            total += (length - 2 << 48) + (1 << 6 * (length - 3))
        length = 0
    return total


def score(board: Board, own: int) -> int:
    return sum([table[own & tiles] for tiles, table in lines(board)])


def bits(cells: str, disc: str) -> int:
    """Return the tiles with these discs, as bits."""
    return sum([1 << tile for tile, held in enumerate(cells) if held == disc])


def playout(position: WithPie, rng: Random) -> Playout:
    """Play discs at random to the end, by turns, more often two on a pair of tiles than one."""
    layout, random = mates(position.options["layout"]), rng.random
    empty = [tile for tile, held in enumerate(position.cells) if held == EMPTY]
    rng.shuffle(empty)
    free = [held == EMPTY for held in position.cells]
    stones = [bits(position.cells, disc) for disc in (WHITE, BLACK)]
    left = [reserve(len(free)) - own.bit_count() for own in stones]
    colour, first = position.colour, position.ply == 0
    while left[colour] and empty:
        tile = empty.pop()
        if not free[tile]:
            continue
        free[tile], laid = False, 1 << tile
        if left[colour] > 1 and not first and random() < PAIRS:
            pairs = [mate for mate in layout[tile] if free[mate]]
            if pairs:
                mate = pairs[int(random() * len(pairs))]
                free[mate], laid = False, laid | 1 << mate
        stones[colour] |= laid
        left[colour] -= laid.bit_count()
        colour, first = 1 - colour, False
    won = 0 if score(position.board, stones[0]) > score(position.board, stones[1]) else 1
    seats = stones if position.seat(0) == 0 else stones[::-1]
    return Playout(1.0 if position.seat(won) == 0 else 0.0, (seats[0], seats[1]))


def marks(position: WithPie, moves: Sequence[Move]) -> list[int]:
    index = position.board.index
    return [
        sum([1 << index[name] for name in move.cells]) if isinstance(move, Cells) else 0 for move in moves
    ]


def winner(position: WithPie) -> Seat | None:
    """Return the seat that wins even if the other gets all tiles left. Discs only add to a score."""
    if position.cells.count(EMPTY) > MAX_LEFT:
        return None
    white, black, left = (bits(position.cells, held) for held in (WHITE, BLACK, EMPTY))
    if score(position.board, white) > score(position.board, black | left):
        return position.seat(0)
    return position.seat(1) if score(position.board, black) >= score(position.board, white | left) else None


KNOWLEDGE = Knowledge(playout=playout, marks=marks, winner=winner, kernel="rules.games.bagel.kernel")
