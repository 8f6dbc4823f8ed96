"""The points of a tour."""

from __future__ import annotations

from pbem.core.events.table import HALVES
from pbem.core.events.tour import game_points


def test_points_are_for_finishing_and_winning() -> None:
    wanted = {"1-0": (4, 2), "0-1": (2, 4), "1/2": (3, 3), "+": (2, 0), "-": (0, 2)}
    assert wanted == {score: game_points(score) for score in HALVES}
