"""Lessons of Gonnect, on its smallest board."""

from rules.lesson import Lesson, Wrong

_SMALLEST = {"size": "5"}

LESSONS = (
    Lesson(
        title="Take stones",
        teaches=(
            "The empty cells beside a chain of stones, straight and not aslant, are its liberties. A stone "
            "that fills the last liberty of chains of the other colour takes all of them off the board."
        ),
        question="You are Black (X). Which stone takes most stones of White?",
        options=_SMALLEST,
        moves=("b1", "e2", "d1", "c1", "b2", "b5", "c3", "c2", "e1", "e5", "d3", "e4", "e3", "b4"),
        claim="most",
        measure="stones",
        right={"d2": "It was the last liberty of two chains: c1 and c2 to the left, and e2 to the right."},
        others=Wrong("That stone takes nothing."),
        hint="Three stones of White have one empty cell beside them, and all of them the same.",
    ),
    Lesson(
        title="Join two opposite edges",
        teaches=(
            "Whoever has a chain that touches two opposite edges wins: left and right, or bottom and top. "
            "Stones in your way may be taken, and the stone that takes them may be the last of your chain."
        ),
        question="You are Black (X). Which stone joins the bottom and the top?",
        options=_SMALLEST,
        moves=(
            "c4",
            "e5",
            "d3",
            "c1",
            "d2",
            "d1",
            "c5",
            "a5",
            "b1",
            "c3",
            "e3",
            "b4",
            "d4",
            "e1",
            "b2",
            "e2",
        ),
        claim="ends",
        right={"c2": "It joins your stones at the bottom with those at the top, and takes four as well."},
        others=Wrong("Your two groups are still apart."),
        hint="One cell lies beside stones of both your groups.",
    ),
    Lesson(
        title="Shut the way",
        teaches=(
            "Each player may join either pair of edges, so a chain that was stopped may go round. White "
            "has four stones in a row from the left edge here, and another one at the right edge below them."
        ),
        question="You are Black (X). White threatens to join left and right. Where do you stop that?",
        options=_SMALLEST,
        moves=("d5", "d2", "b1", "b4", "e4", "c4", "e2", "a1", "a3", "a4", "c5", "e3", "e5", "d4"),
        claim="stops",
        right={"d3": "The row is shut in on this side, and the stone at the right edge stays alone."},
        others=Wrong("White goes round your stone at the right edge and has won.", "d3"),
        hint="White needs one more stone. Lay yours on that cell.",
    ),
)
