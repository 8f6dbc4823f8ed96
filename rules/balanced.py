"""A base class for games whose stones may only touch as many stones of one colour as of the other."""

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from operator import itemgetter
from random import Random

from rules.board import Board
from rules.stone_placement import EMPTY, OneStone

SHUT = "-"
"""The glyph of an empty cell that is not balanced."""


@cache
def _read_beside(board: Board) -> Sequence[Callable[[str], Sequence[str]]]:
    """Return by cell a function that returns the contents of the neighbouring cells."""
    return [itemgetter(*near) for near in board.near]


class Balanced(OneStone):
    """Stones on balanced cells. The balance does not depend on the side to play."""

    @cached_property
    def open(self) -> Sequence[int]:
        return [self.is_open(cell) for cell in range(len(self.cells))]

    def is_open(self, cell: int) -> bool:
        if self.cells[cell] != EMPTY:
            return False
        one, another = self.count_beside(cell)
        return one == another

    def count_beside(self, cell: int) -> tuple[int, int]:
        """Return the number of stones of each colour beside a cell."""
        beside, (one, another) = _read_beside(self.board)[cell](self.cells), self.players
        return beside.count(one[1]), beside.count(another[1])

    def shut(self, names: Sequence[str]) -> str | None:
        board, name = self.board, names[0]
        cell = board.index[name]
        one, another = self.count_beside(cell)
        if one == another:
            return None
        near = board.nearest(board.xy[cell], self.open)
        hint = "" if near is None else f"; the nearest cell that may be played is {board.names[near]}"
        first, second = (side.lower() for side, _ in self.players)
        return (
            f"{name} touches {one or 'no'} {first} and {another or 'no'} {second} stones;"
            f" it needs as many of each{hint}."
        )

    @cached_property
    def glyphs(self) -> str:
        """Return the stones, and `-` for empty cells that are not balanced."""
        pairs = zip(self.cells, self.open, strict=True)
        return "".join(SHUT if held == EMPTY and not is_open else held for held, is_open in pairs)

    def words(self, cell: int) -> str:
        shut = self.cells[cell] == EMPTY and not self.open[cell]
        return "empty, not balanced" if shut else super().words(cell)


def play_out(position: OneStone, rng: Random) -> tuple[str, tuple[int, int], int]:
    """Play on by chance until no cell is balanced.

    Return the cells, by colour the cells that it took as bits, and the colour that cannot lay.
    """
    near, cells, random = position.board.near, list(position.cells), rng.random
    glyphs = [glyph for _, glyph in position.players]
    weight = {glyphs[0]: 1, glyphs[1]: -1, EMPTY: 0}
    balance = [sum([weight[cells[other]] for other in beside]) for beside in near]
    open_ = [cell for cell, held in enumerate(cells) if held == EMPTY and not balance[cell]]
    place = {cell: n for n, cell in enumerate(open_)}
    colour, marks = position.colour, [0, 0]
    while open_:
        cell = open_[int(random() * len(open_))]
        cells[cell], step = glyphs[colour], -1 if colour else 1
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
    return "".join(cells), (marks[0], marks[1]), colour


def _shut(open_: list[int], place: dict[int, int], cell: int) -> None:
    """Remove a cell from the open ones by putting the last one in its place."""
    last = open_.pop()
    n = place.pop(cell)
    if last != cell:
        open_[n] = last
        place[last] = n
