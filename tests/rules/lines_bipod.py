"""Lines that players of Bipod write, and what each is: a ply, prose, or a slip that gets its reason."""

from __future__ import annotations

from rules import RULES
from tests.rules.lines import Lines

GAME = ("f2 f4 g3", "e5 g1", "f6 h2 i1", "E1", "F2", "mo1 n2", "adopt", "k3 o", "x4", "y3 O")
"""The beginning of the game in the authors' post."""

SPELLINGS = [
    ("f2 f4 g3", "f2 f4 g3"),
    ("  f2   f4\tg3 ", "f2 f4 g3"),
    ("f2,f4,g3", "f2 f4 g3"),
    ("f2, f4 , g3", "f2 f4 g3"),
    ("g3 f4 f2", "g3 f4 f2"),
    ("f2 f4 g3.", "f2 f4 g3"),
    ("f2 f4 g3!", "f2 f4 g3"),
    ("F2", "F2"),
    ("mo1", "m1 o1"),
    ("mo1 n2", "m1 o1 n2"),
    ("mo1n2", "m1 o1 n2"),
    ("e13f2", "e1 e3 f2"),
    ("e13f2 mo1", "e1 e3 f2 m1 o1"),
    ("ko3", "k3 o3"),
    ("kO1", "k1 O1"),
    ("adopt", "adopt"),
    ("Adopt", "adopt"),
    ("ADOPT!", "adopt"),
    ("k3 o", "k3 o"),
    ("k3o", "k3 o"),
    ("k3O", "k3 O"),
    ("k3,o", "k3 o"),
    ("y3   O", "y3 O"),
]

PROSE = [
    "",
    "Thanks Bill",
    "Thanks, I like f2",
    "Bill: f2 f4",
    "move 7: f2",
    "and g1 g3",
    "f2 is a good move",
    "f2 and f4 look strong",
    "f2 and",
    "B4 we",
    "f2 white blocks",
    "B4 we begin: hello",
    "I adopt",
    "adopt a kitten",
    "please adopt",
    "42",
    "10 first y3 O",
    "2004-06-27",
    "https://example.org/g1",
    "x",
    "o",
    "...",
    "resign",
    "show",
    "abcdefghijklmnopqrstuvwxyzABCDEFG",
    ": : : x x @ x x . . . Q . . . x :   1",
    "f2 " * 80,
]

MISSPELT = [
    ("f7", "f7: there is no row 7; column f has rows 2, 4 and 6."),
    ("f0", "f0: there is no row 0; column f has rows 2, 4 and 6."),
    ("n1", "n1: column n has rows 2, 4 and 6, and row 1 has m1 and o1 beside it."),
    ("mn1 o2", "n1: column n has rows 2, 4 and 6, and row 1 has m1 and o1 beside it (mn1 means m1 n1)."),
    ("f12", "f1: column f has rows 2, 4 and 6, and row 1 has e1 and g1 beside it (f12 means f1 f2)."),
    ("a2", "a2: column a has row 1 alone, and row 2 has b2 beside it."),
    ("b4", "b4: column b has row 2 alone, and row 4 runs from d4 to D4; B4 is a cell."),
    ("K3", "K3: there is no column K, columns run from a to z and A to G; k3 is a cell."),
    ("F6", "F6: column F has row 2 alone, and row 6 runs from f6 to B6; f6 is a cell."),
    ("H9", "H9: there is no column H, columns run from a to z and A to G."),
    ("f2 f4 g", "g: the row is missing; column g has rows 1, 3 and 5."),
    (
        "f2 f4 o",
        "f2 f4 o: a colour goes with one cell alone; Runner lays one stone a move; or, if o is a column, add"
        " its row: column o has rows 1, 3 and 5.",
    ),
    (
        "mo3 o",
        "mo3 o: a colour goes with one cell alone; Runner lays one stone a move; or, if o is a column, add"
        " its row: column o has rows 1, 3 and 5.",
    ),
    ("f2 f4 O", "f2 f4 O: a colour goes with one cell alone; Runner lays one stone a move."),
    (
        "j4 x",
        "j4 x: a block has no colour; write j4 alone; or, if x is a column, add its row: column x has rows 2,"
        " 4 and 6.",
    ),
    ("j4 X", "j4 X: a block has no colour; write j4 alone."),
    ("j4 White", "j4 White: a block has no colour, and Runner's are o and O; write j4, j4 o or j4 O."),
    ("j5 white", "j5: column j has rows 2, 4 and 6, and row 5 has i5 and k5 beside it."),
    ("k3-o", "k3-o: put a space between cell and colour; write k3 o."),
    ("k3 (O)", "k3 (O): put a space between cell and colour; write k3 O."),
    ("k4-o", "k4: column k has rows 1, 3 and 5, and row 4 has j4 and l4 beside it."),
    ("f2, f4 and g3", "f2 f4 and g3: put a space or a comma between cells; write f2 f4 g3."),
    ("f2 und f4", "f2 und f4: put a space or a comma between cells; write f2 f4."),
    ("f2 adopt", "f2 adopt: adopt is a move of its own, without blocks; write adopt alone, or the blocks."),
    ("f2 K", "K: there is no column K, columns run from a to z and A to G."),
    ("f2 4", "4: the column is missing; write f4 if column f is meant."),
    ("2f 4f", "2f 4f: the letter comes first; write f2 f4."),
    ("k 3", "k 3: a cell is written without a space; write k3."),
    ("f2-f4", "f2-f4: put a space or a comma between cells; write f2 f4."),
    ("f2 & f4", "f2 & f4: put a space or a comma between cells; write f2 f4."),
    ("(f2)", "(f2): a cell is written without other signs; write f2."),
    ("f2?", "f2?: a cell is written without other signs; write f2."),
    ("adopt f2", "adopt f2: adopt is a move of its own, without blocks; write adopt alone, or the blocks."),
    ("o k3", "o k3: the cell comes first, then the colour; write k3 o."),
    ("k3 0", "k3 0: a colour is a letter, not a zero; write k3 o or k3 O."),
    ("k3 o m3", "m3 after o: a move with a colour is one cell and that colour."),
    ("k3 m3o", "k3 m3 o: a colour goes with one cell alone; Runner lays one stone a move."),
]

NOT_NOW = [
    (2, "g1", "g1 is taken (a block, move 2)."),
    (2, "k1", "k1 is taken (the left start)."),
    (2, "w1", "w1 is taken (the right start)."),
    (9, "k3 O", "k3 is taken (Runner's o, move 8)."),
    (10, "y3", "y3 is taken (Runner's O, move 10)."),
    (5, "F2", "F2 is taken (a block, move 5)."),
    (4, "G1 F2 G1", "G1 is in this move twice; each cell takes one block."),
    (5, "G1", "G1 is cut off from both starts; the nearest cell still open is C1."),
    (4, "F2 G1", "G1 is cut off from both starts once F2 is blocked; the nearest cell still open is C1."),
    (
        0,
        "f2 f4 g3 g5",
        "f2 f4 g3 g5: that is 4 cells in one move; now a move is 1 to 3 blocks, or adopt.",
    ),
    (
        0,
        "k3 o",
        "k3 o: nobody has adopted yet, so there is no Runner; now a move is 1 to 3 blocks, or adopt.",
    ),
    (
        7,
        "k3",
        "k3: Runner's stone needs its colour; write k3 o for the left start's (@)"
        " or k3 O for the right start's (Q).",
    ),
    (7, "f2", "f2 is taken (a block, move 1)."),
    (
        7,
        "k3 m3",
        "k3 m3: that is 2 cells in one move; now Runner lays one stone, a cell and its colour, o or O.",
    ),
    (
        7,
        "adopt",
        "adopt was said already, in move 7; now Runner lays one stone, a cell and its colour, o or O.",
    ),
    (8, "m3 o", "m3 o: it is Blocker's move, and a block has no colour; write m3 alone."),
    (8, "m3 m5", "m3 m5: that is 2 cells in one move; now Blocker lays one block, a cell alone."),
    (
        8,
        "adopt",
        "adopt was said already, in move 7; now Blocker lays one block, a cell alone.",
    ),
]

BIPOD = Lines(
    start=RULES["bipod"].start(),
    game=GAME,
    moments=(0, 7, 8),
    spellings=SPELLINGS,
    prose=PROSE,
    misspelt=MISSPELT,
    not_now=NOT_NOW,
    alphabet="abkmoxAFGO0123456789 ,.-oO?é\u00a0",
    spelt_on=RULES["bipod"].start({"size": "7"}),
)
