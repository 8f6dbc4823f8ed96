"""Lines that players of Gonnect write, and what each is: a ply, prose, or a slip that gets its reason."""

from __future__ import annotations

from rules import RULES
from tests.rules.lines import Lines

GAME = ("b3", "d2", "c2", "d4", "c4", "e3", "a5", "c3", "d3")

SPELLINGS = [
    ("c3", "c3"),
    ("C3", "c3"),
    ("  e5  ", "e5"),
    ("E5.", "e5"),
    ("c3!", "c3"),
    ("c3,", "c3"),
    ("c03", "c3"),
    ("swap", "swap"),
    ("SWAP!", "swap"),
]

PROSE = [
    "",
    "Thanks Joao",
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
    "5 . . X O X",
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
    ("swap c3", "swap c3: swap is a move of its own; write swap alone, or c3."),
    ("white c3", "white c3: whose turn it is says which colour is laid; write c3 alone."),
    ("pass", "pass: nobody passes in Gonnect; a move is a stone on one cell, such as c3."),
]

LATE = "swap: sides are exchanged on move 2 or not at all; now {} lays a stone that has a liberty."

NOT_NOW = [
    (1, "b3", "b3 is taken (a black stone, move 1)."),
    (9, "d3", "d3 is taken (a black stone, move 9)."),
    (9, "c3", "c3 would bring back an earlier board; the nearest cell that may be played is c5."),
    (0, "swap", LATE.format("Black")),
    (9, "swap", LATE.format("White")),
]

GONNECT = Lines(
    start=RULES["gonnect"].start({"size": "5"}),
    game=GAME,
    moments=(0, 1, 9),
    spellings=SPELLINGS,
    prose=PROSE,
    misspelt=MISSPELT,
    not_now=NOT_NOW,
    alphabet="aceACE01359 ,.-swapoxOX?é\u00a0",
)
