"""Frozen tables of one board: neighbours, edges, corners, islands, straight lines. Sets are bits."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from rules.board import AROUND, Board, hexagon, ring, slanted, square, triangle
from rules.designed.plan import BoardLine
from rules.grids import EIGHT, HEX, SQUARE


def bits_of(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


def cells_of(bits: int) -> Iterator[int]:
    """Yield the cells of a set in order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


@dataclass(frozen=True, eq=False)
class BoardTables:
    """A board with what its goals ask for. Tables are cached, so the same board is one object."""

    board: Board
    near: tuple[int, ...]
    """By cell: its neighbours as bits. Behind the cells stand the islands that a side owns."""
    edges: tuple[int, ...]
    """By cell: the edges that it lies on, as bits; `corners` and `islands` likewise."""
    corners: tuple[int, ...]
    islands: tuple[int, ...]
    places: tuple[tuple[tuple[int, int], ...], ...]
    """By island: its places in the ring, or its cells' places, clockwise."""
    owned: tuple[int, int] = (0, 0)
    """By side: its islands, as bits behind those of the cells."""

    @cached_property
    def every(self) -> int:
        return (1 << len(self.board)) - 1

    @cached_property
    def rim(self) -> int:
        """Return the cells where the board ends."""
        full = len(self.board.grid.around)
        return bits_of(cell for cell, near in enumerate(self.board.near) if len(near) < full)

    @cached_property
    def rays(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Return by cell and direction the cells straight ahead, the nearest first.

        The opposite of a direction stands half of the list behind it. Squares have aslant directions too.
        """
        steps = HEX.around if self.board.grid is HEX else EIGHT.around
        return tuple(tuple(self._ray(cell, step) for step in steps) for cell in range(len(self.board)))

    def _ray(self, cell: int, step: tuple[int, int]) -> tuple[int, ...]:
        at = self._places
        (x, y), found = self.board.xy[cell], list[int]()
        while (place := (x := x + step[0], y := y + step[1])) in at:
            found.append(at[place])
        return tuple(found)

    @cached_property
    def _places(self) -> dict[tuple[int, int], int]:
        return {place: cell for cell, place in enumerate(self.board.xy)}

    def group(self, start: int, own: int) -> int:
        """Return the stones of `own` that hang together with the cells of `start`."""
        near, group, ahead = self.near, start, start
        while ahead:
            lowest = ahead & -ahead
            beside = near[lowest.bit_length() - 1] & own & ~group
            group |= beside
            ahead = (ahead ^ lowest) | beside
        return group

    def beside(self, group: int) -> int:
        """Return all cells beside those of a group, some of them its own."""
        found = 0
        for cell in cells_of(group):
            found |= self.near[cell]
        return found


@cache
def tables(line: BoardLine, size: int, sides: tuple[str, str]) -> BoardTables:
    """Return the tables of a board line in one size. `sides` are the names that own islands."""
    board = _board(line, size)
    edges = _edges(line, board)
    corner = [edge & (edge - 1) != 0 for edge in edges]
    numbers = {
        cell: number for number, cell in enumerate(each for each, is_one in enumerate(corner) if is_one)
    }
    corners = tuple(1 << numbers[cell] if cell in numbers else 0 for cell in range(len(board)))
    if line.corners_apart:
        edges = tuple(0 if is_one else edge for edge, is_one in zip(edges, corner, strict=True))
    islands, places = _islands(line, board, edges)
    near = tuple(map(bits_of, board.near))
    owned = (0, 0)
    if line.owners:
        near, owned = _with_islands(near, islands, line, sides)
    return BoardTables(board, near, edges, corners, islands, places, owned)


def _board(line: BoardLine, size: int) -> Board:
    match line.shape:
        case "triangle":
            return triangle(size)
        case "hexagon":
            return hexagon(size, line.other or size)
        case "square":
            return square(size, EIGHT if line.eight else SQUARE)
        case "rectangle":
            odd, even = line.row_lengths(size)
            first = [(row // 2 if odd > even else (row - 1) // 2) for row in range(1, size + 1)]
            return slanted([(at, at + (odd if n % 2 == 0 else even) - 1) for n, at in enumerate(first)])
        case _:
            return slanted([(0, size - 1)] * size)


def _place(name: str) -> tuple[int, int]:
    """Return the row and the letter of a cell as numbers."""
    return int(name[1:]), ord(name[0]) - ord("a")


def _edges(line: BoardLine, board: Board) -> tuple[int, ...]:
    """Return by cell its edges as bits: bottom, top, left, right, or those that are only counted."""
    at = [_place(name) for name in board.names]
    found = [0] * len(board)
    if line.shape in ("triangle", "hexagon"):
        ends: list[list[int]] = []
        for values in ([r for r, _ in at], [c for _, c in at], [r - c for r, c in at]):
            ends += [
                [n for n, each in enumerate(values) if each == end] for end in (min(values), max(values))
            ]
        ends = [cells for cells in ends if len(cells) > 1]
    else:
        rows = sorted({row for row, _ in at})
        of_row = {row: [n for n, (r, _) in enumerate(at) if r == row] for row in rows}
        ends = [of_row[rows[0]], of_row[rows[-1]]]
        ends += [[min(of_row[row]) for row in rows], [max(of_row[row]) for row in rows]]
    for edge, cells in enumerate(ends):
        for cell in cells:
            found[cell] |= 1 << edge
    return tuple(found)


Islands = tuple[tuple[int, ...], tuple[tuple[tuple[int, int], ...], ...]]


def _islands(line: BoardLine, board: Board, edges: Sequence[int]) -> Islands:
    """Return by cell the islands that it touches, as bits, and by island its places, clockwise."""
    touched = [0] * len(board)
    if not line.islands:
        return tuple(touched), ()
    if line.owners:
        found = list(_shared(board, edges, line.islands // 4))
        for island, cells in enumerate(found):
            for cell in cells:
                touched[cell] |= 1 << island
        return tuple(touched), tuple(tuple(board.xy[cell] for cell in cells) for cells in found)
    around = ring(board)
    lengths = line.lengths or (len(around) // line.islands,)
    places, at = [], 0
    for island in range(line.islands):
        length = lengths[island % len(lengths)]
        places.append(around[at : at + length])
        at += length
    island_at = {place: island for island, each in enumerate(places) for place in each}
    for cell, (x, y) in enumerate(board.xy):
        for dx, dy in AROUND:
            if (x + dx, y + dy) in island_at:
                touched[cell] |= 1 << island_at[x + dx, y + dy]
    return tuple(touched), tuple(places)


def _shared(board: Board, edges: Sequence[int], an_edge: int) -> Iterator[list[int]]:
    """Yield the cells of each island of a rectangle, clockwise from the top left. Ends are shared."""
    bottom, top, left, right = ([n for n, edge in enumerate(edges) if edge >> bit & 1] for bit in range(4))
    for cells in (top, right, bottom[::-1], left[::-1]):  # cells have indexes from the top left
        length = (len(cells) - 1) // an_edge
        for island in range(an_edge):
            yield cells[island * length : (island + 1) * length + 1]


def _with_islands(
    near: tuple[int, ...], islands: Sequence[int], line: BoardLine, sides: tuple[str, str]
) -> tuple[tuple[int, ...], tuple[int, int]]:
    """Return the neighbours with islands as cells behind the board's, and the islands of each side."""
    count = len(near)
    cells = tuple(each | islands[cell] << count for cell, each in enumerate(near))
    ends = tuple(
        bits_of(cell for cell, touched in enumerate(islands) if touched >> island & 1)
        for island in range(line.islands)
    )
    owned = [0, 0]
    for island in range(line.islands):
        owned[sides.index(line.owners[island % 2])] |= 1 << count + island
    return (*cells, *ends), (owned[0], owned[1])
