"""Lessons of Hex, on small boards."""

from rules.lesson import Lesson, Wrong

_FIVE = {"size": "5"}
_FOUR = {"size": "4"}
_THREE = {"size": "3"}

LESSONS = (
    Lesson(
        title="Join your two sides",
        teaches=(
            "Black joins the top and the bottom, White the left and the right. Your stones come down from "
            "the top and up from the bottom here, and one cell keeps them apart."
        ),
        question="You are Black (X). Which stone joins top and bottom?",
        options=_FIVE,
        moves=("c5", "b3", "c4", "d4", "d2", "c2", "c1", "b1", "d3", "b2"),
        claim="ends",
        right={"c3": "It touches c4 and d3, so one group of yours goes from the top to the bottom."},
        wrong={"e4": Wrong("e4 touches d3, but your stones at the top are not joined with it yet.")},
        others=Wrong("Your stones at the top and those at the bottom stay two groups."),
        hint="Look for a cell that touches both of your groups.",
    ),
    Lesson(
        title="A bridge holds",
        teaches=(
            "Your stones c4 and b2 have two empty neighbours in common: together they are a bridge. If "
            "White takes one of the two, you take the other. White has just played b3."
        ),
        question="You are Black (X). How do you answer b3?",
        options=_FOUR,
        moves=("c4", "a1", "b2", "b3"),
        claim="wins",
        right={
            "c3": "c4, c3 and b2 are one group. b1 leads on to the bottom and so does c2, and White can "
            "stop one of them alone."
        },
        wrong={
            "c2": Wrong("White takes the second cell of the bridge, and your stones are cut apart.", "c3")
        },
        others=Wrong("White takes the second cell of the bridge, and your stones are cut apart."),
        hint="The bridge had two cells. One of them is still empty.",
    ),
    Lesson(
        title="Swap a strong first stone",
        teaches=(
            "The first stone is worth much. So on move 2 the other player may write swap, and then the "
            "players exchange the colours. Here Black has begun in the very middle."
        ),
        question="It is move 2. What do you play?",
        options=_THREE,
        moves=("b2",),
        claim="wins",
        right={"swap": "The stone on b2 is yours. Two ways lead from it to the top and two to the bottom."},
        others=Wrong("From the middle two ways lead to each of Black's sides. Black wins."),
        hint="Would you rather have the stone in the middle, or the next move?",
    ),
    Lesson(
        title="Stop a chain before the edge",
        teaches=(
            "Black's chain is nearly down. A stone that stops it must do two things: bar the way to the "
            "bottom, and lead on to both of your own sides. Your stone c2 has two ways to the right."
        ),
        question="You are White (O). Where do you stop Black?",
        options=_FOUR,
        moves=("b3", "c2", "d4"),
        claim="wins",
        right={
            "b2": "b2 and c2 are one group. It has two ways to the left, a1 and a2, and two to the right.",
            "a1": "a1 lies at the left side and is a bridge away from c2. So your wall stands already.",
        },
        wrong={
            "b1": Wrong("Black comes down on the left of your stones.", "a1"),
            "a2": Wrong("Black goes through between your stones.", "b2"),
        },
        others=Wrong("Black goes on to the bottom on the left of your stone."),
        hint="Your new stone should belong to c2, at once or by a bridge.",
    ),
)
