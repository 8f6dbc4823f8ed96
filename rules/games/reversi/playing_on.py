"""Reversi for a search: random playouts, and the worth of corners."""

from collections.abc import Sequence
from functools import cache
from random import Random

from rules.board import Board
from rules.contract import Knowledge, Move, Playout
from rules.games.reversi.turning import centre, turned
from rules.stone_placement import EMPTY, OneStone, cell_marks


def fills_middle(position: OneStone) -> bool:
    """True if the next disc goes on one of the four squares in the middle and turns nothing."""
    return position.options["start"] == "free" and position.ply < len(centre(position.board))


def playout(position: OneStone, rng: Random) -> Playout:
    board, cells, colour, marks = position.board, list(position.cells), position.colour, [0, 0]
    glyphs = [glyph for _, glyph in position.players]
    middle = [cell for cell in centre(board) if cells[cell] == EMPTY] if fills_middle(position) else []
    rng.shuffle(middle)
    for cell in middle:
        cells[cell], marks[colour], colour = glyphs[colour], marks[colour] | 1 << cell, 1 - colour
    empty, passed = [cell for cell, held in enumerate(cells) if held == EMPTY], 0
    while passed < 2:
        rng.shuffle(empty)
        found = ((cell, turned(board, cells, cell, glyphs[colour])) for cell in empty)
        cell, discs = next(((cell, discs) for cell, discs in found if discs), (-1, []))
        passed = 0 if discs else passed + 1
        if discs:
            empty.remove(cell)
            marks[colour] |= 1 << cell
            for each in (cell, *discs):
                cells[each] = glyphs[colour]
        colour = 1 - colour
    first, second = map(cells.count, glyphs)
    return Playout(0.5 if first == second else float(first > second), (marks[0], marks[1]))


@cache
def worth(board: Board) -> dict[str, float]:
    """Return by square the prior of a disc there: corners are good, squares beside them are not."""
    corners = [
        place for place in board.xy if place[0] in (0, board.xy[-1][0]) and place[1] in (0, board.xy[-1][1])
    ]
    near = [min(board.grid.steps(place, corner) for corner in corners) for place in board.xy]
    edge = [len(beside) < len(board.grid.around) for beside in board.near]
    values = {0: 0.9, 1: 0.3}
    return {
        name: values.get(steps, 0.55 if is_edge else 0.5)
        for name, steps, is_edge in zip(board.names, near, edge, strict=True)
    }


def priors(position: OneStone, moves: Sequence[Move]) -> list[float]:
    values = worth(position.board)
    return [values[str(move)] for move in moves]


KNOWLEDGE = Knowledge(playout=playout, marks=cell_marks, priors=priors, kernel="rules.games.reversi.kernel")
