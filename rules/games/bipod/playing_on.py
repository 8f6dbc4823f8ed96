"""Bipod for a search: random playouts, and both paths' distances."""

from collections.abc import Sequence
from math import exp
from random import Random

from rules.contract import Knowledge, Move, Playout
from rules.games.bipod import paths
from rules.games.bipod.moves import Stone
from rules.games.bipod.paths import BLOCK, EMPTY, LEFT, RIGHT, Ground
from rules.games.bipod.position import BipodPosition
from rules.stone_reading import Cells

UNREACHED = 99
EASE = 0.035
"""The share of the empty cells that Runner gets beside their half when a game is played on by chance.

A stone laid on purpose helps Runner more than a block laid on purpose helps Blocker. With this share an
adoption is worth one half where bots of one level win as often as they lose after it (docs/build/bots.md).
"""


def playout(position: BipodPosition, rng: Random) -> Playout:
    """Put random blocks and stones on all empty cells. Each stone is of the colour that Runner needs."""
    cells = list(position.cells)
    empty = [cell for cell, held in enumerate(cells) if held == EMPTY]
    rng.shuffle(empty)
    count = count_blocks(position, len(empty))
    blocks, stones = empty[:count], empty[count:]
    for cell in blocks:
        cells[cell] = BLOCK
    left, right = (paths.outermost(position.ground, cells, colour) for colour in (LEFT, RIGHT))
    ran = bool(left and right and set(left).isdisjoint(right))
    runner = runner_of(position)
    marks = sum([1 << cell for cell in blocks]), sum([1 << cell for cell in stones])
    return Playout(1.0 if ran == (runner == 0) else 0.0, marks if runner == 1 else marks[::-1])


def is_running(position: BipodPosition) -> bool:
    """Say if Runner is to play. Before an adoption it is as if it were adopted now."""
    return position.running or not position.adopted


def count_blocks(position: BipodPosition, empty: int) -> int:
    """Count the empty cells that become blocks. Half do, without what eases Runner's way."""
    return (empty + (not is_running(position))) // 2 - round(empty * EASE)


def runner_of(position: BipodPosition) -> int:
    """Return the seat that runs. Before an adoption it is as if it were adopted now."""
    return 1 if (position.adopted or position.ply + 1) % 2 else 0


def marks(position: BipodPosition, moves: Sequence[Move]) -> list[int]:
    """Before an adoption a block says nothing of later blocks."""
    if not position.adopted:
        return [0] * len(moves)
    index = position.board.index
    return [1 << index[_cell(move)] for move in moves]


def _cell(move: Move) -> str:
    return move.cell if isinstance(move, Stone) else move.cells[0] if isinstance(move, Cells) else ""


def steps_to_edge(ground: Ground, cells: Sequence[str], colour: str) -> list[int]:
    """Return by cell the fewest stones from start to short side. The way leads over the cell."""
    out = _distances(ground, cells, colour, [ground.start(colour)])
    back = _distances(ground, cells, colour, [n for n, is_short in enumerate(ground.short) if is_short])
    return [
        min(one + two - (held == EMPTY), UNREACHED) for one, two, held in zip(out, back, cells, strict=True)
    ]


def _distances(ground: Ground, cells: Sequence[str], colour: str, starts: Sequence[int]) -> list[int]:
    """Return by cell the fewest stones on a way from a start. The cell's own stone counts."""
    own = colour + cells[ground.start(colour)]
    found = [UNREACHED] * len(cells)
    ring = [cell for cell in starts if cells[cell] in own]
    later = [cell for cell in starts if cells[cell] == EMPTY]
    steps = 0
    while ring or later:
        for cell in ring:
            found[cell] = min(found[cell], steps)
        for cell in ring:  # grows while it is walked
            for beside in ground.board.near[cell]:
                if cells[beside] in own and found[beside] > steps:
                    found[beside] = steps
                    ring.append(beside)
                elif cells[beside] == EMPTY and found[beside] > steps + 1:
                    later.append(beside)
        steps += 1
        ring, later = [cell for cell in dict.fromkeys(later) if found[cell] > steps], []
    return found


def priors(position: BipodPosition, moves: Sequence[Move]) -> list[float]:
    """Prefer cells on the shortest ways, for both. A stone is of the colour that it helps."""
    if not position.adopted:
        return [0.5] * len(moves)
    index = position.board.index
    by_colour = {colour: steps_to_edge(position.ground, position.cells, colour) for colour in (LEFT, RIGHT)}
    best = {colour: min(steps) for colour, steps in by_colour.items()}

    def off(move: Move) -> int:
        cell = index[_cell(move)]
        colours = (move.colour,) if isinstance(move, Stone) else (LEFT, RIGHT)
        return min(by_colour[colour][cell] - best[colour] for colour in colours)

    return [0.3 + 0.4 * exp(-off(move)) for move in moves]


KNOWLEDGE = Knowledge(
    playout=playout, marks=marks, priors=priors, kernel="rules.games.bipod.kernel", at_once=2
)
