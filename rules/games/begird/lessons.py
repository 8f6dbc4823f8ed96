"""Lessons of Begird, on small triangles."""

from rules.lesson import Lesson, Wrong

_TRIANGLE = {"islands": "3", "side": "5"}
_SMALL = {"islands": "3", "side": "4"}
_NINE = {"islands": "9", "side": "4"}

LESSONS = (
    Lesson(
        title="Touch all three sides",
        teaches=(
            "On a board with three islands, each side of the triangle is one island. A group of stones"
            " that touches all three has won. Your group touches islands 1 and 3 here."
        ),
        question="You are Black (X). Which stone takes your group to island 2, at the bottom?",
        options=_TRIANGLE,
        moves=("c3", "c1", "d3", "c2", "e3", "d4", "d2", "e1"),
        claim="ends",
        right={"d1": "d1 is in the bottom row and touches d2, so your group has reached all three islands."},
        wrong={
            "b1": Wrong("b1 touches island 2, but White's c1 and c2 stand between it and your group."),
            "e2": Wrong("e2 touches island 1, where your group is already."),
        },
        others=Wrong("That stone does not take your group to island 2."),
        hint="A stone of the bottom row must also touch your group.",
    ),
    Lesson(
        title="Two stones that hold together",
        teaches=(
            "Two stones that share two empty neighbours are as good as joined: if the other takes one "
            "neighbour, you take the second. Your stones c3 and d2 stood so, and White has just played"
            " d3."
        ),
        question="You are Black (X). How do you answer d3?",
        options=_TRIANGLE,
        moves=("c3", "d4", "d2", "b1", "a1", "d3"),
        claim="wins",
        right={
            ("c2"): (
                "c3, c2 and d2 are one group now. It touches island 3, and has two ways each to "
                "islands 1 and 2."
            )
        },
        wrong={
            "e3": Wrong("d2 reaches island 1, but White takes c2 and cuts your stones apart.", "c2"),
            "c1": Wrong("d2 reaches island 2, but White takes c2 and cuts your stones apart.", "c2"),
        },
        others=Wrong("White now cuts your two stones apart."),
        hint="Your two stones had two neighbours in common. One of them is still empty.",
    ),
    Lesson(
        title="Stop a group in time",
        teaches=(
            "Black's c3 touches island 3, and b1 touches island 2. Joined, they need island 1 alone. "
            "Black does not threaten to win at once, but soon it will be too late."
        ),
        question="You are White (O). Where do you stop Black?",
        options=_TRIANGLE,
        moves=("c3", "d3", "b1"),
        claim="wins",
        right={
            ("c2"): "Only b2 can join Black's stones now. If Black plays there, you shut the way along"
            " the top by d4; if Black plays d4, you take b2."
        },
        wrong={
            "b2": Wrong("Black's stones are joined all the same, by c2, and go on to the right.", "c2"),
            "d2": Wrong("Your stones stand in a row, and Black goes round below them.", "d1"),
        },
        others=Wrong("Black's stones are soon one group, and you cannot stop it on its way to island 1."),
        hint="Two cells can join Black's stones. Take the one that also keeps them from the right.",
    ),
    Lesson(
        title="Swap a strong first stone",
        teaches=(
            "The first stone is worth much, so on move 2 the other player may write swap. Then the "
            "players exchange the colours, and the first stone is theirs. Here Black has begun at c2, "
            "in the middle."
        ),
        question="It is move 2. What do you play?",
        options=_SMALL,
        moves=("c2",),
        claim="wins",
        right={"swap": "The stone on c2 is yours, and it is near all three islands. With it you win."},
        others=Wrong("On this board no stone is good enough against one in the middle. Black wins."),
        hint="Would you rather have the stone in the middle, or the next move?",
    ),
    Lesson(
        title="Gird more than half",
        teaches=(
            "With nine islands round the board a group need not touch them all. Take the islands that "
            "it touches, and the shortest run of islands round the ring that holds them. A run of 6 of"
            " 9 wins; on the usual board it is 9 of 15."
        ),
        question="You are Black (X). Which stone makes the run long enough?",
        options=_NINE,
        moves=("c2", "d3", "c3", "d2", "b1", "d1"),
        claim="ends",
        right={
            ("d4"): (
                "The group touches islands 1, 5, 6, 8 and 9: the run from 5 to 1 has six, with 7 among them."
            ),
            ("c1"): (
                "The group touches islands 4, 5, 6, 8 and 9: the run from 4 to 9 has six, with 7 among them."
            ),
        },
        wrong={
            "b2": Wrong("b2 adds an island between those that you have, so the run is no longer than before.")
        },
        others=Wrong("The run from island 5 to island 9 stays as long as it was, at five."),
        hint="The run goes from island 5 to island 9. Make it longer at one of its two ends.",
    ),
)
