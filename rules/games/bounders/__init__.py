"""Bounders, by Alek Erickson, 2024: stones on balanced cells. A player owns the territory that they bound.

The default here is the scoring that the designer keeps for serious play (`tournament`), and with it the pie
rule; `half` is from another text by the designer.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from rules.balanced import Balanced
from rules.board import Board, hexagon
from rules.contract import Outcome
from rules.games.bounders import counting
from rules.games.bounders.counting import (
    DARK,
    EMPTY,
    LIGHT,
    SCORINGS,
    SIDES,
    Count,
    CountedGame,
    Territory,
    sizes,
)
from rules.games.bounders.lessons import LESSONS
from rules.games.bounders.playing_on import KNOWLEDGE
from rules.option import choice_option, number_option
from rules.picture import Picture
from rules.stone_placement import draw as draw_stones
from rules.stone_placement import one_stone

_LOOKS = {LIGHT: "light", DARK: "dark", "-": "shut", "o": "light-land", "x": "dark-land"}
_STONES = ((LIGHT, "a light stone"), (DARK, "a dark stone"))
_BALANCE = ((".", "a cell that may be played"), ("-", "an empty cell that may not be played now"))
_LANDS = (("o", "territory of Light"), ("x", "territory of Dark"), ("-", "empty and nobody's"))


class BoundersPosition(Balanced):
    """One situation: the stones of both colours, and the territories between them."""

    players = (("Light", LIGHT), ("Dark", DARK))
    lays = "lays a stone on a cell that touches as many light as dark stones"

    @staticmethod
    def board_of(options: Mapping[str, Any]) -> Board:
        """Return the hexagon that the options ask for. With sides of 7 its cells are a1 to m13."""
        return hexagon(options["size"], options["size"])

    def judge(self) -> Outcome | None:
        """Count once no cell is balanced. Balance does not depend on the seat, so the game ends for both."""
        if any(map(self.is_open, range(len(self.cells)))):
            return None
        won = self.result.winner
        if won is None:
            return Outcome(None, None, self.result.reason)
        return Outcome(self.seat(int(won == DARK)), SIDES[won], self.result.reason)

    @cached_property
    def territories(self) -> list[Territory]:
        return counting.territories(self.board, self.cells)

    @cached_property
    def result(self) -> CountedGame:
        """Return the result of a count now, which decides the game only at its end."""
        counts = {
            glyph: Count(sizes(self.territories, glyph), self.cells.count(glyph), self.seat(colour) == 0)
            for colour, (_, glyph) in enumerate(self.players)
        }
        return counting.result(counts, self.options["scoring"], self.has_pie)

    def scores(self) -> dict[str, Any]:
        return self.result.table() if self.outcome else {}

    def remarks(self) -> list[str]:
        return counting.awards(self.territories) if self.outcome else []

    @cached_property
    def glyphs(self) -> str:
        """Return stones, and `-` for closed cells. At the end territories are `o`, `x`, or `-` for nobody."""
        if not self.outcome:
            return super().glyphs
        shown = list(self.cells)
        for territory in self.territories:
            for cell in territory.cells:
                shown[cell] = {LIGHT: "o", DARK: "x"}.get(territory.owner, "-")
        return "".join(shown)

    @property
    def won(self) -> frozenset[int]:
        side = self.outcome.side if self.outcome else None
        lands = [each for each in self.territories if SIDES.get(each.owner) == side] if side else []
        return frozenset(cell for each in lands for cell in each.cells)

    @property
    def lists(self) -> list[tuple[str, str]]:
        others = [("Not balanced", "-")]
        if self.outcome:
            others = [("Light's territories", "o"), ("Dark's territories", "x"), ("Nobody's", "-")]
        stones = [("Light stones", LIGHT), ("Dark stones", DARK)]
        return [(f"{label} ({glyph})", glyph) for label, glyph in (*stones, *others)]

    def words(self, cell: int) -> str:
        if not self.outcome or self.cells[cell] != EMPTY:
            return super().words(cell)
        territory = next(each for each in self.territories if cell in each.cells)
        return f"{SIDES.get(territory.owner, 'Nobody')}'s territory of {len(territory.cells)}"


def draw(position: BoundersPosition) -> Picture:
    return draw_stones(position, _LOOKS, (*_STONES, *(_LANDS if position.outcome else _BALANCE)))


RULES = one_stone(
    BoundersPosition,
    key="bounders",
    name="Bounders",
    designer="Alek Erickson",
    year=2024,
    terms="Its designer published the rules for everybody to read in March 2024, and set no terms.",
    family="territory",
    summary=(
        "Stones go where as many light as dark ones are touched; whoever has more stones round an empty"
        " region at the end is awarded its cells."
    ),
    turn=(
        "A move is one cell that touches as many light as dark stones, such as g7; where the pie rule is"
        " in force, move 2 may be swap instead."
    ),
    options=(
        number_option(
            "size",
            "cells along each side of the hexagon (the designer's are 7 and 9)",
            7,
            3,
            11,
            rated=(5, 11),
        ),
        choice_option(
            "scoring",
            "basic is points alone, half adds half a point for the second player,"
            " tournament breaks every tie",
            "tournament",
            SCORINGS,
        ),
        choice_option(
            "pie",
            "whether move 2 may be swap (yes with scoring=tournament, else no)",
            lambda chosen: "yes" if chosen["scoring"] == "tournament" else "no",
            ("yes", "no"),
        ),
    ),
    unrated=({"scoring": "half", "pie": "yes"},),
    knowledge=KNOWLEDGE,
    lessons=LESSONS,
    draw=draw,
)
