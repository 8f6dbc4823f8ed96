"""Lessons of Hadron, on its usual board."""

from rules.lesson import Lesson, Wrong

LESSONS = (
    Lesson(
        title="Balanced cells",
        teaches=(
            "A stone may be laid on an empty cell that touches as many red as blue stones, to the left, "
            "to the right, above and below. A cell that touches none is balanced too. Both players have "
            "the same cells to choose from."
        ),
        question="You are Blue (O). Four cells are balanced here. Which of them touches most stones?",
        options={},
        moves=("c4", "d1", "a4", "d3", "c2", "e2", "c1", "d5", "a2", "b5", "e4"),
        claim="most",
        measure="stones touched",
        right={"d4": "d4 touches two red stones, left and right, and two blue ones, above and below."},
        wrong={"b3": Wrong("b3 is balanced, but it touches no stone: those around it lie aslant.")},
        others=Wrong("That cell touches one stone of each colour. Another one touches two of each."),
        hint="Look for a cell with stones on all four sides.",
    ),
    Lesson(
        title="The last stone",
        teaches=(
            "Whoever has no cell to lay a stone on has lost. A stone changes the balance of the cells beside "
            "it: some are shut, and others may be opened."
        ),
        question="You are Blue (O). Four cells are left. Which stone shuts the other three?",
        options={},
        moves=("a2", "e3", "c2", "b4", "d1", "a5", "b1"),
        claim="ends",
        right={"d5": "The other three cells lie beside d5 and touch your stone alone now, so Red has none."},
        wrong={"d4": Wrong("That shuts the cell above it alone. Two others are left.")},
        others=Wrong("Red still has a cell to lay a stone on."),
        hint="One cell lies beside the three others.",
    ),
    Lesson(
        title="Leave an even number",
        teaches=(
            "Near the end, count the cells that are left. If they do not lie near each other, every stone "
            "takes one of them away. So it is good to leave an even number: the other player takes the "
            "first of them, and you the last."
        ),
        question="You are Red (X). Five cells are balanced. Which stone wins?",
        options={},
        moves=("d2", "a4", "b3", "c1", "d1", "b4", "a2", "e3", "d3", "e2"),
        claim="wins",
        right={"d5": "Only c2 and e1 are left, far from each other. Blue takes one, and you take the last."},
        wrong={
            "c5": Wrong(
                "That opens cells to its left and below it, so that Blue can leave you in want.", "e5"
            ),
            "e5": Wrong("That opens a cell below it, and Blue has an answer.", "c5"),
            "c2": Wrong("Blue takes the middle of the three cells at the top, and one cell is left.", "d5"),
        },
        others=Wrong("Blue wins after that."),
        hint="Three of the cells lie side by side. One stone can take all of them away.",
    ),
)
