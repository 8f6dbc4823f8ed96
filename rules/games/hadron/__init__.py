"""Hadron, by Mark Steere, 2022: stones on balanced cells of a square. Whoever lays the last stone wins."""

from collections.abc import Mapping
from typing import Any

from rules.balanced import SHUT, Balanced
from rules.board import Board, square
from rules.contract import Outcome
from rules.games.hadron.lessons import LESSONS
from rules.games.hadron.playing_on import KNOWLEDGE
from rules.option import sizes_option
from rules.picture import Picture
from rules.stone_placement import draw as draw_stones
from rules.stone_placement import one_stone

_LEGEND = (
    ("X", "a red stone"),
    ("O", "a blue stone"),
    (".", "a cell that may be played"),
    (SHUT, "an empty cell that may not be played now"),
)


class HadronPosition(Balanced):
    """The stones of both colours. There is no pie rule."""

    players = (("Red", "X"), ("Blue", "O"))
    lays = "lays a stone on a cell that touches as many red as blue stones"
    has_pie = False

    @staticmethod
    def board_of(options: Mapping[str, Any]) -> Board:
        return square(options["size"])

    def judge(self) -> Outcome | None:
        """Return a win for who laid last once no cell is balanced."""
        if any(map(self.is_open, range(len(self.cells)))):
            return None
        lost, won = (self.players[colour][0] for colour in (self.colour, 1 - self.colour))
        return Outcome(self.seat(1 - self.colour), won, f"{won} wins: {lost} has no cell to lay a stone on")

    @property
    def lists(self) -> list[tuple[str, str]]:
        return [
            *((f"{side} ({glyph})", glyph) for side, glyph in self.players),
            (f"Not balanced ({SHUT})", SHUT),
        ]


def draw(position: HadronPosition) -> Picture:
    return draw_stones(position, {"X": "dark", "O": "light", SHUT: "shut"}, _LEGEND)


RULES = one_stone(
    HadronPosition,
    key="hadron",
    name="Hadron",
    designer="Mark Steere",
    year=2022,
    terms=(
        "Anybody may publish the rule sheet and program the game, without licence or fee, if name and rules"
        " stay unchanged and the game is attributed to Mark Steere."
    ),
    family="territory",
    summary="Stones go where as many red as blue ones are touched; whoever cannot lay a stone has lost.",
    turn="A move is one cell that touches as many red as blue stones, such as c3.",
    options=(sizes_option("size", "cells along a side", 5, (5, 7, 9, 11)),),
    words={},
    pie_words=(),
    knowledge=KNOWLEDGE,
    lessons=LESSONS,
    draw=draw,
)
