"""The lettering of `slanted` boards; a backslash leads from the last cell of a diagonal to its letter:

2   . . . . . \\ g
 1   . . . . \\ f
      \\ \\ \\ \\ e
       a b c d
"""

from functools import cache

from rules.board import Board
from rules.picture import Label


@cache
def slanted_labels(board: Board, room: int = 0) -> tuple[Label, ...]:
    """Row numbers at the left, letters at the foot; `room` places are left free for a ring."""
    first: dict[str, tuple[int, int]] = {}
    foot: dict[str, tuple[int, int]] = {}
    for name, place in zip(board.names, board.xy, strict=True):  # top row first, left to right
        first.setdefault(name[1:], place)
        foot[name[0]] = place
    rows = (
        Label("row", row, x - 3 - room - len(row), y, (x - 1.75 - 1.7 * room, y))
        for row, (x, y) in first.items()
    )
    leads = (Label("text", "\\", x + 1 + room, y + 1 + room) for x, y in foot.values())
    far = 1.1 + room
    letters = (
        Label("diagonal", letter, x + 2 + room, y + 2 + room, (x + far, y + far))
        for letter, (x, y) in foot.items()
    )
    return (*rows, *leads, *letters)
