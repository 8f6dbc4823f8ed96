"""Lines that players of Havannah write, and what each is: a ply, prose, or a slip that gets its reason."""

from __future__ import annotations

from tests.rules.lines_joining import joining

LATE = "swap: sides are exchanged on move 2 or not at all; now {} lays one stone on an empty cell."

HAVANNAH = joining(
    "havannah",
    ("h8", "j9", "c3"),
    [
        ("p4", "p4: there is no letter p; letters run from a to o."),
        ("a14", "a14: letter a has rows 1 to 8, and row 14 runs from g14 to o14."),
        ("h16", "h16: there is no row 16; letter h has rows 1 to 15."),
    ],
    [
        (
            1,
            "h8",
            "h8 is taken (a white stone, move 1); the word swap makes it yours, and g7, g8, h7, h9, i8 and i9"
            " beside it are empty.",
        ),
        (2, "j9", "j9 is taken (a black stone, move 2); beside it i8, i9, j8, j10, k9 and k10 are empty."),
        (0, "swap", LATE.format("White")),
        (2, "swap", LATE.format("White")),
        (["h8", "swap"], "swap", LATE.format("Black")),
    ],
)
