"""The command `try`: the boards after a row of moves.

Nothing is stored. A trial knows the board only: anybody may try for either seat, even after a resignation,
and hidden standing orders do not answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.contract import Position, RulesError, Seat

MAX_PLIES = 10
"""Maximum plies of one trial; each brings a board."""

GAME_OVER = "The game has ended by its rules, so nothing more can be tried from there."
TOO_LONG = f"At most {MAX_PLIES} plies can be tried at once."


@dataclass(frozen=True)
class Step:
    """One ply of a trial: number, seat, canonical text, board after it."""

    n: int
    seat: Seat
    move: str
    position: Position


@dataclass(frozen=True)
class Trial:
    """The plies that were possible; `problem` says why the next was not."""

    steps: tuple[Step, ...]
    asked: int
    """The number of plies to try."""
    problem: str = ""

    @property
    def end(self) -> Position | None:
        return self.steps[-1].position if self.steps else None


def try_out(position: Position, moves: Sequence[str]) -> Trial:
    if len(moves) > MAX_PLIES:
        return Trial((), len(moves), TOO_LONG)
    steps: list[Step] = []
    for text in moves:
        seat = position.to_play
        if seat is None:
            return Trial(tuple(steps), len(moves), GAME_OVER)
        try:
            move, _ = position.split(position.read(text))
            position = position.play(move)
        except RulesError as error:
            return Trial(tuple(steps), len(moves), str(error))
        steps.append(Step(position.ply, seat, str(move), position))
    return Trial(tuple(steps), len(moves))
