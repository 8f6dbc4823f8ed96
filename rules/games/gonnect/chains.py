"""Chains of stones with their liberties and edges, kept up to date while stones are laid and taken."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from rules.board import Board
from rules.stone_placement import EMPTY

EDGES = ("left", "right", "bottom", "top")
"""The edges by bit."""
ACROSS = (0b0011, 0b1100)
"""The pairs of opposite edges."""


@cache
def edges(board: Board) -> Sequence[int]:
    """Return by cell the edges that it lies on, as bits."""
    far = board.xy[-1][1]
    return [
        sum(1 << n for n, lies in enumerate((x == 0, x == 2 * far, y == far, y == 0)) if lies)
        for x, y in board.xy
    ]


def joined(touched: int) -> str:
    """Return the opposite edges among those touched, in words, or ""."""
    pair = next((pair for pair in ACROSS if pair & touched == pair), 0)
    return " and ".join(name for n, name in enumerate(EDGES) if pair >> n & 1)


@dataclass(eq=False)
class Chain:
    """Connected stones of one colour. `liberties` has their empty neighbours as bits, `edges` the edges."""

    colour: int
    cells: list[int]
    liberties: int
    edges: int


class Chains:
    """The chains of a board, by cell; None on an empty cell. `lay` changes them."""

    def __init__(self, board: Board, cells: Sequence[str], glyphs: Sequence[str]) -> None:
        self.near, self.edges = board.near, edges(board)
        self.at: list[Chain | None] = [None] * len(board)
        for cell, held in enumerate(cells):
            if held != EMPTY:
                self.lay(cell, glyphs.index(held))

    def takes(self, cell: int, colour: int) -> list[Chain]:
        """Return the chains of the other colour whose last liberty is `cell`."""
        found: list[Chain] = []
        for beside in self.near[cell]:
            chain = self.at[beside]
            if chain and chain.colour != colour and chain.liberties == 1 << cell and chain not in found:
                found.append(chain)
        return found

    def breathes(self, cell: int, colour: int) -> bool:
        """True if a stone of `colour` on an empty `cell` has a liberty, perhaps by taking others."""
        for beside in self.near[cell]:
            chain = self.at[beside]
            if chain is None or (chain.colour == colour) != (chain.liberties == 1 << cell):
                return True
        return False

    def lay(self, cell: int, colour: int) -> list[int]:
        """Lay a stone, and return the cells of the stones that it takes."""
        bit, at = 1 << cell, self.at
        own = at[cell] = Chain(colour, [cell], 0, self.edges[cell])
        taken: list[int] = []
        for beside in self.near[cell]:
            chain = at[beside]
            if chain is None:
                own.liberties |= 1 << beside
            elif chain.colour != colour:
                chain.liberties &= ~bit
                if not chain.liberties:
                    taken += chain.cells
                    self._remove(chain)
            elif chain is not own:
                own = self._merge(own, chain)
        own.liberties &= ~bit
        return taken

    def _merge(self, one: Chain, other: Chain) -> Chain:
        small, large = (one, other) if len(one.cells) < len(other.cells) else (other, one)
        large.cells += small.cells
        large.liberties |= small.liberties
        large.edges |= small.edges
        for cell in small.cells:
            self.at[cell] = large
        return large

    def _remove(self, chain: Chain) -> None:
        for cell in chain.cells:
            self.at[cell] = None
        for cell in chain.cells:
            for beside in self.near[cell]:
                if other := self.at[beside]:
                    other.liberties |= 1 << cell
