"""The tour of a year: points for taking part, finishing and winning. Nobody ever loses points."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pbem.core.events.table import FORFEIT_LOSS, FORFEIT_WIN, HALVES

P = TypeVar("P", bound=Hashable)

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
class Place(Generic[P]):
    """A row of a tour; level players share a place."""

    place: int
    player: P
    points: int


def tour_places(
    points: Iterable[tuple[P, int]], above: int = 0, last: Place[P] | None = None
) -> list[Place[P]]:
    """The rows of players with their points, most points first.

    `above` counts the rows above them, and `last` is the lowest of those.
    """
    rows: list[Place[P]] = []
    for number, (player, each) in enumerate(points, above + 1):
        last = Place(last.place if last and last.points == each else number, player, each)
        rows.append(last)
    return rows
