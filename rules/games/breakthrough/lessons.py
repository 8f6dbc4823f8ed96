"""Lessons of Breakthrough, on its smallest board."""

from rules.lesson import Lesson, Wrong

_BOARD = {"size": "5"}

LESSONS = (
    Lesson(
        title="The last step",
        teaches=(
            "A man goes one step ahead, straight or aslant, onto an empty cell. Aslant it may also take a "
            "rival's man, and stands in its place then. Straight ahead it never takes. The first man on the "
            "far row wins."
        ),
        question="You are White (O) and go up the board. One of your men can win at once. How?",
        options=_BOARD,
        moves=("c2-d3", "a4-a3", "b2xa3", "c4-c3", "d3-c4", "b5-a4"),
        claim="ends",
        right={
            "c4-b5": "The cell b5 is empty, and it lies on the far row. You have won.",
            "c4xd5": "Your man takes the one on d5 and stands on the far row. You have won.",
        },
        others=Wrong("The game goes on, and Black takes your man on c4.", "d5xc4"),
        hint="Look at the man on c4. Straight ahead there is a black man, so it must go aslant.",
    ),
    Lesson(
        title="Take the runner",
        teaches=(
            "A man who has come within one step of the far row wins on the next move, unless it is taken "
            "now. To take it, you need a man of yours one row behind it, beside its file."
        ),
        question="You are Black (X) and go down the board. White's man on c4 wins next move. What saves you?",
        options=_BOARD,
        moves=("c2-d3", "a4-a3", "b2xa3", "c4-c3", "d3-c4", "b5-a4", "c1-c2"),
        claim="stops",
        right={"d5xc4": "Your man took the runner. Two men are left at home, and they have time now."},
        others=Wrong("White's man goes to the far row and wins.", "c4-b5"),
        hint="Which of your men stands one row behind c4, aslant from it?",
    ),
    Lesson(
        title="A man nobody can take",
        teaches=(
            "Men never go back, so a man can only be taken by rivals who still stand ahead of it. A man "
            "whom nobody can take wins if it is near enough: the other player has no time left."
        ),
        question="You are White (O). Which move wins, whatever Black does?",
        options=_BOARD,
        moves=(
            *("b2-c3", "c4-d3", "c2xd3", "b5-c4", "c3xb4", "e4xd3", "a1-b2", "d5-e4"),
            *("b1-c2", "a5xb4", "d2-c3", "d4-e3", "e1-d2", "b4-a3", "a2-b3", "c4xb3"),
        ),
        claim="wins",
        right={
            "c3-c4": "No black man stands on b5 or d5, from where it could take on c4, and Black needs two "
            "moves to your first row. Next you go to b5 or d5."
        },
        others=Wrong("Black's men are as near to your first row as yours to theirs, and it is Black's move."),
        hint="Black needs two more moves. Which of your men needs two as well, and cannot be taken?",
    ),
)
