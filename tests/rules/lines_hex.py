"""Lines that players of Hex write, and what each is: a ply, prose, or a slip that gets its reason."""

from __future__ import annotations

from tests.rules.lines_joining import joining

LATE = "swap: sides are exchanged on move 2 or not at all; now {} lays one stone on an empty cell."

HEX = joining(
    "hex",
    ("f6", "g7", "c3"),
    [
        ("l4", "l4: there is no letter l; letters run from a to k."),
        ("a14", "a14: there is no row 14; letter a has rows 1 to 11."),
        ("f0", "f0: there is no row 0; letter f has rows 1 to 11."),
    ],
    [
        (
            1,
            "f6",
            "f6 is taken (a black stone, move 1); the word swap makes it yours, and e5, e6, f5, f7, g6 and g7"
            " beside it are empty.",
        ),
        (2, "g7", "g7 is taken (a white stone, move 2); beside it f7, g6, g8, h7 and h8 are empty."),
        (0, "swap", LATE.format("Black")),
        (2, "swap", LATE.format("Black")),
        (["f6", "swap"], "swap", LATE.format("White")),
    ],
)
