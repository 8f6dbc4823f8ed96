"""Lines that players of Reversi write, and what each is: a ply, prose, or a slip that gets its reason."""

from __future__ import annotations

from rules import RULES
from tests.rules.lines import Lines

GAME = ("d6", "c4", "e3", "f6", "e6")

SPELLINGS = [
    ("d6", "d6"),
    ("D6", "d6"),
    ("  h8  ", "h8"),
    ("H8.", "h8"),
    ("d6!", "d6"),
    ("d6,", "d6"),
    ("d06", "d6"),
]

PROSE = [
    "",
    "Thanks Ben",
    "I like d6",
    "move 7: d6",
    "d6 is a good move",
    "d6 please",
    "let us swap",
    "no pass",
    "42",
    "7",
    "g",
    "o",
    "...",
    "resign",
    "12 first d6",
    "2024-03-01",
    "5 . . . O X . . .",
    "a b c d e f g h",
    "d6 " * 80,
]

MISSPELT = [
    ("j3", "j3: there is no letter j; letters run from a to h."),
    ("a9", "a9: there is no row 9; letter a has rows 1 to 8."),
    ("d0", "d0: there is no row 0; letter d has rows 1 to 8."),
    ("6d", "6d: the letter comes first; write d6."),
    ("d 6", "d 6: a cell is written without a space; write d6."),
    ("d-6", "d-6: a cell is written without other signs; write d6."),
    ("d6?", "d6?: a cell is written without other signs; write d6."),
    ("de6", "de6: a cell is one letter and one number."),
    ("d6 c5", "d6 c5: that is 2 cells; a move is one stone on one cell."),
    ("d6-c5", "d6-c5: that is 2 cells; a move is one stone on one cell."),
    ("black d6", "black d6: whose turn it is says which colour is laid; write d6 alone."),
    ("d6 X", "d6 x: whose turn it is says which colour is laid; write d6 alone."),
    ("pass", "pass: nobody passes in Reversi; a move is a stone on one cell, such as d5."),
]

NEAREST = "the nearest cell that may be played is"

NOT_NOW = [
    (0, "d5", "d5 is taken (a white disc)."),
    (0, "e5", "e5 is taken (a black disc)."),
    (1, "d6", "d6 is taken (a black disc)."),
    (0, "c4", f"c4 encloses no disc of the other colour; {NEAREST} c5."),
    (0, "a1", f"a1 encloses no disc of the other colour; {NEAREST} c5."),
    (1, "swap", "swap: this game is played without the pie rule."),
]

REVERSI = Lines(
    start=RULES["reversi"].start(),
    game=GAME,
    moments=(0, 1, 5),
    spellings=SPELLINGS,
    prose=PROSE,
    misspelt=MISSPELT,
    not_now=NOT_NOW,
    alphabet="adehADEH014689 ,.-swapoxOX?é\u00a0",
)
