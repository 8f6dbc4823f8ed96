"""Lessons of Unlur, on its smallest board."""

from rules.lesson import Lesson, Wrong

_SMALL = {"size": "4"}

LESSONS = (
    Lesson(
        title="Black needs a Y",
        teaches=(
            "Black wins with one group that touches three sides of which no two meet: 1, 3 and 5, or 2, 4 "
            "and 6. A corner belongs to both of its sides. Your stones touch sides 1, 3 and 5, but as two "
            "groups."
        ),
        question="You are Black (X). Which stone makes a Y?",
        options=_SMALL,
        moves=(
            *("e5", "adopt", "b1", "e6", "c1", "e7", "f6", "e4", "c6", "f4"),
            *("b5", "f3", "g5", "c4", "d2", "b3", "f7", "a3", "c2"),
        ),
        claim="ends",
        right={
            "d4": "Your group touches side 1 at e7, side 3 at f3 and side 5 at a3.",
            "d5": "Your group touches side 1 at e7, side 3 at f3 and side 5 at a3.",
        },
        wrong={"d7": Wrong("That joins two opposite sides and no three: a line, with which Black loses.")},
        others=Wrong("Your two groups stay apart."),
        hint="Two cells touch both of your groups; either will do.",
    ),
    Lesson(
        title="White needs a line",
        teaches=(
            "White wins with one group that touches two opposite sides. Here White has stones at sides 5 "
            "and 2, which lie opposite."
        ),
        question="You are White (O). Which stone makes a line?",
        options=_SMALL,
        moves=(
            *("e5", "adopt", "d4", "d5", "a3", "f4", "b3"),
            *("c3", "c4", "b2", "f5", "e3", "g5", "d6"),
        ),
        claim="ends",
        right={"e4": "Your group goes from a3 at side 5 to g5 at side 2."},
        others=Wrong("Your two groups stay apart, and Black stops you next."),
        hint="Follow the rows of your stones towards each other.",
    ),
    Lesson(
        title="Leave the other's figure alone",
        teaches=(
            "Whoever makes the figure of the other loses: Black with a line, White with a Y. Only who has "
            "their own figure on the same move wins all the same."
        ),
        question="You are Black (X). One stone wins, and one loses at once. Which wins?",
        options=_SMALL,
        moves=(
            *("e3", "adopt", "c1", "e7", "f4", "a2", "b4", "c4", "b5", "c5"),
            *("d3", "b3", "f7", "e2", "e6", "e4", "f6", "d6", "b2"),
        ),
        claim="ends",
        right={"d4": "Your group touches sides 1, 3 and 5: a Y."},
        wrong={
            "a1": Wrong("That joins two opposite sides: a line, and no Y. White has won."),
        },
        others=Wrong("That ends nothing, and White may shut you out."),
        hint="A corner belongs to two sides. Which of your groups reach which sides?",
    ),
)
