"""The points of a tour."""

from __future__ import annotations

from pbem.core.events.table import HALVES
from pbem.core.events.tour import Place, game_points, tour_places


def test_points_are_for_finishing_and_winning() -> None:
    wanted = {"1-0": (4, 2), "0-1": (2, 4), "1/2": (3, 3), "+": (2, 0), "-": (0, 2)}
    assert wanted == {score: game_points(score) for score in HALVES}


def test_level_players_share_a_place() -> None:
    wanted = [Place(1, "C", 9), Place(2, "A", 8), Place(2, "B", 8), Place(4, "D", 7)]
    assert wanted == tour_places([("C", 9), ("A", 8), ("B", 8), ("D", 7)])
    assert [] == tour_places([])
    assert wanted[2:] == tour_places([("B", 8), ("D", 7)], 2, wanted[1])
