"""Havannah, by Christian Freeling, 1979: a ring, a bridge or a fork wins."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

from rules.board import hexagon
from rules.games.havannah.lessons import LESSONS
from rules.joining import Figure, Goals, Joining, bits, draw, surround, with_goals
from rules.option import number_option
from rules.search.joining import KNOWLEDGE
from rules.stone_placement import one_stone

SIDES = ("top", "upper right", "lower right", "bottom", "lower left", "upper left")


@cache
def _goals(size: int) -> Goals:
    """Return the six sides as goals 0 to 5 and the corners as 6 to 11. A corner belongs to no side."""
    board = hexagon(size, size)
    shore = surround(board, [size - 1] * 6, Goals).shore
    corners = [cell for cell, sides in enumerate(shore) if sides.bit_count() == 2]
    return with_goals(
        board,
        [1 << 6 + corners.index(cell) if cell in corners else sides for cell, sides in enumerate(shore)],
        Goals,
        figures=(
            *(Figure("a bridge", bits(two)) for two in combinations(range(6, 12), 2)),
            *(Figure("a fork", bits(three)) for three in combinations(range(6), 3)),
        ),
        rings=True,
        is_settled=False,
        names=(*(f"{side} side" for side in SIDES), *(f"corner {board.names[cell]}" for cell in corners)),
    )


@dataclass(frozen=True)
class HavannahPosition(Joining):
    """White begins. Each colour may make any of the three figures."""

    players = (("White", "O"), ("Black", "X"))

    @staticmethod
    def goals_of(options: Mapping[str, Any]) -> Goals:
        return _goals(options["size"])


RULES = one_stone(
    HavannahPosition,
    key="havannah",
    name="Havannah",
    designer="Christian Freeling",
    year=1979,
    terms=(
        "No licence is known; of his games the designer writes that they are a gift and not meant to be "
        "marketed (mindsports.nl)."
    ),
    family="connection",
    summary="Make a ring, or join two corners (a bridge) or three sides (a fork) with one group of stones.",
    turn="A move is one empty cell, such as d4, or swap as the second move of the game.",
    options=(number_option("size", "cells along a side", 8, 4, 10, rated=(6, 10)),),
    draw=draw,
    knowledge=KNOWLEDGE,
    lessons=LESSONS,
    named={"havannah10": {"size": "10"}},
)
