"""Begird, by Mark Steere, January 2008: a group of stones must gird more than half of the islands."""

from collections.abc import Mapping
from typing import Any

from rules.contract import Option, number_option
from rules.games.begird.ground import HEXAGONS, TRIANGLES
from rules.games.begird.position import BegirdPosition, draw
from rules.notation import join_words
from rules.stone_placement import one_stone

USUAL, SMALLEST, LARGEST = 10, 4, 19


def _islands(text: str) -> int:
    if text not in map(str, (*HEXAGONS, *TRIANGLES)):
        raise ValueError(text)
    return int(text)


def _side_fits(side: int, chosen: Mapping[str, Any]) -> str | None:
    """The islands on each side of a triangle divide its ring, one place shorter than the side."""
    islands = chosen["islands"]
    if islands in HEXAGONS:
        triangles = " or ".join(f"islands={count}" for count in TRIANGLES)
        return f"the board of {islands} islands has one size; side goes with {triangles}"
    if (side - 1) % (islands // 3) == 0:
        return None
    fitting = [n for n in range(SMALLEST, LARGEST + 1) if (n - 1) % (islands // 3) == 0]
    return f"with {islands} islands side is {join_words(fitting, 'or')}"


RULES = one_stone(
    BegirdPosition,
    key="begird",
    name="Begird",
    designer="Mark Steere",
    year=2008,
    terms=(
        "Free to publish and to program, without licence or fee, as long as name and rules stay as they are"
        " and the game is attributed to Mark Steere (marksteeregames.com)."
    ),
    summary="Islands ring the board; join three or more that span over half of the ring with one group.",
    turn="A ply is one empty cell, such as d4, or swap as the second ply of the game.",
    options=(
        Option("islands", "islands round the board", 15, _islands, "15, 3, 9 or 27"),
        number_option(
            "side",
            "cells on a side of the triangle that 3 or 9 islands go round",
            lambda chosen: None if chosen["islands"] in HEXAGONS else USUAL,
            SMALLEST,
            LARGEST,
            _side_fits,
        ),
    ),
    draw=draw,
)
