"""Lessons of Bagel, all on one layout."""

from rules.lesson import Lesson, Wrong

_BOARD = {"layout": "bcbrrgbgcgcbrrgccbbrcggbbrcrgrbrgcgc"}
_LATE = (
    "d1", "b3 b5", "c4 f7", "f4 f5", "d5 e6", "a1 f6", "a4 b4", "e3 e5",
    "f3 g4", "d3 d7", "c1 g5", "a2 e2", "a3 d6", "b1 g6", "c5 e7", "c2 c6",
)  # fmt: skip
_ODD = (
    "c3", "c4 e6", "c1 g5", "f3", "c2 e2", "d2 d5", "b1 g6", "b2 b3", "d7 f7", "d1",
    "a3 d6", "e7", "d3 e4", "e3 e5", "c5", "a4 g4", "b4", "a1 f6", "b5",
)  # fmt: skip

LESSONS = (
    Lesson(
        title="Two discs at once",
        teaches=(
            "A move is one disc, or two on empty tiles of one suit in line: in one row, or one "
            "diagonal of either kind. Whatever stands between the two tiles does not matter. Three "
            "discs of yours side by side in line are a row of three, which counts one point."
        ),
        question="You are White (O), with a disc on b2. Which two discs make a row of three?",
        options=_BOARD,
        moves=("b2", "d5 f7"),
        claim="most",
        measure="points",
        right={
            ("a2 c2"): "Both tiles are croissants in row 2, so you may take them in one move. With b2 "
            "between them they are a row of three."
        },
        others=Wrong("That makes no row of three."),
        hint="Look for two tiles of one suit, one on either side of your disc.",
    ),
    Lesson(
        title="Longer rows",
        teaches=(
            "A row of four counts two points, a row of five three, and a row of six four. So a disc "
            "that joins two pieces of a line is worth more than one at its end."
        ),
        question="You are White (O). Which move brings you three points?",
        options=_BOARD,
        moves=("c5", "c1", "b4 e7", "c3 c4"),
        claim="most",
        measure="points",
        right={"a3 d6": "Your discs stand on a3, b4, c5, d6 and e7 now: a row of five, and three points."},
        wrong={
            "d6": Wrong("You have a row of four, from b4 to e7. With a second disc it could be five."),
            "a3": Wrong("You have a row of three, from a3 to c5. With a second disc it could be five."),
        },
        others=Wrong("You could have three points in one move."),
        hint="Three of your discs stand on one diagonal, and both empty tiles of it are baguettes.",
    ),
    Lesson(
        title="Score and block",
        teaches=(
            "A disc can do two things at once: it makes a row of yours, and it stands where the other "
            "would make one. White threatens to join two discs of column e here."
        ),
        question="You are Black (X). Which move scores and leaves White the least?",
        options=_BOARD,
        moves=("c2", "d3 d5", "c4 e4", "g4 g6", "e6"),
        claim="most",
        measure="points after the answer",
        right={
            ("e5 f5"): "With d5 they are a row of three for you, and your disc parts White's e4 and "
            "e6. White can make up no more than one point."
        },
        others=Wrong("After White's best answer you would be behind."),
        hint="Two tiles of one suit stand in row 5, and one of them is between two discs of White's.",
    ),
    Lesson(
        title="The last tiles",
        teaches=(
            "The game ends when whoever is to play cannot place a disc. Near the end one tile may "
            "decide, since it can belong to rows of both. Five tiles are empty here, and nobody can "
            "place two discs any more. White leads by 6 points to 3."
        ),
        question="You are White (O). Which tile keeps your lead to the end?",
        options=_BOARD,
        moves=_LATE,
        claim="wins",
        right={"e4": "That tile was worth most to Black. Whatever comes now, you stay ahead to the end."},
        others=Wrong("Black takes the tile that counts, and is ahead at the end.", "e4"),
        hint="Find the tile that Black would like best, and take it first.",
    ),
    Lesson(
        title="Odd suits",
        teaches=(
            "Each suit has nine tiles, an odd number. So two discs a move never take all of a suit: near "
            "the end tiles are left that go with no other, and single discs are played. Whoever lays the "
            "last pair lays one disc more than the other. Five croissants are empty here and nothing "
            "else. Only two of them are in line. White leads by 5 points to 3."
        ),
        question="You are Black (X). Which move wins?",
        options=_BOARD,
        moves=_ODD,
        claim="wins",
        right={
            "f4 f5": "The last pair brings you four points. Three single tiles are left, and White can make "
            "up no more than one point with them."
        },
        wrong={
            "f4": Wrong("White takes the other tile of the pair, and you cannot catch up.", "f5"),
            "f5": Wrong("White takes the other tile of the pair, and you cannot catch up.", "f4"),
        },
        others=Wrong("White lays the last pair, and you cannot catch up.", "f4 f5"),
        hint="Count the empty tiles, and find two that may be taken in one move.",
    ),
)
