"""Lines that players of Breakthrough write, and what each is: a ply, prose, or a slip with its reason."""

from __future__ import annotations

from rules import RULES
from tests.rules.lines import Lines

GAME = ("d2-d3", "e7-e6", "d3-d4", "e6-e5")

SPELLINGS = [
    ("d2-d3", "d2-d3"),
    ("D2-D3", "d2-d3"),
    ("d2 d3", "d2-d3"),
    ("d2d3", "d2-d3"),
    ("D2 D3.", "d2-d3"),
    ("d2, d3", "d2-d3"),
    ("d2 - d3", "d2-d3"),
    ("d2->d3", "d2-d3"),
    ("d2 to d3", "d2-d3"),
    ("d2\N{EN DASH}d3", "d2-d3"),
    ("d02-d03!", "d2-d3"),
    ("d6xe7", "d6xe7"),
    ("d6 x e7", "d6xe7"),
    ("D6XE7", "d6xe7"),
    ("d6:e7", "d6-e7"),
]

PROSE = [
    "",
    "Thanks Dan",
    "I like d2-d3",
    "Dan: d2-d3",
    "move 7: d2-d3",
    "d2-d3 is a good move",
    "swap",
    "adopt",
    "42",
    "d",
    "o",
    "...",
    "resign",
    "12 first d2-d3",
    "2000-03-01",
    "https://example.org/d2-d3",
    "8 X X X X X X X X",
    "2 O O O O O O O O",
    "a b c d e f g h",
    "from d2 to d3",
    "d2-d3 " * 80,
]

TWO = "a move is two cells, first the piece's, as in"

MISSPELT = [
    ("d3", f"d3: {TWO} a4-h5."),
    ("d2-i3", "i3: there is no letter i; letters run from a to h."),
    ("d2-d9", "d9: there is no row 9; letter d has rows 1 to 8."),
    ("d0-d1", "d0: there is no row 0; letter d has rows 1 to 8."),
    ("2d-3d", "2d-3d: the letter comes first; write d2-d3."),
    ("d2 d3 d4", "d2 d3 d4: that is 3 cells; a move is two, as in a4-h5."),
    ("d2-d3-d4", "d2-d3-d4: that is 3 cells; a move is two, as in a4-h5."),
    ("pass", "pass: nobody passes in Breakthrough; a move is two cells, such as a4-h5."),
]

NOT_NOW = [
    (0, "d2-d4", "d2-d4: the man on d2 cannot go to d4; it may go to c3, d3 or e3."),
    (0, "d2xd3", "d2xd3: nothing is taken there; write d2-d3."),
    (0, "d1-d2", "d1-d2: d2 has a man of yours; possible is d2-c3."),
    (0, "d4-d5", "d4 is empty; possible is d2-c3."),
    (0, "d7-d6", "d7 has a black man, and White is to move; possible is d2-c3."),
    (1, "d3-d4", "d3 has a white man, and Black is to move; possible is d7-e6."),
    (4, "d4-d6", "d4-d6: the man on d4 cannot go to d6; it may go to c5, d5 or e5."),
]

BREAKTHROUGH = Lines(
    start=RULES["breakthrough"].start(),
    game=GAME,
    moments=(0, 1, 4),
    spellings=SPELLINGS,
    prose=PROSE,
    misspelt=MISSPELT,
    not_now=NOT_NOW,
    alphabet="abdeghDE12378-x :,.to?é\u00a0",
)
