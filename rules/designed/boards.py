"""The sizes and islands of a line `board`, checked by counting, before any board is made."""

from dataclasses import replace

from rules.designed.forms import Slip, either
from rules.designed.plan import MAX_CELLS, MAX_LETTERS, BoardLine

MAX_ISLANDS = 60


def fitting(board: BoardLine) -> BoardLine:
    """Return a line with those of its sizes that its shape and islands allow. Raise Slip."""
    _hold_shape(board)
    _hold_size(board)
    if not board.islands:
        return board
    _hold_islands(board)
    fit = tuple(size for size in board.size.values if islands_fit(board, size))
    if board.size.usual not in fit:
        others = f"; {either([*map(str, fit)])} do" if fit else "; expected another number"
        raise Slip(f"{board.islands} islands do not divide side {board.size.usual}{others}")
    return replace(board, size=replace(board.size, values=fit))


def _hold_shape(board: BoardLine) -> None:
    if board.other and not board.even and board.shape != "hexagon":
        raise Slip('"sides N and M" is said of a hexagon; expected "side N"')
    if board.even and (board.shape != "rectangle" or abs(board.other - board.even) != 1):
        raise Slip('"N rows of A and B" is said of a rectangle whose rows differ by one; expected "size N"')
    if board.eight and board.shape != "square":
        raise Slip("squares alone have eight neighbours")


def _hold_size(board: BoardLine) -> None:
    least = 2
    if board.shape in ("triangle", "rectangle"):
        least = 3 if board.shape == "triangle" or board.even else 5
    smallest, largest = min(board.size.values), max(board.size.values)
    if smallest < least or (board.other and board.other < 2):
        raise Slip(f"{min(smallest, board.other or smallest)} is too small; expected {least} or more")
    count = board.cells(largest)
    if count > MAX_CELLS:
        raise Slip(f"{largest} makes {count} cells; expected at most {MAX_CELLS}")
    if board.letters(largest) > MAX_LETTERS:
        raise Slip(f"{largest} needs {board.letters(largest)} letters; expected at most {MAX_LETTERS}")


def _hold_islands(board: BoardLine) -> None:
    if board.shape not in ("triangle", "hexagon", "rectangle"):
        raise Slip(f"a {board.shape} has no islands; expected a triangle, a hexagon or a rectangle")
    if not 3 <= board.islands <= MAX_ISLANDS:
        raise Slip(f"{board.islands} islands cannot be; expected 3 to {MAX_ISLANDS}")
    if (board.shape == "rectangle") != bool(board.owners) or (board.owners and board.islands % 4):
        raise Slip(
            "a rectangle, and nothing else, has islands of both sides, an equal number on each edge; "
            'expected like "8 islands of White and Black by turns"'
        )


def islands_fit(board: BoardLine, size: int) -> bool:
    """True if the islands divide the ring of a board of this size."""
    if board.shape == "rectangle":
        odd, _ = board.row_lengths(size)
        an_edge = board.islands // 4
        return size % 2 == 1 and odd > an_edge and (odd - 1) % an_edge == 0 and (size - 1) % an_edge == 0
    ring = 3 * (size - 1) if board.shape == "triangle" else 3 * (size - 1) + 3 * ((board.other or size) - 1)
    if not board.lengths:
        return ring % board.islands == 0
    repeats, rest = divmod(board.islands, len(board.lengths))
    return rest == 0 and min(board.lengths) > 0 and sum(board.lengths) * repeats == ring
