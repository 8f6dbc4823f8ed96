"""People who may be asked for a game: those near in strength, the nearest first."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from pbem.core.players import Player
from rules.contract import Rules

PARTNERS = 3
"""The most that are named at a time."""


@dataclass(frozen=True)
class Partner:
    """A player, and the game in which they are near; `last` is their last move there."""

    player: Player
    rules: Rules
    distance: float
    last: datetime
    rating: str = ""
    """The rating as it is shown, "" where the player has none."""


def nearest_first(found: Iterable[Partner]) -> list[Partner]:
    """Return each player once, with the game in which they are nearest, the nearest players first."""
    ordered = sorted(found, key=lambda each: (each.distance, -each.last.timestamp(), each.player.name))
    first: dict[int, Partner] = {}
    for each in ordered:
        first.setdefault(each.player.id, each)
    return list(first.values())
