"""The state of a game after its journal, as `folding` computes it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from pbem.core.game.conditional import ConditionalMoves
from pbem.core.game.journal import OFFER_LIFETIMES
from pbem.core.game.rulings import Ruling
from rules.contract import SEAT_NAMES, Position, Seat, StandingOrder, other
from rules.picture import Picture


@dataclass(frozen=True)
class Ply:
    """A ply: number from 1, entry, seat, canonical text, time, words.

    `auto`: made by standing orders or conditional moves.
    """

    n: int
    entry: int
    seat: Seat
    move: str
    at: datetime
    comment: str = ""
    auto: bool = False


@dataclass(frozen=True)
class SpokenWords:
    """Words of one player to the other, and the ply before them."""

    after: int
    entry: int
    seat: Seat
    words: str
    at: datetime


@dataclass(frozen=True)
class TakebackRequest:
    """A takeback request: seat, first entry to go, own entry, time."""

    seat: Seat
    to: int
    entry: int
    at: datetime

    @property
    def until(self) -> datetime:
        """The time when the request lapses."""
        return self.at + OFFER_LIFETIMES["undo"]


@dataclass(frozen=True)
class TakenBackPly:
    """A ply taken back, with the entry and time of the takeback."""

    ply: Ply
    entry: int
    at: datetime


@dataclass(frozen=True)
class PauseOffer:
    """A pause offer: seat, days, and the end of its lifetime."""

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
    """The end of a game; `how` is one of `ENDINGS`."""

    how: str
    winner: Seat | None
    side: str | None
    reason: str
    at: datetime


@dataclass(frozen=True)
class State:
    position: Position
    plies: tuple[Ply, ...] = ()
    said: tuple[SpokenWords, ...] = ()
    ending: Ending | None = None
    draw_offer: Seat | None = None
    """The seat that offers a draw; the offer lapses when the other plays on."""
    draw_until: datetime | None = None
    """The lapse time of the last draw offer."""
    pause_offer: PauseOffer | None = None
    flagged: datetime | None = None
    """The flag time of a soft clock, for the player to move; else None."""
    standing: tuple[StandingOrder | None, StandingOrder | None] = (None, None)
    """The newest standing orders of each seat, visible to their owner only."""
    conditional_moves: tuple[ConditionalMoves | None, ConditionalMoves | None] = (None, None)
    """The conditional moves of each seat, visible to their owner only."""
    takeback_offer: TakebackRequest | None = None
    """The takeback request; it lapses at the next ply of either player."""
    taken_back: tuple[TakenBackPly, ...] = ()
    """The plies taken back."""
    before: State | None = field(default=None, compare=False, repr=False)
    """The state before the last ply, so that takebacks cost nothing."""
    rulings: tuple[Ruling, ...] = ()
    """The director's decisions, in order."""

    @property
    def to_play(self) -> Seat | None:
        """The seat to play, or None after the end."""
        return None if self.ending else self.position.to_play

    @property
    def picture(self) -> Picture:
        return self.position.picture()


def offers_to(state: State, seat: Seat) -> list[str]:
    """Offers that `seat` may accept now: draw, pause, undo. Empty once the game is over."""
    if state.ending is not None:
        return []
    found = [
        ("draw", state.draw_offer),
        ("pause", state.pause_offer.seat if state.pause_offer else None),
        ("undo", state.takeback_offer.seat if state.takeback_offer else None),
    ]
    return [what for what, by in found if by == other(seat)]
