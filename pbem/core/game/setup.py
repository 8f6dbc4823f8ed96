"""The setup of a game between two people, with its journal. All else follows from both."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pbem.core.clock.clock import NO_STOPS, ClockStops
from pbem.core.clock.intervals import Intervals, union
from pbem.core.clock.mail_times import MailStops, stop_intervals
from pbem.core.clock.time_control import NONE, TimeControl
from pbem.core.game.journal import PAUSE, Entry, PendingMove
from pbem.core.players import Player
from rules.contract import Rules


@dataclass(frozen=True)
class Setup:
    id: int
    rules: Rules
    options: Mapping[str, Any]
    seed: int
    seats: tuple[Player, Player]
    started_at: datetime
    journal: tuple[Entry, ...] = ()
    rated: bool = True
    rules_version: str = "1"
    time_control: TimeControl = NONE
    soft: bool = False
    """True if a fallen flag does not end the game, but lets the other player claim."""
    stops: ClockStops = NO_STOPS
    """Past and future stops of the clocks, with the journal's pauses."""
    pending: PendingMove | None = None
    """The move that its owner can still take back: not in the journal, hidden from others."""
    pending_entries: int = 0
    """Pending entries at the end. Reply addresses do not count them, as they may be taken back."""
    stands: MailStops = ()
    """Stops of a player's clock for mails that we could not handle."""

    def __post_init__(self) -> None:
        """Add the stops of agreed pauses, and of mails put aside."""
        if self.agreed:
            stops = replace(self.stops, both=union((*self.stops.both, *self.agreed)))
            object.__setattr__(self, "stops", stops)
        if self.stands:
            both = stop_intervals(self.stands, 0), stop_intervals(self.stands, 1)
            object.__setattr__(self, "stops", replace(self.stops, mail_stops=both))

    @property
    def agreed(self) -> Intervals:
        pauses = (entry for entry in self.journal if entry.kind == PAUSE)
        return union((entry.effective_time, datetime.fromisoformat(entry.data["until"])) for entry in pauses)
