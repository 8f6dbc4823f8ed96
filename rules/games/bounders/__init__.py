"""Bounders, by Alek Erickson, 2024: stones on balanced cells, and territories to those who bound them.

The scoring that its designer keeps for serious play (`tournament`) is the usual one here, and the pie rule
goes with it; `half` is from another text of his.
"""

from rules.contract import choice_option, number_option
from rules.games.bounders.counting import SCORINGS
from rules.games.bounders.position import BoundersPosition, draw
from rules.stone_placement import one_stone

RULES = one_stone(
    BoundersPosition,
    key="bounders",
    name="Bounders",
    designer="Alek Erickson",
    year=2024,
    terms="Its designer published the rules for everybody to read in March 2024, and set no terms.",
    summary=(
        "Stones go where as many light as dark ones are touched; whoever has more stones round an empty"
        " region at the end is awarded its cells."
    ),
    turn=(
        "A ply is one cell that touches as many light as dark stones, such as g7; where the pie rule is"
        " in force, ply 2 may be swap instead."
    ),
    options=(
        number_option("size", "cells along each side of the hexagon (the designer's are 7 and 9)", 7, 3, 11),
        choice_option(
            "scoring",
            "basic is points alone, half adds half a point for the second player,"
            " tournament breaks every tie",
            "tournament",
            SCORINGS,
        ),
        choice_option(
            "pie",
            "whether ply 2 may be swap (yes with scoring=tournament, else no)",
            lambda chosen: "yes" if chosen["scoring"] == "tournament" else "no",
            ("yes", "no"),
        ),
    ),
    draw=draw,
)
