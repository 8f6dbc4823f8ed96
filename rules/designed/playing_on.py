"""Designed games for a search: random games without positions between."""

from collections.abc import Sequence
from random import Random

from rules.contract import Move, Playout
from rules.designed.openings import WithOpening
from rules.designed.stones import FromFile
from rules.stone_reading import Cells

MAX_PLIES = 300
"""The number of plies after which a random game is a draw."""


def playout(position: FromFile, rng: Random) -> Playout:
    """Play on at random."""
    made = [0, 0]
    while isinstance(position, WithOpening) and position.stage and position.outcome is None:
        position = position.follow(position.sample(rng))
    while position.outcome is None and position.ply < MAX_PLIES:
        seat, cell = position.seat(position.due), _cell(position, rng)
        made[seat] |= 1 << cell
        position = position.laid_on(cell)
    outcome = position.outcome
    value = 0.5 if outcome is None or outcome.winner is None else 1.0 - outcome.winner
    return Playout(value, (made[0], made[1]))


def _cell(position: FromFile, rng: Random) -> int:
    """Return a random cell that may be played, without trying all."""
    empty = [cell for cell, held in enumerate(position.cells) if held == "."]
    if not position.design.must_take:
        for _ in range(len(empty)):
            cell = empty[int(rng.random() * len(empty))]
            if not position.design.limits or position.barrier(cell, position.due) is None:
                return cell
    open_ = position.open
    return rng.choice([cell for cell in empty if open_[cell]])


def marks(position: FromFile, moves: Sequence[Move]) -> list[int]:
    index = position.board.index
    single = (move.cells if isinstance(move, Cells) and len(move.cells) == 1 else () for move in moves)
    return [1 << index[cells[0]] if cells else 0 for cells in single]
