"""Lines that players of Bagel write, and what each is: a ply, prose, or a slip that gets its reason."""

from __future__ import annotations

from rules import RULES
from tests.rules.lines import Lines

GAME = ("c4", "c3 d3", "a2 b3", "e3 e6")
"""The opening in the designer's text, on a layout that allows it."""

SPELLINGS = [
    ("c4", "c4"),
    ("C4", "c4"),
    ("  c4 ", "c4"),
    ("c4.", "c4"),
    ("c4!", "c4"),
    ("c04", "c4"),
    ("c3 d3", "c3 d3"),
    ("d3 c3", "c3 d3"),
    ("e6 e3", "e3 e6"),
    ("c3,d3", "c3 d3"),
    ("C3, D3", "c3 d3"),
    ("c3 ,  d3.", "c3 d3"),
    ("c3d3", "c3 d3"),
    ("D3C3", "c3 d3"),
    ("swap", "swap"),
    ("Swap", "swap"),
    ("SWAP!", "swap"),
]

PROSE = [
    "",
    "Thanks Phil",
    "Thanks, I like c4",
    "Phil: c4",
    "move 7: c4",
    "c4 is a good move",
    "c4 or d5 next",
    "B4 we begin: hello",
    "swap with you?",
    "I swap",
    "please pass the butter",
    "42",
    "10 first c4",
    "2004-06-27",
    "https://example.org/g1",
    "b",
    "b g c r",
    "O",
    "...",
    "resign",
    "show",
    "3   b g c O b r \\",
    "2   c r b g c \\ g",
    "\\ \\ \\ \\ e",
    "a b c d",
    "White (O): c4 d5",
    "points           2       1",
    "c4 " * 80,
]

MISSPELT = [
    ("c7", "c7: letter c has rows 1 to 6, and row 7 runs from d7 to g7."),
    ("f1", "f1: letter f has rows 3 to 7, and row 1 runs from a1 to d1."),
    ("C8", "c8: there is no row 8; letter c has rows 1 to 6."),
    ("d0", "d0: there is no row 0; letter d has rows 1 to 3 and 5 to 7."),
    ("h3", "h3: there is no letter h; letters run from a to g."),
    ("O4", "o4: there is no letter o; letters run from a to g."),
    ("d4", "d4: there is no tile, it is the hole in the middle."),
    ("c3 d4", "d4: there is no tile, it is the hole in the middle."),
    ("pass", "pass: nobody passes in Bagel; who is to play places a disc, and who cannot ends the game."),
    ("Pass.", "pass: nobody passes in Bagel; who is to play places a disc, and who cannot ends the game."),
    (
        "c4 pass",
        "c4 pass: nobody passes in Bagel; who is to play places a disc, and who cannot ends the game.",
    ),
    ("swap c3", "swap c3: swap is a move of its own, without discs; write swap alone, or c3."),
    ("c3 d3 swap", "c3 d3 swap: swap is a move of its own, without discs; write swap alone, or c3 d3."),
    ("c3 d3 e3", "c3 d3 e3: that is 3 discs; a move is one disc or two."),
    ("c3d3e3f3", "c3 d3 e3 f3: that is 4 discs; a move is one disc or two."),
    ("4c", "4c: the letter comes first; write c4."),
    ("3c 3d", "3c 3d: the letter comes first; write c3 d3."),
    ("c 4", "c 4: a cell is written without a space; write c4."),
    ("c 3 d 3", "c 3 d 3: a cell is written without a space; write c3 d3."),
    ("cd3", "cd3: a cell is one letter and one digit, as in c4; write c3 d3 if both are meant."),
    ("c34", "c34: a cell is one letter and one digit, as in c4; write c3 c4 if both are meant."),
    ("c3 e36", "e36: a cell is one letter and one digit, as in c4; write e3 e6 if both are meant."),
    ("cde345", "cde345: a cell is one letter and one digit, as in c4."),
    ("c3-d3", "c3-d3: cells are written with a space between them; write c3 d3."),
    ("c3/d3", "c3/d3: cells are written with a space between them; write c3 d3."),
    ("c3 and d3", "c3 and d3: put a space between two cells; write c3 d3."),
    ("c3 + d3", "c3 + d3: put a space between two cells; write c3 d3."),
    ("(c4)", "(c4): a cell is written without other signs; write c4."),
    ("c4?", "c4?: a cell is written without other signs; write c4."),
    ("c3 d", "d: the row is missing. Write it behind the letter, as in d1."),
    ("c3 y", "y: there is no letter y; letters run from a to g."),
    ("c3 x", "c3 x: whose turn it is says whose disc is placed; write c3 alone."),
    ("c4 white", "c4 white: whose turn it is says whose disc is placed; write c4 alone."),
    ("Black c4", "black c4: whose turn it is says whose disc is placed; write c4 alone."),
    ("c4-o", "c4-o: whose turn it is says whose disc is placed; write c4 alone."),
    ("c4, c5 and c6", "c4 c5 and c6: that is 3 discs; a move is one disc or two."),
    ("c3 5", "5: the letter is missing; write c5 if letter c is meant."),
    ("c3 %", "%: this is no cell; a cell is a letter from a to g and a row's digit, as in c4."),
]

NOT_NOW = [
    (0, "c3 d3", "c3 d3: the first move of the game is one disc; write c3 or d3."),
    (0, "swap", "swap: sides are exchanged on move 2 or not at all; now White places one disc, on any tile."),
    (
        2,
        "swap",
        "swap: sides are exchanged on move 2 or not at all;"
        " now White places one disc, or two on empty tiles of one suit in line.",
    ),
    (1, "c4", "c4 is taken (White's disc, move 1)."),
    (4, "C3", "c3 is taken (Black's disc, move 2)."),
    (4, "a1 a2", "a2 is taken (White's disc, move 3)."),
    (4, "e3 e6", "e3 is taken (Black's disc, move 4)."),
    (4, "d5 d5", "d5 is in this move twice; write d5 alone, or two different cells."),
    (
        4,
        "c5 d6",
        "c5 d6: c5 is a croissant and d6 a cup, and two discs go on one suit;"
        " c5 goes with a3, b4, c6, d5 or f5, d6 with d2.",
    ),
    (
        4,
        "a3 d5",
        "a3 d5: both are croissants, but in no row or diagonal together;"
        " a3 goes with b4 or c5, d5 with c5 or f5.",
    ),
]

BAGEL = Lines(
    start=RULES["bagel"].start({"layout": "gbcgrcgbbbrrcrcgrbrbcrrbbggrbgccccgg"}),
    game=GAME,
    moments=(0, 1, 4),
    spellings=SPELLINGS,
    prose=PROSE,
    misspelt=MISSPELT,
    not_now=NOT_NOW,
    alphabet="abcdefghxoABCDG0123456789 ,.-+/swap?é\u00a0",
)
