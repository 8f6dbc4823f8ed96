"""Lines that players of Gomoku write, and what each is: a ply, prose, or a slip with its reason."""

from __future__ import annotations

from rules import RULES
from tests.rules.lines import Lines

GAME = ("h8 i9 g7", "black", "h9", "j8")

SPELLINGS = [
    ("h8", "h8"),
    ("H8", "h8"),
    ("  o15 ", "o15"),
    ("h8.", "h8"),
    ("h08", "h8"),
    ("h8 i9", "h8 i9"),
    ("h8, i9", "h8 i9"),
    ("h8 i9 g7", "h8 i9 g7"),
    ("H8, I9, G7.", "h8 i9 g7"),
    ("h8 i9 and g7", "h8 i9 g7"),
    ("black", "black"),
    ("Black.", "black"),
    ("swap", "swap"),
]

PROSE = [
    "",
    "Thanks, nice game",
    "I like h8",
    "move 7: h8",
    "I take black",
    "black is mine",
    "adopt",
    "42",
    "h",
    "...",
    "resign",
    "2000-03-01",
    "https://example.org/h8",
    "8 . . . . . . . X . . . . . . .",
    "a b c d e f g h i j k l m n o",
    "h8 " * 80,
]

MISSPELT = [
    ("p3", "p3: there is no letter p; letters run from a to o."),
    ("h16", "h16: there is no row 16; letter h has rows 1 to 15."),
    ("8h", "8h: the letter comes first; write h8."),
    ("h 8", "h 8: a cell is written without a space; write h8."),
    ("h8 i9 g7 a1", "h8 i9 g7 a1: that is 4 cells; a move is one stone on one cell."),
    ("pass", "pass: nobody passes in Gomoku; a move is a stone on one cell, such as h8."),
]

TWO = "takes Black (black), or lays a white stone and stays White, or a white and a black one"

NOT_NOW = [
    (0, "h8", "h8: that is 1 cell; now first lays three stones, black, white and black, as in h8 i9 g7."),
    (0, "h8 h8 g7", "h8 h8 g7: one cell stands there twice; each stone needs a cell of its own."),
    (0, "black", "black: first lays three stones, black, white and black, as in h8 i9 g7."),
    (1, "h8", "h8 is taken (a black stone, move 1)."),
    (1, "a1 a2 a3", f"a1 a2 a3: that is 3 cells; now second {TWO}."),
    (2, "a1 a2", "a1 a2: that is 2 cells; now White lays one stone on an empty cell."),
    (2, "black", "black: sides are settled; now White lays one stone on an empty cell."),
    (2, "swap", "swap: this game is played without the pie rule."),
    (
        ["h8 i9 g7", "a1 a2"],
        "b1 b2",
        "b1 b2: that is 2 cells; now first takes Black (black), or lays a white stone and is White.",
    ),
]

GOMOKU = Lines(
    start=RULES["gomoku"].start(),
    game=GAME,
    moments=(0, 1, 4),
    spellings=SPELLINGS,
    prose=PROSE,
    misspelt=MISSPELT,
    not_now=NOT_NOW,
    alphabet="abghoHIG12579 ,.-blackx?é\u00a0",
)
