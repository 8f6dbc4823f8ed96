"""Lessons of Gomoku, on its smallest board, where Black simply begins."""

from rules.lesson import Lesson, Wrong

_BOARD = {"size": "7", "opening": "free"}

LESSONS = (
    Lesson(
        title="Five in a row",
        teaches=(
            "Stones are laid by turns and stay where they are. A row of exactly five stones of one colour, "
            "straight or aslant, wins."
        ),
        question="You are Black (X), with four stones in the column c. Which stone wins?",
        options=_BOARD,
        moves=("c5", "d5", "c3", "e3", "c6", "e6", "c4", "e2"),
        claim="ends",
        right={
            "c7": "The stones from c3 to c7 are five in a row.",
            "c2": "The stones from c2 to c6 are five in a row.",
        },
        others=Wrong("That makes no row of five, and the game goes on."),
        hint="Both ends of your row are free.",
    ),
    Lesson(
        title="Stop four",
        teaches=(
            "Four stones with a free cell at an end win next move. If one end is free, a stone there stops "
            "them; if both are free, nothing does. So look for rows of the other player before each move."
        ),
        question="You are White (O). Black is one stone short of five. Where must you play?",
        options=_BOARD,
        moves=("d4", "c4", "e5", "b2", "f6", "d5", "e3", "e6", "c3"),
        claim="stops",
        right={"g7": "Your stones on b2 and g7 now shut both ends of Black's row."},
        others=Wrong("Black plays g7 and has five from c3 to g7.", "g7"),
        hint="Follow the row that goes up to the right from c3. Your stone on b2 shuts one end already.",
    ),
    Lesson(
        title="Four with two free ends",
        teaches=(
            "A row of four with both ends free cannot be stopped, for there are two cells where it becomes "
            "five. Three in a row with free ends threaten just that."
        ),
        question="You are Black (X). White has three in a row, and so have you, with a gap. What wins?",
        options=_BOARD,
        moves=("e5", "e3", "d5", "d3", "b5", "c3"),
        claim="most",
        measure="ways to five",
        right={"c5": "You have four from b5 to e5, and both a5 and f5 are free. White can stop only one."},
        wrong={
            "a5": Wrong("That leaves one cell for five, and White stops you there.", "c5"),
            "f5": Wrong("That leaves one cell for five, and White stops you there.", "c5"),
            "b3": Wrong("That stops White at one end alone, and your chance is gone."),
            "f3": Wrong("That stops White at one end alone, and your chance is gone."),
        },
        others=Wrong("White makes four in the third row, with both ends free."),
        hint="Fill a gap rather than stop three: your row is longer than White's.",
    ),
    Lesson(
        title="Six are too many",
        teaches=(
            "Only a row of exactly five wins. Six or more do nothing, unless the game was begun with "
            "overline=wins."
        ),
        question="You are Black (X). Which stone makes exactly five?",
        options=_BOARD,
        moves=(
            *("a4", "a1", "b4", "b1", "c4", "g1", "e4", "g3"),
            *("f4", "a7", "b2", "c7", "b3", "e7", "b5", "g6"),
        ),
        claim="ends",
        right={"b6": "The stones from b2 to b6 are five in a row."},
        wrong={"d4": Wrong("That joins six stones, from a4 to f4: one too many.", "b6")},
        others=Wrong("That makes no row of five.", "b6"),
        hint="Count the stones that a row would have, before you fill a gap.",
    ),
)
