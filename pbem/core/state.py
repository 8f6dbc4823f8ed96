"""What a journal comes to: the position, the plies, the words, what is offered, and the ending.

Values only; `folding` makes them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from pbem.core.journal import LASTS
from pbem.core.plans import Planned
from pbem.core.rulings import Ruling
from rules.contract import SEAT_NAMES, Position, Seat, Standing
from rules.picture import Picture


@dataclass(frozen=True)
class Ply:
    """A ply as it was made: number from 1, journal entry, seat, canonical text, time, words with it.

    `auto`: the server made it, by the seat's standing orders or plan.
    """

    n: int
    entry: int
    seat: Seat
    move: str
    at: datetime
    comment: str = ""
    auto: bool = False


@dataclass(frozen=True)
class Said:
    """Words of one player to the other, and after which ply they were said."""

    after: int
    entry: int
    seat: Seat
    words: str
    at: datetime


@dataclass(frozen=True)
class Asked:
    """Who asks to take plies back, from which journal entry on, in which entry and when."""

    seat: Seat
    to: int
    entry: int
    at: datetime

    @property
    def until(self) -> datetime:
        """When the request lapses."""
        return self.at + LASTS["undo"]


@dataclass(frozen=True)
class Taken:
    """A ply that was taken back, by which journal entry and when."""

    ply: Ply
    entry: int
    at: datetime


@dataclass(frozen=True)
class PauseOffer:
    """Who asks for a pause of how many days, and until when the other may answer."""

    seat: Seat
    days: int
    until: datetime


RESULTS = (*SEAT_NAMES, "draw", "void")
"""The results of games; `void` is for one that came to nothing."""
ENDINGS = ("rules", "resignation", "timeout", "agreement", "claim", "director", "void")
"""The ways in which a game ends."""


def result_word(how: str, winner: Seat | None) -> str:
    """The word for a result, of `RESULTS`."""
    if how == "void":
        return "void"
    return "draw" if winner is None else SEAT_NAMES[winner]


@dataclass(frozen=True)
class Ending:
    """How a game between people ended; `how` is one of `ENDINGS`."""

    how: str
    winner: Seat | None
    side: str | None
    reason: str
    at: datetime


@dataclass(frozen=True)
class State:
    """A game as it stands after its journal."""

    position: Position
    plies: tuple[Ply, ...] = ()
    said: tuple[Said, ...] = ()
    ending: Ending | None = None
    draw_offer: Seat | None = None
    """Who offers a draw; the offer lapses when the other plays on."""
    draw_until: datetime | None = None
    """When the last draw that was offered lapses, or lapsed, by itself."""
    pause_offer: PauseOffer | None = None
    flagged: datetime | None = None
    """When the soft clock of whoever is to play ran out; None while there is time."""
    standing: tuple[Standing | None, Standing | None] = (None, None)
    """The newest standing orders of each seat: hidden from everybody but their owner."""
    plans: tuple[Planned | None, Planned | None] = (None, None)
    """What each seat has planned: hidden from everybody but its owner."""
    asked: Asked | None = None
    """Who asks to take a ply back; that lapses at the next ply, whoever makes it."""
    taken: tuple[Taken, ...] = ()
    """The plies that were taken back."""
    before: State | None = field(default=None, compare=False, repr=False)
    """The state before the last ply, so that going back costs nothing, however often it is done."""
    rulings: tuple[Ruling, ...] = ()
    """What the director decided, in order."""

    @property
    def to_play(self) -> Seat | None:
        """The seat whose turn it is, None once the game has ended."""
        return None if self.ending else self.position.to_play

    @property
    def picture(self) -> Picture:
        return self.position.picture()
