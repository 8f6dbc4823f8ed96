"""Lessons of Atoll, on the smallest board."""

from rules.lesson import Lesson, Wrong

_SMALL = {"size": "7"}

LESSONS = (
    Lesson(
        title="Join two islands that lie opposite",
        teaches=(
            "Islands 2, 4, 6 and 8 are Black's. Whoever joins two of their islands that lie exactly opposite "
            "has won: for Black 2 and 6, or 4 and 8. Your stones come down from island 2 and up from 6."
        ),
        question="You are Black (X). Which stone joins the two islands?",
        options=_SMALL,
        moves=("g7", "c4", "f6", "d5", "e5", "e4", "c3", "d3", "b2", "f3", "b1", "f2"),
        claim="ends",
        right={"d4": "It touches e5 and c3. One chain now leads from g7 at island 2 to b1 at island 6."},
        wrong={"g4": Wrong("g4 touches island 4, but none of your stones.")},
        others=Wrong("Your stones at island 2 and those at island 6 stay apart."),
        hint="One cell lies in a straight line between your two groups.",
    ),
    Lesson(
        title="Your islands are stones too",
        teaches=(
            "An island of yours joins all stones of yours that touch it, as if it were a stone. So a way may "
            "lead over a third island: from 2 to 4, and from 4 on to 6."
        ),
        question="You are Black (X). Which stone completes such a way?",
        options=_SMALL,
        moves=("g7", "f4", "g6", "e4", "e1", "d4", "d1", "b3", "g5", "c6", "c1", "e6"),
        claim="ends",
        right={
            "g4": "Your stones at the right now reach island 4. From e1 there the way goes on to island 6."
        },
        wrong={"f3": Wrong("f3 touches island 4, but not your stones that come from island 2.")},
        others=Wrong("No way leads from island 2 to island 4 yet."),
        hint="Your lower stones touch islands 4 and 6 already. What do the upper ones lack?",
    ),
    Lesson(
        title="Bar the other's way",
        teaches=(
            "White's islands are 1, 3, 5 and 7, and White needs 1 and 5, or 3 and 7. White's row comes from "
            "island 7, and one cell is missing before island 3."
        ),
        question="You are Black (X). Where do you stop White?",
        options=_SMALL,
        moves=("g5", "f4", "e6", "e4", "d2", "d4", "f2", "c4", "f6", "b4"),
        claim="stops",
        right={"g4": "From f4 no other cell leads to island 3, since g5 is yours."},
        others=Wrong("White's row reaches island 3.", "g4"),
        hint="Which cells beside White's last stone at the right touch island 3?",
    ),
)
