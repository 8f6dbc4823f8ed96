"""Lines that players of Bounders write, and what each is: a ply, prose, or a slip that gets its reason."""

from __future__ import annotations

from rules import RULES
from tests.rules.lines import Lines

GAME = ("g7", "i9", "h8", "g9", "f5")

NEAREST = "it needs as many of each; the nearest cell that may be played is"

SPELLINGS = [
    ("g7", "g7"),
    ("G7", "g7"),
    ("  m13  ", "m13"),
    ("M13.", "m13"),
    ("g7!", "g7"),
    ("g7,", "g7"),
    ("g07", "g7"),
    ("swap", "swap"),
    ("Swap", "swap"),
    ("SWAP!", "swap"),
    (" swap. ", "swap"),
]

PROSE = [
    "",
    "Thanks Alek",
    "I like g7",
    "Alek: g7",
    "move 7: g7",
    "g7 is a good move",
    "g7 please",
    "let us swap",
    "swap it",
    "adopt",
    "no pass",
    "42",
    "7",
    "g",
    "o",
    "...",
    "resign",
    "12 first g7",
    "2024-03-01",
    "https://example.org/g7",
    "7   . . . . - O - . . . . . .",
    "   4   . . . X . . . . . . \\ l",
    "a b c d e f g",
    "\\ \\ \\ \\ \\ \\ \\ h",
    "g7 " * 80,
]

MISSPELT = [
    ("n3", "n3: there is no letter n; letters run from a to m."),
    ("Z9", "z9: there is no letter z; letters run from a to m."),
    ("a9", "a9: letter a has rows 1 to 7, and row 9 runs from c9 to m9."),
    ("m1", "m1: letter m has rows 7 to 13, and row 1 runs from a1 to g1."),
    ("h1", "h1: letter h has rows 2 to 13, and row 1 runs from a1 to g1."),
    ("g14", "g14: there is no row 14; letter g has rows 1 to 13."),
    ("g77", "g77: there is no row 77; letter g has rows 1 to 13."),
    ("g0", "g0: there is no row 0; letter g has rows 1 to 13."),
    ("7g", "7g: the letter comes first; write g7."),
    ("7 g", "7 g: the letter comes first; write g7."),
    ("g 7", "g 7: a cell is written without a space; write g7."),
    ("g-7", "g-7: a cell is written without other signs; write g7."),
    ("(g7)", "(g7): a cell is written without other signs; write g7."),
    ("g7?", "g7?: a cell is written without other signs; write g7."),
    ("gl0", "gl0: after the letter come digits alone; write g10 if that is meant."),
    ("g1O", "g1o: after the letter come digits alone; write g10 if that is meant."),
    ("gh7", "gh7: a cell is one letter and one number."),
    ("g7 h8", "g7 h8: that is 2 cells; a move is one stone on one cell."),
    ("g7,h8", "g7 h8: that is 2 cells; a move is one stone on one cell."),
    ("g7-h8", "g7-h8: that is 2 cells; a move is one stone on one cell."),
    ("g7 g8 g9", "g7 g8 g9: that is 3 cells; a move is one stone on one cell."),
    ("g7 7", "g7 7: a move is one cell alone on its line."),
    ("light g7", "light g7: whose turn it is says which colour is laid; write g7 alone."),
    ("g7 X", "g7 x: whose turn it is says which colour is laid; write g7 alone."),
    ("swap g7", "swap g7: swap is a move of its own; write swap alone, or g7."),
    ("g7 swap", "g7 swap: swap is a move of its own; write swap alone, or g7."),
    ("pass", "pass: nobody passes in Bounders; a move is a stone on one cell, such as g7."),
    ("Pass.", "pass: nobody passes in Bounders; a move is a stone on one cell, such as g7."),
]

LATE = (
    "swap: sides are exchanged on move 2 or not at all;"
    " now {} lays a stone on a cell that touches as many light as dark stones."
)

NOT_NOW = [
    (1, "g7", "g7 is taken (a light stone, move 1)."),
    (1, "G7", "g7 is taken (a light stone, move 1)."),
    (2, "i9", "i9 is taken (a dark stone, move 2)."),
    (5, "g9", "g9 is taken (a dark stone, move 4)."),
    (1, "g8", f"g8 touches 1 light and no dark stones; {NEAREST} g9."),
    (1, "f6", f"f6 touches 1 light and no dark stones; {NEAREST} e6."),
    (2, "j9", f"j9 touches no light and 1 dark stones; {NEAREST} k10."),
    (5, "g8", f"g8 touches 2 light and 1 dark stones; {NEAREST} e8."),
    (0, "swap", LATE.format("Light")),
    (2, "swap", LATE.format("Light")),
    (5, "swap", LATE.format("Dark")),
]

BOUNDERS = Lines(
    start=RULES["bounders"].start(),
    game=GAME,
    moments=(0, 1, 5),
    spellings=SPELLINGS,
    prose=PROSE,
    misspelt=MISSPELT,
    not_now=NOT_NOW,
    alphabet="agmnGM01379 ,.-swapoxOX?é\u00a0",
)
