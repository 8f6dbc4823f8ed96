"""Bipod for a search: random playouts, and priors by the distances of both paths."""

from collections.abc import Sequence
from math import exp
from random import Random

from rules.contract import Knowledge, Move, Playout
from rules.games.bipod import paths
from rules.games.bipod.distances import steps_beyond
from rules.games.bipod.moves import Stone
from rules.games.bipod.paths import BLOCK, EMPTY, LEFT, RIGHT
from rules.games.bipod.position import BipodPosition
from rules.stone_reading import Cells

EASE, EVEN, STEEP, MOST_EASE = 0.035, 0.076, 2.4, 0.15
"""Numbers for the share of empty cells that Runner gets in a playout in addition to half of them.

A stone laid on purpose helps Runner more than a block laid on purpose helps Blocker. The share is EASE if the
adopted blocks were the share EVEN of the board, because bots of one level win half of their games after such
an adoption (docs/build/laboratory.md). Fewer blocks help Blocker less than random play shows; STEEP is the
share's change per change of the blocks' share, and MOST_EASE its bound.
"""


def playout(position: BipodPosition, rng: Random) -> Playout:
    """Put random blocks and stones on all empty cells. Each stone gets the colour that Runner needs."""
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
    """True if Runner is to play, or would be after an adoption now."""
    return position.running or not position.adopted


def ease(position: BipodPosition) -> float:
    """Return the share of the empty cells that Runner gets beyond half, by the number of blocks adopted."""
    before = position.adopted or position.ply + 1
    share = sum(0 < ply < before for ply in position.laid) / len(position.laid)
    return max(-MOST_EASE, min(MOST_EASE, EASE + STEEP * (EVEN - share)))


def count_blocks(position: BipodPosition, empty: int) -> int:
    """Return the number of empty cells that become blocks: half, less the share of `ease`."""
    return (empty + (not is_running(position))) // 2 - round(empty * ease(position))


def runner_of(position: BipodPosition) -> int:
    """Return the seat that is Runner, or would be after an adoption now."""
    return 1 if (position.adopted or position.ply + 1) % 2 else 0


def marks(position: BipodPosition, moves: Sequence[Move]) -> list[int]:
    """Return each ply's mark. Before an adoption there are none, as a block says nothing of later blocks."""
    if not position.adopted:
        return [0] * len(moves)
    index = position.board.index
    return [1 << index[_cell(move)] for move in moves]


def _cell(move: Move) -> str:
    return move.cell if isinstance(move, Stone) else move.cells[0] if isinstance(move, Cells) else ""


def priors(position: BipodPosition, moves: Sequence[Move]) -> list[float]:
    """Return values that prefer cells on the shortest ways of either path, or of a stone's own path."""
    if not position.adopted:
        return [0.5] * len(moves)
    index = position.board.index
    beyond = {colour: steps_beyond(position.ground, position.cells, colour) for colour in (LEFT, RIGHT)}

    def off(move: Move) -> int:
        cell = index[_cell(move)]
        colours = (move.colour,) if isinstance(move, Stone) else (LEFT, RIGHT)
        return min(beyond[colour][cell] for colour in colours)

    return [0.3 + 0.4 * exp(-off(move)) for move in moves]


KNOWLEDGE = Knowledge(
    playout=playout, marks=marks, priors=priors, kernel="rules.games.bipod.kernel", at_once=2
)
