"""Lines that players of Unlur write, and what each is: a ply, prose, or a slip that gets its reason."""

from __future__ import annotations

from tests.rules.lines_joining import joining

ADOPT = [("adopt", "adopt"), ("Adopt.", "adopt"), ("ADOPT!", "adopt")]
EDGE = "a1 is at the edge, where nobody lays a stone before somebody has said adopt."
LATE = "adopt: sides are settled; now {} lays one stone on an empty cell."

UNLUR = joining(
    "unlur",
    ("h8", "j9", "adopt", "c3"),
    [
        ("p4", "p4: there is no letter p; letters run from a to o."),
        ("a14", "a14: letter a has rows 1 to 8, and row 14 runs from g14 to o14."),
        ("h16", "h16: there is no row 16; letter h has rows 1 to 15."),
    ],
    [
        (1, "h8", "h8 is taken (a black stone, move 1); beside it g7, g8, h7, h9, i8 and i9 are empty."),
        (0, "a1", EDGE),
        (2, "a1", EDGE),
        (3, "adopt", LATE.format("White")),
        (4, "adopt", LATE.format("Black")),
        (1, "swap", "swap: this game is played without the pie rule."),
    ],
    words=ADOPT,
    prose=("I adopt the black side", "adopt it", "black is nice", "0-1"),
    misspelt=[("pass", "pass: nobody passes in Unlur; to be Black, write adopt.")],
)
