"""`try`: the boards that moves would bring, one ply after the other. Nothing of it is kept.

A trial goes by the board alone: anybody may try for either seat, also where a player has resigned, and
no standing orders answer, for they are hidden. Values only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.contract import Position, RulesError, Seat

MOST_PLIES = 10
"""Plies that one trial may hold; each brings a board."""

OVER = "The game has ended by its rules, so nothing more can be tried from there."
TOO_LONG = f"At most {MOST_PLIES} plies can be tried at once."


@dataclass(frozen=True)
class Step:
    """One ply of a trial: its number, who would make it, its canonical text, and the board after it."""

    n: int
    seat: Seat
    move: str
    position: Position


@dataclass(frozen=True)
class Trial:
    """The plies that could be made, in order; `problem` is why the next one could not, "" if all could."""

    steps: tuple[Step, ...]
    asked: int
    """How many plies were to be tried."""
    problem: str = ""

    @property
    def end(self) -> Position | None:
        """The position after the last ply that could be made."""
        return self.steps[-1].position if self.steps else None


def try_out(position: Position, moves: Sequence[str]) -> Trial:
    """Play `moves` from `position`, as far as they go."""
    if len(moves) > MOST_PLIES:
        return Trial((), len(moves), TOO_LONG)
    steps: list[Step] = []
    for text in moves:
        seat = position.to_play
        if seat is None:
            return Trial(tuple(steps), len(moves), OVER)
        try:
            move, _ = position.split(position.read(text))
            position = position.play(move)
        except RulesError as error:
            return Trial(tuple(steps), len(moves), str(error))
        steps.append(Step(position.ply, seat, str(move), position))
    return Trial(tuple(steps), len(moves))
