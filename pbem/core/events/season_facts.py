"""Facts of a letter about a season."""

from dataclasses import dataclass
from datetime import datetime

from pbem.core.events.event import Event
from pbem.core.events.season import Division
from pbem.core.letters.facts import Facts


@dataclass(frozen=True)
class SeasonFacts(Facts):
    """The facts of a season's letter for its reader, the player `me`.

    Stages: few (there are `number`), start, half, end, withdrawn, reinstated, filled, message (`words`).
    Somebody is withdrawn for `why` and `reason`, and `by` takes the place that was the player's `was`.
    """

    stage: str
    event: Event
    division: Division | None = None
    following: Event | None = None
    number: int = 0
    starts: datetime | None = None
    why: str = ""
    reason: str = ""
    by: str = ""
    was: str = ""
    words: str = ""
    me: int = 0
