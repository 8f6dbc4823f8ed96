"""Lessons of Bounders, on its smallest board."""

from rules.lesson import Lesson, Wrong

_BOARD = {"size": "3"}

LESSONS = (
    Lesson(
        title="Balanced cells",
        teaches=(
            "A stone may be laid on an empty cell that touches as many light as dark stones. A cell "
            "that touches none of either is balanced too. Both players have the same cells to choose "
            "from, whatever their colour is."
        ),
        question="You are Light (O). Three cells are balanced here. Which of them touches most stones?",
        options=_BOARD,
        moves=("d3", "a2", "b4", "d5", "c4", "a3"),
        claim="most",
        measure="stones touched",
        right={"b3": "b3 touches two light and two dark stones: as many of each, so it is balanced."},
        others=Wrong(
            "That cell is balanced, as it touches no stone at all. Another one touches some of each."
        ),
        hint="Look at the cells beside a2, a3, b4 and c4.",
    ),
    Lesson(
        title="Bound a territory",
        teaches=(
            "The game ends when no cell is balanced any more. Then each region of empty cells goes to "
            "the colour with more stones round it, and counts one point a cell. Most points win."
        ),
        question="You are Dark (X). Which stone ends the game with a point for you?",
        options=_BOARD,
        moves=("c1", "a2", "d5", "b4", "e4"),
        claim="ends",
        right={
            "c4": "The cell c5 is a region of its own now, with two dark stones round it and one light"
            " one. The other region has as many stones of both colours, and counts for nobody."
        },
        wrong={
            "c5": Wrong("You fill the very cell that you could have bounded, and the game goes on.", "c3"),
            "c3": Wrong("The game goes on, and Light has the better of it.", "d3"),
        },
        others=Wrong("The game goes on, and you have won nothing."),
        hint="The corner c5 touches a dark and a light stone. It touches one more cell.",
    ),
    Lesson(
        title="Take the last moves away",
        teaches=(
            "Every stone changes which cells are balanced. A good one shuts cells that the other "
            "needs. Light has three stones in the middle here, and threatens to end the game with a "
            "large region."
        ),
        question="You are Dark (X). Which stone saves the game for you?",
        options=_BOARD,
        moves=("a3", "e4", "c4", "d2", "d4"),
        claim="wins",
        right={
            ("b2"): "Now a1 and b1 touch a dark stone, so Light cannot play there. Only e5 and a2 are "
            "left, and after either of them you come out ahead."
        },
        wrong={
            "e5": Wrong("Light plays a1, no cell is balanced any more, and Light has twelve points.", "a1"),
            "b1": Wrong("Light plays e5, no cell is balanced any more, and Light has twelve points.", "e5"),
            "a1": Wrong("That leaves Light a good choice.", "e5"),
        },
        others=Wrong("Light wins after that."),
        hint="Find a cell beside both a1 and b1.",
    ),
    Lesson(
        title="Swap a strong first stone",
        teaches=(
            "On move 2 the other player may write swap: then the players exchange the colours, and the"
            " first stone is theirs. Light has begun in the middle here."
        ),
        question="It is move 2. What do you play?",
        options=_BOARD,
        moves=("c3",),
        claim="wins",
        right={"swap": "The stone in the middle is yours. On this small board it is enough to win."},
        others=Wrong("On this board every stone loses against one in the middle."),
        hint="Would you rather have the stone in the middle, or the next move?",
    ),
)
