"""Hex, by Piet Hein (1942) and John Nash (1948): each player joins two opposite sides of a rhombus."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from rules.board import slanted
from rules.games.hex.lessons import LESSONS
from rules.joining import Figure, Goals, Joining, draw, surround
from rules.option import number_option
from rules.search.joining import KNOWLEDGE
from rules.stone_placement import one_stone

TOP, RIGHT, BOTTOM, LEFT = 1, 2, 4, 8


@cache
def _goals(size: int) -> Goals:
    return surround(
        slanted([(0, size - 1)] * size),
        [size - 1] * 4,
        Goals,
        figures=(
            Figure("a chain from top to bottom", TOP | BOTTOM, (1, 0)),
            Figure("a chain from left to right", LEFT | RIGHT, (0, 1)),
        ),
        names=("top", "right", "bottom", "left"),
        owners=(TOP | BOTTOM, LEFT | RIGHT),
        signs=("X", "O", "X", "O"),
        legend=(("[X]", "a side of Black's"), ("[O]", "a side of White's")),
        room=1,
    )


@dataclass(frozen=True)
class HexPosition(Joining):
    """Black joins top and bottom, White left and right."""

    @staticmethod
    def goals_of(options: Mapping[str, Any]) -> Goals:
        return _goals(options["size"])


RULES = one_stone(
    HexPosition,
    key="hex",
    name="Hex",
    designer="Piet Hein & John Nash",
    year=1942,
    terms="No terms are known; the game is regarded as everybody's.",
    family="connection",
    summary="Black joins top and bottom of a rhombus with one group of stones, White left and right.",
    turn="A move is one empty cell, such as d4, or swap as the second move of the game.",
    options=(number_option("size", "cells along a side", 11, 3, 19, rated=(9, 19)),),
    draw=draw,
    knowledge=KNOWLEDGE,
    lessons=LESSONS,
    named={"hex13": {"size": "13"}, "hex14": {"size": "14"}},
)
