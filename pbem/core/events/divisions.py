"""Divisions of a league: by rating, later by promotion and relegation."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import accumulate
from typing import TypeVar

P = TypeVar("P", bound=Hashable)

MIN_SIZE, MAX_SIZE = 4, 10
MOVING = 2
"""The number of players who go up from a division, and also of those who go down."""


def division_sizes(players: int, size: int) -> list[int]:
    """Return even division sizes, larger ones first, each at least `MIN_SIZE` if there are enough players."""
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"A division has {MIN_SIZE} to {MAX_SIZE} players.")
    if not players:
        return []
    number = max(1, min(-(-players // size), players // MIN_SIZE))
    small, larger = divmod(players, number)
    return [small + 1] * larger + [small] * (number - larger)


def first_divisions(players: Sequence[P], ratings: Mapping[P, float], size: int) -> list[list[P]]:
    """Return divisions by rating, best first. Players without a rating come last, in the order of sign-up."""
    return _cut(by_rating(players, ratings), size)


def next_divisions(
    tables: Sequence[Sequence[P]], entrants: Collection[P], ratings: Mapping[P, float], size: int
) -> list[list[P]]:
    """Return the next season's divisions, best players first. Players in no table yet come last.

    Two players go up and two down between neighbouring divisions. Where players leave, or sizes change, the
    next best of the division below also go up, or the next worst of the division above also go down.
    """
    playing = set(entrants)
    groups = _moved([[player for player in table if player in playing] for table in tables], tables)
    known = {player for group in groups for player in group}
    new = [player for player in entrants if player not in known]
    return _cut([player for group in groups for player in group] + by_rating(new, ratings), size)


def _moved(staying: Sequence[Sequence[P]], tables: Sequence[Sequence[P]]) -> list[list[P]]:
    """Return each division after promotion and relegation, in the order in which players fill gaps."""
    last = len(tables) - 1
    up = [list(table[:MOVING]) if n else [] for n, table in enumerate(staying)]
    down = [
        [player for player in table[-MOVING:] if player in staying[n] and player not in up[n]]
        if n < last
        else []
        for n, table in enumerate(tables)
    ]
    groups = []
    for n, table in enumerate(staying):
        left = [player for player in table if player not in up[n] and player not in down[n]]
        half = (len(left) + 1) // 2
        coming = [*(down[n - 1] if n else []), *(up[n + 1] if n < last else [])]
        groups.append([*left[:half], *coming, *left[half:]])
    return groups


def by_rating(players: Collection[P], ratings: Mapping[P, float]) -> list[P]:
    """Sort players by rating, best first; players without a rating come last, in the order given."""
    rated = sorted((player for player in players if player in ratings), key=lambda each: -ratings[each])
    return [*rated, *(player for player in players if player not in ratings)]


def _cut(players: Sequence[P], size: int) -> list[list[P]]:
    sizes = division_sizes(len(players), size)
    return [list(players[end - part : end]) for end, part in zip(accumulate(sizes), sizes, strict=True)]
