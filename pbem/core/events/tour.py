"""The tour of a year: points for taking part, finishing and winning, which nobody ever loses."""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pbem.core.events.table import FORFEIT_LOSS, FORFEIT_WIN, HALVES, Result

P = TypeVar("P", bound=Hashable)

TAKING_PART, FINISHING, WINNING = 5, 2, 2
"""For an event, for a game played to its end, and besides for a game won; half of the last for a draw."""


@dataclass(frozen=True)
class Event(Generic[P]):
    """An event as a tour counts it: those who entered, and the results so far."""

    players: tuple[P, ...]
    results: tuple[Result[P], ...]


def tour_points(events: Iterable[Event[P]]) -> dict[P, int]:
    """The points of each player, most first; level players in the order of their first event.

    A game ended by forfeit gives its winner the points for winning alone, and its loser none.
    """
    found: Counter[P] = Counter()
    for event in events:
        for player in event.players:
            found[player] += TAKING_PART
        for result in event.results:
            finished = 0 if result.score in (FORFEIT_WIN, FORFEIT_LOSS) else FINISHING
            for player, halves in zip((result.first, result.second), HALVES[result.score], strict=True):
                found[player] += finished + WINNING * halves // 2
    return dict(found.most_common())


@dataclass(frozen=True)
class Place(Generic[P]):
    """A row of a tour; level players share a place."""

    place: int
    player: P
    points: int


def tour_places(events: Iterable[Event[P]], without: Collection[P] = ()) -> list[Place[P]]:
    """The rows of a tour, most points first, without some players."""
    points = {player: each for player, each in tour_points(events).items() if player not in without}
    above = {each: sum(1 for other in points.values() if other > each) for each in set(points.values())}
    return [Place(above[each] + 1, player, each) for player, each in points.items()]
