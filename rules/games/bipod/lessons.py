"""Lessons of Bipod, on its smallest board."""

from rules.lesson import Lesson, Wrong

_BOARD = {"size": "3", "middle": "2", "rows": "3", "stones": "1"}
"""Options with one block a move, as the authors play, so that a proof covers all moves."""

LESSONS = (
    Lesson(
        title="Runner reaches the edge",
        teaches=(
            "Runner needs two separate paths to the short sides, which are the slanted ends and the "
            "bottom row. The left start is g1, and stones o belong to it; the right start is m1, and "
            "stones O belong to it. Here the left path has arrived, with f2 and e3."
        ),
        question="You are Runner. Which stone brings the right path to the edge and wins?",
        options=_BOARD,
        moves=("adopt", "f2 o", "h2", "n2 O", "m3", "e3 o", "l2"),
        claim="ends",
        right={
            ("o3 O"): (
                "o3 is in the bottom row and beside n2, and its colour O joins it to m1. Both paths "
                "are at the edge."
            )
        },
        wrong={
            "o3 o": Wrong(
                "The cell is right, the colour is not: a stone o belongs to the left start, and here "
                "it stands in the way of your own right path."
            ),
            "p2 O": Wrong("p2 makes the path longer, but p2 is not on a short side."),
        },
        others=Wrong("That stone does not bring the right path to the edge."),
        hint="A stone of Runner is a cell and a colour; look for a cell of the bottom row beside n2.",
    ),
    Lesson(
        title="Blocker shuts a start in",
        teaches=(
            "Blocker has won as soon as the two paths are impossible. Nobody has to fill the board for"
            " that. A start with blocks all round it has no path at all."
        ),
        question="You are Blocker. Which block wins at once?",
        options=_BOARD,
        moves=("o1", "l2", "n2", "adopt", "f2 o"),
        claim="ends",
        right={"k1": "The right start m1 has blocks on all its sides now, so no path can leave it."},
        wrong={
            "i1": Wrong("After i1 Runner can still leave m1 by k1, and then go down."),
            "h2": Wrong("That block is too far away: Runner can still leave m1 by k1."),
        },
        others=Wrong("After that block m1 still has a way out."),
        hint="Look at the cells that touch the right start m1, and find the one that is still empty.",
    ),
    Lesson(
        title="Two ways at once",
        teaches=(
            "Blocker lays one block a move. So a path is safe where it can go on in two ways: if "
            "Blocker shuts one, Runner takes the other. The left path has arrived here, with f2 and "
            "g3; the right one begins at m1."
        ),
        question="You are Runner. Which stone makes the right path safe?",
        options=_BOARD,
        moves=("l2", "o1", "k1", "adopt", "f2 o", "e3", "g3 o", "p2"),
        claim="wins",
        right={"n2 O": "From n2 the path can end on m3 and on o3. Blocker can shut only one of them."},
        wrong={
            "n2 o": Wrong(
                "With the colour o the stone belongs to the left start. It closes the last way out of "
                "m1, so you lose at once."
            ),
            "m3 O": Wrong("m3 is at the edge, but it must still be joined to m1, by n2 alone.", "n2"),
            "o3 O": Wrong("o3 is at the edge, but it must still be joined to m1, by n2 alone.", "n2"),
        },
        others=Wrong("The only way out of m1 is n2, and Blocker shuts it now.", "n2"),
        hint="m1 has one way out. Take it before Blocker does, and count the ways on from there.",
    ),
    Lesson(
        title="Block before there are two ways",
        teaches=(
            "Once a path has two ways to the edge, one block comes too late. Blocker must act one move"
            " earlier. The left path has arrived here; the right one, from m1, has not begun."
        ),
        question="You are Blocker. Which block stops the right path for good?",
        options=_BOARD,
        moves=("o1", "n2", "i1", "h2", "adopt", "f2 o", "e3", "g3 o"),
        claim="wins",
        right={
            "l2": "Only the way by k1 and j2 is left to m1. It is so narrow that one more block shuts it.",
            ("k3"): "A path by l2 has only m3 left on that side, and you can shut m3 next. The way by "
            "j2 and i3 is too narrow.",
        },
        wrong={
            "m3": Wrong(
                "m3 is too far away. From j2 two ways lead back to m1, by k1 and l2, and two to the edge.",
                "j2 O",
            ),
        },
        others=Wrong("Runner goes to l2, from where k3 and m3 are two ways to the edge.", "l2 O"),
        hint="Ask where Runner's next stone would have two ways to the edge, and be there first.",
    ),
    Lesson(
        title="When to adopt",
        teaches=(
            "At first both players lay blocks, and nobody has a side. Whoever writes adopt is Blocker "
            "from then on, and the other is Runner and plays next. So adopt as soon as the blocks on "
            "the board are enough for Blocker, and lay none too many for the other to adopt."
        ),
        question="Nobody has adopted yet. What do you play?",
        options=_BOARD,
        moves=("o1", "l2", "n2", "j2"),
        claim="wins",
        right={
            ("adopt"): (
                "You are Blocker, and the right start m1 is nearly shut in: the narrow way along the "
                "top is all it has."
            )
        },
        wrong={
            ("k1"): Wrong(
                ("Your block shuts m1 in, but for the other player: they adopt and have won."), ("adopt")
            ),
        },
        others=Wrong("The other player adopts now, and is Blocker with the blocks that you laid.", "adopt"),
        hint=(
            "Suppose you were Runner on this board, to move: could m1, the right start, still reach the edge?"
        ),
    ),
    Lesson(
        title="Up to three blocks",
        teaches=(
            "Before an adoption a move may have more blocks than one, by mail up to three. Three in all "
            "are few on the usual board: there Blocker wins some 10 to 20 of 100 games. On this small "
            "one they can be too many. The other has just laid three, all beside the right start m1."
        ),
        question="Nobody has adopted yet. What do you play?",
        options={**_BOARD, "stones": "3"},
        moves=("l2", "k1 n2 o1"),
        claim="ends",
        right={"adopt": "No way is left from m1, so Blocker has won, and that is you now."},
        others=Wrong("Now the other player adopts, and has won with the blocks that are there.", "adopt"),
        hint="Count the ways out of m1 that are left, and ask who will be Blocker.",
    ),
)
