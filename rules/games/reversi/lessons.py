"""Lessons of Reversi, most of them on its smallest board."""

from rules.lesson import Lesson, Wrong

_SMALLEST = {"size": "4"}

LESSONS = (
    Lesson(
        title="Turn discs over",
        teaches=(
            "A disc encloses the discs of the other colour that stand in an unbroken row between it and "
            "another disc of yours: straight or aslant, in as many directions as there are. All of them "
            "are turned over. You must enclose at least one disc."
        ),
        question="You are Black (X). Which disc turns most others over?",
        options={"size": "6"},
        moves=("d2", "e2", "e3", "c2", "d1", "e4", "f4", "f3"),
        claim="most",
        measure="discs",
        right={"b4": "b4 turns c4, d4 and e4 up to your disc on f4, and c3 up to your disc on d2."},
        wrong={
            "d5": Wrong("d5 turns only two: one straight below it, and one aslant."),
            "f2": Wrong("f2 turns only two: e2, up to your disc on d2, and f3, up to the one on f4."),
        },
        others=Wrong("Another disc turns more."),
        hint="Look along the whole row in which f4 is, and aslant as well.",
    ),
    Lesson(
        title="Take a corner",
        teaches=(
            "A disc in a corner can never be turned over, as no square lies beyond it. Discs along the "
            "edge that hang together with it are safe as well. So a corner is worth more than many discs "
            "in the open."
        ),
        question="You are White (O). Every move leaves four discs of each colour. Which one wins?",
        options=_SMALLEST,
        moves=("a3", "a2", "d1"),
        claim="wins",
        right={"a4": "The corner is yours for good, and Black has only two squares left to choose from."},
        wrong={
            "b4": Wrong("Now Black takes the corner that you could have had.", "a4"),
            "d4": Wrong("That is a corner, but it leaves Black five squares to choose from."),
        },
        others=Wrong("Black wins after that."),
        hint="Two corners are open to you. Take the one beside most discs of Black.",
    ),
    Lesson(
        title="Leave no move",
        teaches=(
            "Who cannot enclose anything is passed over, and the other plays again. So it is good to leave "
            "few moves to the other player, and best to leave none."
        ),
        question="You are White (O). After which move is Black passed over?",
        options=_SMALLEST,
        moves=("d2", "d3", "c4", "b1", "a2"),
        claim="wins",
        right={"d1": "Black has more discs now and no move at all. You play again, and win."},
        wrong={
            "b4": Wrong("You turn two discs, but Black has four squares to choose from."),
            "a3": Wrong("You turn two discs, but Black has three squares to choose from."),
        },
        others=Wrong("Black can still move."),
        hint="Look for the move that turns fewest discs.",
    ),
    Lesson(
        title="Win before the board is full",
        teaches=(
            "The game ends as soon as neither player can enclose anything. That is usually when the board "
            "is full, but a player without any disc cannot move either, and neither can the other then."
        ),
        question="You are Black (X). Which disc wins at once?",
        options={},
        moves=("e3", "f5", "e6", "f3", "g4", "d3", "e2", "f4"),
        claim="ends",
        right={"c4": "All discs of White are turned over: three in the row, d3 and d5 aslant."},
        others=Wrong("White still has discs, and the game goes on."),
        hint="All of White's discs must be on lines from one square to discs of yours.",
    ),
)
