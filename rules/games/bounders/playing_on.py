"""Bounders for a search: random playouts that update the balance of each cell."""

from collections.abc import Sequence
from random import Random

from rules.contract import Knowledge, Move, Playout
from rules.games.bounders import counting
from rules.games.bounders.counting import DARK, EMPTY, LIGHT, Count, sizes
from rules.stone_placement import OneStone
from rules.stone_reading import Cells


def playout(position: OneStone, rng: Random) -> Playout:
    near, cells, random = position.board.near, list(position.cells), rng.random
    weight = {LIGHT: 1, DARK: -1, EMPTY: 0}
    balance = [sum([weight[cells[other]] for other in beside]) for beside in near]
    open_ = [cell for cell, held in enumerate(cells) if held == EMPTY and not balance[cell]]
    place = {cell: n for n, cell in enumerate(open_)}
    colour, marks = position.colour, [0, 0]
    while open_:
        cell = open_[int(random() * len(open_))]
        cells[cell], step = (DARK, -1) if colour else (LIGHT, 1)
        marks[colour] |= 1 << cell
        _shut(open_, place, cell)
        for other in near[cell]:
            if cells[other] != EMPTY:
                continue
            was = balance[other]
            balance[other] = was + step
            if was == 0:
                _shut(open_, place, other)
            elif was == -step:
                place[other] = len(open_)
                open_.append(other)
        colour = 1 - colour
    seats = marks if position.seat(0) == 0 else marks[::-1]
    return Playout(_value(position, "".join(cells)), (seats[0], seats[1]))


def _shut(open_: list[int], place: dict[int, int], cell: int) -> None:
    """Remove a cell from the open ones by putting the last one in its place."""
    last = open_.pop()
    n = place.pop(cell)
    if last != cell:
        open_[n] = last
        place[last] = n


def _value(position: OneStone, cells: str) -> float:
    lands = counting.territories(position.board, cells)
    counts = {
        glyph: Count(sizes(lands, glyph), cells.count(glyph), position.seat(colour) == 0)
        for colour, (_, glyph) in enumerate(position.players)
    }
    won = counting.result(counts, position.options["scoring"], position.has_pie).winner
    if won is None:
        return 0.5
    return 1.0 if position.seat(int(won == DARK)) == 0 else 0.0


def marks(position: OneStone, moves: Sequence[Move]) -> list[int]:
    index = position.board.index
    return [1 << index[move.cells[0]] if isinstance(move, Cells) else 0 for move in moves]


KNOWLEDGE = Knowledge(playout=playout, marks=marks, kernel="rules.games.bounders.kernel")
