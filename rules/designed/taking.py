"""The stones that a newly laid stone takes, as bits."""

from collections.abc import Callable, Mapping

from rules.designed.tables import BoardTables, cells_of

Taken = Callable[[BoardTables, int, int, int], int]
"""(tables, the cell, own stones with the new one, rival stones) -> the rival stones that are taken."""


def nothing(tables: BoardTables, cell: int, own: int, rival: int) -> int:
    return 0


def surrounded(tables: BoardTables, cell: int, own: int, rival: int) -> int:
    """Return the rival groups beside the cell that have no empty cell beside them."""
    empty, found = tables.every & ~own & ~rival, 0
    beside = tables.near[cell] & rival
    while beside:
        group = tables.group(beside & -beside, rival)
        beside &= ~group
        if not tables.beside(group) & empty:
            found |= group
    return found


def flanked(tables: BoardTables, cell: int, own: int, rival: int) -> int:
    """Return the gapless rows of rival stones between the cell and another own stone."""
    found = 0
    for ray in tables.rays[cell]:
        row = 0
        for other in ray:
            if rival >> other & 1:
                row |= 1 << other
                continue
            if own >> other & 1:
                found |= row
            break
    return found


TAKEN: Mapping[str, Taken] = {"": nothing, "surrounded": surrounded, "turned": flanked, "removed": flanked}


def has_room(tables: BoardTables, cell: int, own: int, rival: int) -> bool:
    """True if the group on a cell has an empty cell beside it."""
    empty = tables.every & ~own & ~rival
    if tables.near[cell] & empty:
        return True
    return bool(tables.beside(tables.group(1 << cell, own)) & empty)


def regions(tables: BoardTables, stones: tuple[int, int]) -> list[tuple[int, int]]:
    """Return each region of empty cells with its owner: the side with more stones beside it, or -1."""
    empty, found = tables.every & ~stones[0] & ~stones[1], list[tuple[int, int]]()
    for cell in cells_of(empty):
        if any(region >> cell & 1 for region, _ in found):
            continue
        region = tables.group(1 << cell, empty)
        beside = tables.beside(region)
        first, second = ((beside & own).bit_count() for own in stones)
        found.append((region, -1 if first == second else 0 if first > second else 1))
    return found
