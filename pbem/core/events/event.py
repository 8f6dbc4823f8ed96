"""An event (a season of a league, a ladder or a match), its players, and the entries of its journal."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbem.core.events.ladder import LADDER
from pbem.core.events.league import LEAGUE, NEW, OPEN, RUNNING, STARTING, VOID, Settings
from pbem.core.events.match import MATCH
from rules import RULES

Data = Mapping[str, Any]

LIVE = (OPEN, STARTING, RUNNING)


@dataclass(frozen=True)
class Event:
    """A season of a league, a ladder or a match, of the club `club_id` or of all.

    `rival_id` is the second club of a match between two of players' clubs, whose first is `club_id`.
    `asked`: True if all players were asked to confirm. `begun` counts divisions, as in the table `events`.
    """

    id: int
    rules: str
    season: int
    settings: Settings
    previous_id: int | None
    state: str = NEW
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    asked: bool = False
    divisions: int = 0
    begun: int = 0
    next_at: datetime | None = None
    entries: int = 1
    kind: str = LEAGUE
    club_id: int | None = None
    rival_id: int | None = None

    @property
    def title(self) -> str:
        name = RULES[self.rules].name if self.rules in RULES else self.rules  # it may not be installed
        if self.kind == MATCH:
            return f"{name} match of {' and '.join(self.settings.clubs)}"
        if self.kind == LADDER:
            return f"{name} ladder" if self.club_id is None else f"{name} ladder of {self.settings.club}"
        if self.club_id is not None:
            again = f", season {self.season}" if self.season > 1 else ""
            return f"{name} league of {self.settings.club}{again}"
        return f"{name} league, season {self.season}"

    @property
    def club_ids(self) -> tuple[int, ...]:
        """The clubs whose members alone play."""
        return tuple(each for each in (self.club_id, self.rival_id) if each is not None)

    @property
    def called(self) -> str:
        """The words that name the event behind `join` and `leave`."""
        numbered = self.kind == MATCH or self.club_id is not None
        return f"{self.kind} {self.id}" if numbered else f"{self.rules} {self.kind}"

    @property
    def word(self) -> str:
        """The word that names the event behind `ladder`: its game, or the number of a club's."""
        return self.rules if self.club_id is None else str(self.id)

    @property
    def starts(self) -> datetime:
        assert self.starts_at is not None
        return self.starts_at

    @property
    def ends(self) -> datetime:
        assert self.ends_at is not None
        return self.ends_at


@dataclass(frozen=True)
class EventPlace:
    """A game's division or board, as pages and letters name it."""

    event: Event
    division: int

    @property
    def is_shown(self) -> bool:
        """True if everybody may see the event."""
        return self.event.state not in (NEW, VOID)

    @property
    def is_running(self) -> bool:
        """True while results of games count for the event."""
        return self.event.state in (STARTING, RUNNING)

    @property
    def title(self) -> str:
        part = "board" if self.event.kind == MATCH else "division"
        numbered = self.division and self.event.divisions > 1
        return f"{self.event.title}, {part} {self.division}" if numbered else self.event.title

    @property
    def path(self) -> str:
        """The path of the page with its table."""
        paged = self.division > 1 and self.event.kind == LEAGUE
        query = f"?division={self.division}" if paged else ""
        return f"/events/{self.event.id}{query}"


@dataclass(frozen=True)
class Entrant:
    """A player of an event. `n`: the journal entry of the sign-up; `place`: the player's place at the start.

    `division` counts from 1. In a match `division` is the board and `place` the club, 1 or 2. The fields are
    the columns of the table `event_players`, in their order.
    """

    event: int
    player: int
    n: int
    state: str
    division: int | None = None
    place: int | None = None


def club_of(event: Event, mine: Entrant) -> int | None:
    """Return the number of the club for which a player is in an event."""
    second = event.kind == MATCH and mine.place == 2
    return event.rival_id if second else event.club_id


@dataclass(frozen=True)
class EventEntry:
    """An entry of an event's journal."""

    n: int
    at: datetime
    kind: str
    data: Data
