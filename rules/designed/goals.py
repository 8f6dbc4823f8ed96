"""The goals of designed games: the cells with which a side has reached one, as bits, or 0."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from rules.designed.plan import EDGES, BoardLine, Goal
from rules.designed.tables import BoardTables, bits_of, cells_of

Reached = Callable[[BoardTables, int, Sequence[int], int], int]
"""(tables, own stones, groups of those that changed, stones that changed) -> the stones that decide, or 0."""


def touched(of_cell: Sequence[int], group: int) -> int:
    found = 0
    for cell in cells_of(group & (1 << len(of_cell)) - 1):
        found |= of_cell[cell]
    return found


def _edges(mask: int, tables: BoardTables, own: int, groups: Sequence[int], changed: int) -> int:
    for group in groups:
        if touched(tables.edges, group) & mask == mask:
            return group
    return 0


def _number(
    what: str, number: int, tables: BoardTables, own: int, groups: Sequence[int], changed: int
) -> int:
    of_cell: Sequence[int] = getattr(tables, what)
    for group in groups:
        if touched(of_cell, group).bit_count() >= number:
            return group
    return 0


def _opposite(islands: int, tables: BoardTables, own: int, groups: Sequence[int], changed: int) -> int:
    count = len(tables.board)
    for group in groups:
        joined = group >> count
        if joined & joined >> islands // 2:
            return group & tables.every
    return 0


def _half(islands: int, tables: BoardTables, own: int, groups: Sequence[int], changed: int) -> int:
    for group in groups:
        if largest_gap(touched(tables.islands, group), islands) * 2 < islands:
            return group
    return 0


def largest_gap(joined: int, islands: int) -> int:
    """Return the most steps round the ring from one joined island to the next, or all if none is joined."""
    found = list(cells_of(joined))
    if not found:
        return islands
    return max(b - a for a, b in zip(found, [*found[1:], found[0] + islands], strict=True))


def _ring(tables: BoardTables, own: int, groups: Sequence[int], changed: int) -> int:
    """Find a group round at least one cell.

    Some of the other cells then are cut off from the rim, or a cell and all round it are the group's.
    """
    near = tables.near
    for group in groups:
        if all((near[cell] & group).bit_count() < 2 for cell in cells_of(changed & group)):
            continue
        rest = tables.every & ~group
        if rest != tables.group(tables.rim & rest, rest):
            return group
        inside = group & ~tables.rim
        if any(near[cell] & group == near[cell] for cell in cells_of(inside)):
            return group
    return 0


def _row(number: int, exact: bool, tables: BoardTables, own: int, groups: Sequence[int], changed: int) -> int:
    for cell in cells_of(changed):
        rays = tables.rays[cell]
        half = len(rays) // 2
        for way in range(half):
            row = [cell, *_stones(rays[way], own), *_stones(rays[way + half], own)]
            if len(row) == number or (len(row) > number and not exact):
                return bits_of(row)
    return 0


def _stones(ray: Iterable[int], own: int) -> list[int]:
    """Return the stones on a ray as far as they stand without a gap."""
    found = []
    for cell in ray:
        if not own >> cell & 1:
            break
        found.append(cell)
    return found


def _far(edge: int, tables: BoardTables, own: int, groups: Sequence[int], changed: int) -> int:
    return bits_of(cell for cell in cells_of(changed) if tables.edges[cell] >> edge & 1)


OF_GROUPS = frozenset({"edges", "many edges", "corners", "opposite", "half", "ring"})


def reached(goal: Goal, line: BoardLine, colour: int) -> Reached:
    """Return the function of a goal on a board, for a side."""
    match goal.kind:
        case "edges":
            names = EDGES[line.shape]
            return partial(_edges, bits_of(names.index(edge) for edge in goal.edges))
        case "many edges":
            return partial(_number, "edges", goal.number)
        case "corners":
            return partial(_number, "corners", goal.number)
        case "opposite":
            return partial(_opposite, line.islands)
        case "half":
            return partial(_half, line.islands)
        case "ring":
            return _ring
        case "far":
            return partial(_far, EDGES[line.shape].index("bottom" if colour else "top"))
        case _:
            return partial(_row, goal.number, goal.exact)


def figure(goal: Goal) -> str:
    """Return what a side does that reaches a goal: `joins bottom and top`."""
    match goal.kind:
        case "edges":
            return "joins " + " and ".join(goal.edges)
        case "many edges":
            return f"joins {goal.number} edges"
        case "corners":
            return f"joins {goal.number} corners"
        case "opposite":
            return "joins two opposite islands"
        case "half":
            return "joins islands over half of the ring"
        case "ring":
            return "makes a ring"
        case "row":
            return f"has {'exactly ' * goal.exact}{goal.number} in a row"
        case "far":
            return "reaches the far row"
        case _:
            return "has taken all pieces"
