"""Lessons of Havannah, on the smallest board."""

from rules.lesson import Lesson, Wrong

_SMALL = {"size": "4"}

LESSONS = (
    Lesson(
        title="Build a bridge",
        teaches=(
            "A group of stones that touches two of the six corner cells is a bridge, and a bridge wins. The "
            "corners of this board are its six outermost cells. Your stones hold two of them."
        ),
        question="You are White (O). Which stone makes a bridge?",
        options=_SMALL,
        moves=("b1", "d5", "a1", "e5", "d1", "c5"),
        claim="ends",
        right={"c1": "a1, b1, c1 and d1 are one group now, from one corner to another."},
        wrong={"c2": Wrong("c2 does not touch d1, so the way from b1 to the corner stays open.")},
        others=Wrong("Your two corners stay apart."),
        hint="The two corners lie in the lowest row.",
    ),
    Lesson(
        title="Build a fork",
        teaches=(
            "A group that touches three of the six sides is a fork, and it wins too. A corner belongs to no "
            "side. Your lower stones touch the bottom and the lower left side; those above them touch the "
            "upper left side."
        ),
        question="You are White (O). Which stone makes a fork?",
        options=_SMALL,
        moves=("b1", "a3", "a2", "d5", "b2", "e5", "b5", "e4", "b4", "f5"),
        claim="ends",
        right={"b3": "It joins both groups: b1 is at the bottom, a2 and b5 are at the two left sides."},
        wrong={"c3": Wrong("c3 touches your lower stones, but not those above.")},
        others=Wrong("Your two groups stay apart, so none of them touches three sides."),
        hint="One cell touches both of your groups.",
    ),
    Lesson(
        title="Close a ring",
        teaches=(
            "A group that goes all round a cell is a ring, and it wins as well. What lies inside does not "
            "matter: nothing, a stone of the other's, or your own. Here it is a black stone."
        ),
        question="You are White (O). Which stone closes the ring?",
        options=_SMALL,
        moves=("c3", "d4", "c4", "f6", "d3", "c5", "d5", "f5", "e5", "d2"),
        claim="ends",
        right={"e4": "Six white stones in one group lie all round d4."},
        wrong={"f4": Wrong("f4 touches your stones at e5 alone, and d4 still has a way out.")},
        others=Wrong("The black stone inside still has a way out."),
        hint="Five of the six cells round the black stone are yours.",
    ),
    Lesson(
        title="Look at all three figures",
        teaches=(
            "Before each move, see whether the other threatens a bridge, a fork or a ring. White has two "
            "corners at the right and one stone between them."
        ),
        question="You are Black (X). Where do you stop White?",
        options=_SMALL,
        moves=("d1", "c4", "e2", "d4", "g4"),
        claim="stops",
        right={"f3": "It was the last cell between the corners d1 and g4."},
        others=Wrong("White joins the two corners at once.", "f3"),
        hint="White's threat runs along the lower right side.",
    ),
)
