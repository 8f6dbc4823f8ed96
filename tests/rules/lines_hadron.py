"""Lines that players of Hadron write, and what each is: a ply, prose, or a slip that gets its reason."""

from __future__ import annotations

from rules import RULES
from tests.rules.lines import Lines

GAME = ("c3", "a1", "e1", "a5", "e5")

SPELLINGS = [
    ("c3", "c3"),
    ("C3", "c3"),
    ("  e5  ", "e5"),
    ("E5.", "e5"),
    ("c3!", "c3"),
    ("c3,", "c3"),
    ("c03", "c3"),
]

PROSE = [
    "",
    "Thanks Mark",
    "I like c3",
    "move 7: c3",
    "c3 is a good move",
    "let us swap",
    "no pass",
    "42",
    "7",
    "g",
    "...",
    "resign",
    "12 first c3",
    "2024-03-01",
    "5 . - O - .",
    "a b c d e",
    "c3 " * 80,
]

MISSPELT = [
    ("f3", "f3: there is no letter f; letters run from a to e."),
    ("a9", "a9: there is no row 9; letter a has rows 1 to 5."),
    ("3c", "3c: the letter comes first; write c3."),
    ("c 3", "c 3: a cell is written without a space; write c3."),
    ("c3?", "c3?: a cell is written without other signs; write c3."),
    ("c3 d3", "c3 d3: that is 2 cells; a move is one stone on one cell."),
    ("c3-d3", "c3-d3: that is 2 cells; a move is one stone on one cell."),
    ("c3 X", "c3 x: whose turn it is says which colour is laid; write c3 alone."),
    ("pass", "pass: nobody passes in Hadron; a move is a stone on one cell, such as c3."),
]

NEEDS = "it needs as many of each; the nearest cell that may be played is"

NOT_NOW = [
    (1, "c3", "c3 is taken (a red stone, move 1)."),
    (1, "c2", f"c2 touches 1 red and no blue stones; {NEEDS} b2."),
    (2, "a2", f"a2 touches no red and 1 blue stones; {NEEDS} a3."),
    (1, "swap", "swap: this game is played without the pie rule."),
]

HADRON = Lines(
    start=RULES["hadron"].start(),
    game=GAME,
    moments=(0, 1, 5),
    spellings=SPELLINGS,
    prose=PROSE,
    misspelt=MISSPELT,
    not_now=NOT_NOW,
    alphabet="aceACE01359 ,.-swapoxOX?é\u00a0",
)
