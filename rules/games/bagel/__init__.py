"""Bagel, by Phil Leduc, 2021: discs on 36 shuffled tiles, one at a time or two on like tiles in line.

Where the text of his rules leaves it open: a side that cannot place ends the game in its turn, and a tie
that rows do not break is won by Black as a side, whoever holds it after a swap.
"""

from rules.contract import Option, Rules
from rules.games.bagel.drafting import draft
from rules.games.bagel.position import BagelPosition, draw
from rules.games.bagel.tiles import RANDOM, misdealt, read_layout
from rules.stone_placement import PIE

RULES = Rules(
    key="bagel",
    name="Bagel",
    designer="Phil Leduc",
    year=2021,
    terms=(
        "Phil Leduc keeps all rights: whoever programs or sells the game should ask him first for"
        " permission or a licence. His text of the rules may be copied and passed on."
    ),
    summary="On shuffled tiles, place one disc, or two on like tiles in line: rows of three and more score.",
    turn=(
        "A ply is one empty tile, such as c4, or two of one suit in line, such as c3 d3; the second ply"
        " of the game may also be swap, which exchanges the sides."
    ),
    options=(
        Option(
            "layout",
            "the suits of the tiles, row by row from the top, or left to chance",
            RANDOM,
            read_layout,
            "random or 36 letters, nine each of b, g, c and r",
            misdealt,
        ),
    ),
    setup=BagelPosition.begin,
    draw=draw,
    draft=draft,
    **PIE,
    deals=True,
    ask_first=True,
)
