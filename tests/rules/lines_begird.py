"""Lines that players of Begird write, and what each is: a ply, prose, or a slip that gets its reason."""

from __future__ import annotations

from rules import RULES
from tests.rules.lines import Lines

GAME = ("j9", "swap")

SPELLINGS = [
    ("q14", "q14"),
    ("Q14", "q14"),
    ("  q14 ", "q14"),
    ("q14.", "q14"),
    ("q14!", "q14"),
    ("q14,", "q14"),
    ("j09", "j9"),
    ("swap", "swap"),
    ("Swap", "swap"),
    ("SWAP!", "swap"),
    (" swap. ", "swap"),
]

PROSE = [
    "",
    "Thanks Mark",
    "j9 is mine",
    "I play j9",
    "move 7: j9",
    "White: j9",
    "swap sides with me",
    "I swap",
    "pass the salt",
    "B4 we begin: hello",
    "j 9 lives",
    "j",
    "42",
    "1-0",
    "2008-01-02",
    "https://example.org/j9",
    "resign",
    "a b c d e f g h i j",
    "A A A 9 9 9 8 8 8   \\ l",
    "9    . . . X . . . . O . . . . . . . . .",
    "q14 " * 80,
]

MISSPELT = [
    ("s4", "s4: there is no letter s; letters run from a to r."),
    ("Z9", "z9: there is no letter z; letters run from a to r."),
    ("j19", "j19: there is no row 19; letter j has rows 1 to 18."),
    ("j0", "j0: there is no row 0; letter j has rows 1 to 18."),
    ("j1234", "j1234: there is no row 1234; letter j has rows 1 to 18."),
    ("a14", "a14: letter a has rows 1 to 9, and row 14 runs from f14 to r14."),
    ("r1", "r1: letter r has rows 9 to 18, and row 1 runs from a1 to j1."),
    ("9j", "9j: the letter comes first; write j9."),
    ("14 q", "14 q: the letter comes first; write q14."),
    ("j 9", "j 9: a cell is written without a space; write j9."),
    ("j-9", "j-9: a cell is written without other signs; write j9."),
    ("(j9)", "(j9): a cell is written without other signs; write j9."),
    ("j9?", "j9?: a cell is written without other signs; write j9."),
    ("j1O", "j1o: after the letter come digits alone; write j10 if that is meant."),
    ("jl8", "jl8: after the letter come digits alone; write j18 if that is meant."),
    ("jk9", "jk9: a cell is one letter and one number."),
    ("j9 k9", "j9 k9: that is 2 cells; a move is one stone on one cell."),
    ("j9, k9, l9", "j9 k9 l9: that is 3 cells; a move is one stone on one cell."),
    ("j9k9", "j9k9: that is 2 cells; a move is one stone on one cell."),
    ("j9-k9", "j9-k9: that is 2 cells; a move is one stone on one cell."),
    ("j9 4", "j9 4: a move is one cell alone on its line."),
    ("j9 & k9", "j9 & k9: that is 2 cells; a move is one stone on one cell."),
    ("j9, k9 and l9", "j9 k9 and l9: that is 3 cells; a move is one stone on one cell."),
    ("j9-o", "j9-o: whose turn it is says which colour is laid; write j9 alone."),
    ("black j9", "black j9: whose turn it is says which colour is laid; write j9 alone."),
    ("j9 X", "j9 x: whose turn it is says which colour is laid; write j9 alone."),
    ("j9 swap", "j9 swap: swap is a move of its own; write swap alone, or j9."),
    ("swap j9", "swap j9: swap is a move of its own; write swap alone, or j9."),
    ("pass", "pass: nobody passes in Begird; a move is a stone on one cell, such as j10."),
]

NOT_NOW = [
    (
        ["j9"],
        "j9",
        "j9 is taken (a black stone, move 1); the word swap makes it yours, and"
        " i8, i9, j8, j10, k9 and k10 beside it are empty.",
    ),
    (
        ["j9", "j10"],
        "j10",
        "j10 is taken (a white stone, move 2); beside it i9, i10, j11, k10 and k11 are empty.",
    ),
    (["a1", "b1", "a2", "q14"], "a1", "a1 is taken (a black stone, move 1); beside it b2 is empty."),
    (
        ["a1", "b1", "a2", "b2"],
        "A1",
        "a1 is taken (a black stone, move 1); the nearest empty cell is a3.",
    ),
    (
        ["j9", "swap", "k9"],
        "k9",
        "k9 is taken (a white stone, move 3); beside it j8, k8, k10, l9 and l10 are empty.",
    ),
    (
        [],
        "swap",
        "swap: sides are exchanged on move 2 or not at all; now Black lays one stone on an empty cell.",
    ),
    (
        ["j9", "k9"],
        "swap",
        "swap: sides are exchanged on move 2 or not at all; now Black lays one stone on an empty cell.",
    ),
    (
        ["j9", "swap"],
        "swap",
        "swap: sides are exchanged on move 2 or not at all; now White lays one stone on an empty cell.",
    ),
]

BEGIRD = Lines(
    start=RULES["begird"].start(),
    game=GAME,
    moments=(0, 1, 2),
    spellings=SPELLINGS,
    prose=PROSE,
    misspelt=MISSPELT,
    not_now=NOT_NOW,
    alphabet="abjkrsxX0129loIO -.,!()#\\",
)
