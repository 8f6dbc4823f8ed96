"""Lines that players of Atoll write, and what each is: a ply, prose, or a slip that gets its reason."""

from __future__ import annotations

from tests.rules.lines_joining import joining

LATE = "swap: sides are exchanged on move 2 or not at all; now {} lays one stone on an empty cell."

ATOLL = joining(
    "atoll",
    ("g6", "h7", "c3"),
    [
        ("o4", "o4: there is no letter o; letters run from a to n."),
        ("a9", "a9: letter a has rows 1 to 2, and row 9 runs from e9 to m9."),
        ("g12", "g12: there is no row 12; letter g has rows 1 to 11."),
    ],
    [
        (
            1,
            "g6",
            "g6 is taken (a black stone, move 1); the word swap makes it yours, and f5, f6, g5, g7, h6 and h7"
            " beside it are empty.",
        ),
        (2, "h7", "h7 is taken (a white stone, move 2); beside it g7, h6, h8, i7 and i8 are empty."),
        (0, "swap", LATE.format("Black")),
        (2, "swap", LATE.format("Black")),
        (["g6", "swap"], "swap", LATE.format("White")),
    ],
)
