"""The ceiling of a new server: few letters a day to one mail provider, twice as many each day after."""

from datetime import datetime, timedelta

from pbem.core.preferences.letter_kinds import (
    CLUBS,
    DIGESTS,
    KINDS,
    MOMENTS,
    PAPER,
    PUZZLES,
    SEASONS,
    SEEKS,
    WATCHED,
)

DAY = timedelta(days=1)
LATER = frozenset(
    kind
    for kind, row in KINDS.items()
    if row.category in (DIGESTS, WATCHED, MOMENTS, PUZZLES, SEEKS, SEASONS, PAPER, CLUBS)
)
"""Kinds of letters that leave after all others, and have half of the ceiling."""
MAX_DOUBLINGS = 20


def ceiling_of(first: int, begun: datetime, now: datetime) -> int:
    """Return how many letters a day may go to one provider, `first` of them on the first day."""
    return first << max(0, min((now - begun) // DAY, MAX_DOUBLINGS))
