"""The tour of a year: points for taking part, finishing and winning. Nobody ever loses points."""

from dataclasses import dataclass

from pbem.core.events.table import FORFEIT_LOSS, FORFEIT_WIN, HALVES

TAKING_PART, FINISHING, WINNING = 5, 2, 2
"""For an event, for a game played to its end, and besides for a game won; half of the last for a draw."""


def game_points(score: str) -> tuple[int, int]:
    """The points of first and second seat for a game.

    A game ended by forfeit gives its winner the points for winning alone, and its loser none.
    """
    finished = 0 if score in (FORFEIT_WIN, FORFEIT_LOSS) else FINISHING
    first, second = HALVES[score]
    return finished + WINNING * first // 2, finished + WINNING * second // 2


@dataclass(frozen=True)
class TourRow:
    """A row of a tour; level players share a place."""

    place: int
    player: int
    name: str
    points: int
