"""Bipod, by Bill Taylor and Joao Neto, 2004: two paths from two starts, and who adopts against them.

Their post says that `adopt` takes the running side; both games they recorded have the adopter as Blocker,
and so it is here.
"""

from rules.contract import Rules, number_option
from rules.games.bipod.drafting import draft
from rules.games.bipod.position import BipodPosition, draw

RULES = Rules(
    key="bipod",
    name="Bipod",
    designer="Bill Taylor & Joao Neto",
    year=2004,
    terms=(
        "Its authors published it in rec.games.abstract in June 2004, asked everybody to try it,"
        " and set no terms."
    ),
    summary="Both block; one adopts the blocking, and the other must run two separate paths to the edge.",
    turn=(
        "A ply is a few cells to block, such as f2 f4 g3, or adopt; once somebody has adopted, Blocker"
        " writes a cell, such as j4, and Runner a cell with a colour, such as k3 o."
    ),
    options=(
        number_option("size", "empty cells between a start and its corner", 5, 3, 8),
        number_option("middle", "empty cells between the two starts (as size)", lambda o: o["size"], 2, 8),
        number_option("rows", "rows of the board (size and one more)", lambda o: o["size"] + 1, 3, 9),
        number_option("stones", "the most blocks in one ply before the adoption", 3, 1, 5),
    ),
    setup=BipodPosition.begin,
    draw=draw,
    draft=draft,
    words={"adopt": ""},
    pie_words=("adopt",),
)
