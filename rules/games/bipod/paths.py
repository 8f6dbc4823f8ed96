"""Bipod's board and paths: the cells that are cut off, and the paths that can reach the edge."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from rules.board import Board, group_at, trapezium
from rules.contract import Outcome, Seat, other

EMPTY, BLOCK, LEFT, RIGHT, LEFT_START, RIGHT_START = ".xoO@Q"
"""The contents of a cell, as drawn: `o` and `@` belong to the left path, `O` and `Q` to the right."""


@dataclass(frozen=True, eq=False)
class Ground:
    """A board with Bipod's starts and its short sides."""

    board: Board
    left: int
    right: int
    short: tuple[bool, ...]

    def start(self, colour: str) -> int:
        return self.left if colour == LEFT else self.right


@cache
def ground(size: int, middle: int, rows: int) -> Ground:
    """Make the trapezium. `size` cells lie between a corner and its start, `middle` between the starts."""
    top = 2 * size + middle + 2
    board = trapezium(top, rows)
    short = tuple(y == rows - 1 or x in (y, 2 * top - 2 - y) for x, y in board.xy)
    return Ground(board, size, size + middle + 1, short)


def reach(ground: Ground, cells: Sequence[str], colour: str) -> set[int]:
    """Return the cells that the start of `colour` reaches over empty cells and stones of its colour."""
    start = ground.start(colour)
    ways = EMPTY + colour + cells[start]
    return set(group_at(ground.board, [content in ways for content in cells], start))


def open_cells(ground: Ground, cells: Sequence[str]) -> list[bool]:
    reached = reach(ground, cells, LEFT) | reach(ground, cells, RIGHT)
    return [content == EMPTY and cell in reached for cell, content in enumerate(cells)]


def outermost(ground: Ground, cells: Sequence[str], colour: str) -> list[int] | None:
    """Return the route of `colour` to a short side that is farthest from the other start, or None.

    A route runs over empty cells and own stones. A walk down that tries the outermost turn first and never
    enters a cell twice finds the outermost route, which leaves free every cell that any route can leave free
    for the other path. So two routes without a common cell exist exactly if the outermost two have none.
    """
    around, short, ways = ground.board.around, ground.short, EMPTY + colour
    start, (heading, turn) = ground.start(colour), (4, 1) if colour == LEFT else (5, -1)
    seen = [False] * len(cells)
    seen[start] = True
    path = [start]
    turns = [_turns(heading, turn)]
    while path:
        for direction in turns[-1]:
            cell = around[path[-1]][direction]
            if cell >= 0 and not seen[cell] and cells[cell] in ways:
                seen[cell] = True
                path.append(cell)
                if short[cell]:
                    return path
                turns.append(_turns(direction, turn))
                break
        else:
            path.pop()
            turns.pop()
    return None


def _turns(heading: int, turn: int) -> Iterator[int]:
    """Return five directions for a walk with `heading`, the sharpest turn to the side `turn` first."""
    return iter([(heading + turn * step) % 6 for step in (2, 1, 0, -1, -2)])


def judge(ground: Ground, cells: Sequence[str], runner: Seat) -> Outcome | None:
    """True if Runner or Blocker has won."""
    if shortest_chain(ground, cells, LEFT) and shortest_chain(ground, cells, RIGHT):
        return Outcome(runner, "Runner", "Runner wins: both paths reach the edge")
    left, right = outermost(ground, cells, LEFT), outermost(ground, cells, RIGHT)
    if left and right and set(left).isdisjoint(right):
        return None
    if left and right:
        reason = "each path shuts the other off from the edge"
    elif left or right:
        reason = f"no way is left from the {'right' if left else 'left'} start to the edge"
    else:
        reason = "no way is left from either start to the edge"
    return Outcome(other(runner), "Blocker", f"Blocker wins: {reason}")


def shortest_chain(ground: Ground, cells: Sequence[str], colour: str) -> list[int] | None:
    start = ground.start(colour)
    before = {start: start}
    queue = [start]
    for cell in queue:
        if ground.short[cell]:
            chain = [cell]
            while chain[-1] != start:
                chain.append(before[chain[-1]])
            return chain[::-1]
        for beside in ground.board.near[cell]:
            if cells[beside] == colour and beside not in before:
                before[beside] = cell
                queue.append(beside)
    return None
