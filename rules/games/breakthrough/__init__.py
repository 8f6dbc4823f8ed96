"""Breakthrough, by Dan Troyka, 2000: bring one man to the far row."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rules.board import Board, square
from rules.contract import Outcome
from rules.games.breakthrough.lessons import LESSONS
from rules.games.breakthrough.playing_on import KNOWLEDGE
from rules.moving import Moving, Way, moving
from rules.option import number_option
from rules.stone_placement import EMPTY

_WAYS = (Way((-2, -1)), Way((0, -1), takes=False), Way((2, -1)))
_ROWS = 2
"""The rows of men that each player has at the start."""


class BreakthroughPosition(Moving):
    """White's men go up the board from its first rows, Black's go down."""

    ways = MappingProxyType({"O": _WAYS, "X": _WAYS})

    @staticmethod
    def board_of(options: Mapping[str, Any]) -> Board:
        return square(options["size"])

    @classmethod
    def first_cells(cls, options: Mapping[str, Any]) -> str:
        side: int = options["size"]
        return "X" * _ROWS * side + EMPTY * (side - 2 * _ROWS) * side + "O" * _ROWS * side

    def judge(self) -> Outcome | None:
        """Return the end once a man stands on the far row, or once a player has no man."""
        side = self.options["size"]
        for colour, far in enumerate((self.cells[:side], self.cells[-side:])):
            name, own = self.players[colour]
            if own in far:
                cell = self.cells.index(own) if colour == 0 else self.cells.rindex(own)
                where = f"on {self.board.names[cell]}, its far row"
                return self.lost(1 - colour, f"a man of {name} stands {where}")
            if own not in self.cells:
                return self.lost(colour, f"{name} has no man left")
        return None

    @property
    def won(self) -> list[int]:
        return [cell for cell in self.last if self.owner(cell) is not None] if self.outcome else []


RULES = moving(
    BreakthroughPosition,
    key="breakthrough",
    name="Breakthrough",
    designer="Dan Troyka",
    year=2000,
    terms="No terms are known. The rules are told in our own words.",
    summary="Men go one step ahead and take aslant; the first on the far row wins.",
    turn="A move is a man's cell and the cell it goes to, such as a2-a3; d6xe7 takes.",
    options=(number_option("size", "cells along each side", 8, 5, 8),),
    knowledge=KNOWLEDGE,
    lessons=LESSONS,
)
