"""The levels of play: their thinking time, and their use of a game's knowledge."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    """The limits of one move. The first limit that is reached ends the search."""

    playouts: int
    seconds: float
    batch: int = 0
    """The games that a compiled kernel plays from one leaf; 0 for none, so that nothing is compiled."""


LEVELS: Mapping[int, Level] = {
    1: Level(playouts=20, seconds=0.5),
    2: Level(playouts=400, seconds=1.2),
    3: Level(playouts=3_000, seconds=1.6, batch=4),
    4: Level(playouts=24_000, seconds=12.0, batch=8),
    5: Level(playouts=240_000, seconds=50.0, batch=16),
}
