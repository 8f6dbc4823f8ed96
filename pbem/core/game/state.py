"""The state of a game after its journal, as `fold` computes it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TypeVar

from pbem.core.game.conditional import ConditionalMoves
from pbem.core.game.journal import OFFER_LIFETIMES, Entry, Ruling
from pbem.core.game.writing import to_write
from rules.contract import SEAT_NAMES, Position, Seat, StandingOrder
from rules.picture import Picture

Value = TypeVar("Value")


@dataclass(frozen=True)
class Ply:
    """A ply, numbered from 1. Standing orders or conditional moves made it if `auto`."""

    n: int
    entry: int
    seat: Seat
    move: str
    at: datetime
    comment: str = ""
    auto: bool = False
    entered: bool = False
    """True if a director entered the ply."""


@dataclass(frozen=True)
class SpokenWords:
    after: int
    entry: int
    seat: Seat
    words: str
    at: datetime


@dataclass(frozen=True)
class Comment:
    """Words on a ply of a finished game, 0 before the first. `player`: the writer's number."""

    after: int
    entry: int
    player: int
    name: str
    words: str
    at: datetime


@dataclass(frozen=True)
class TakenBackPly:
    ply: Ply
    entry: int
    at: datetime


@dataclass(frozen=True)
class Offer:
    """An open offer, by its entry; `OFFER_LIFETIMES` names all."""

    seat: Seat
    entry: Entry
    until: datetime


RESULTS = (*SEAT_NAMES, "draw", "void")
"""The results of games; `void` is for one that came to nothing."""
ENDINGS = ("rules", "resignation", "timeout", "agreement", "claim", "proof", "director", "void")


def result_word(how: str, winner: Seat | None) -> str:
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
    """A state. Standing orders and conditional moves, by seat, are visible to their owner only."""

    position: Position
    plies: tuple[Ply, ...] = ()
    said: tuple[SpokenWords, ...] = ()
    comments: tuple[Comment, ...] = ()
    """Comments on the finished game. While a director has opened the game again, nobody sees them."""
    ending: Ending | None = None
    offers: Mapping[str, Offer] = field(default_factory=dict)
    flagged: datetime | None = None
    """The flag time of a soft clock, for the player to move; else None."""
    standing: tuple[StandingOrder | None, StandingOrder | None] = (None, None)
    conditional_moves: tuple[ConditionalMoves | None, ConditionalMoves | None] = (None, None)
    taken_back: tuple[TakenBackPly, ...] = ()
    before: "State | None" = field(default=None, compare=False, repr=False)
    """The state before the last ply, so that takebacks cost nothing."""
    rulings: tuple[Ruling, ...] = ()

    @property
    def to_play(self) -> Seat | None:
        return None if self.ending else self.position.to_play

    @property
    def picture(self) -> Picture:
        return self.position.picture()

    @cached_property
    def examples(self) -> tuple[str, ...]:
        """Legal plies as a mail may have them."""
        texts = [] if self.ending else self.position.examples()
        return tuple(to_write(self.position, self.position.read_ply(text)) for text in texts)


def board_states(state: State) -> list[State]:
    """Return the states before the first ply and after each that stands. Nothing is folded again."""
    found = [state]
    while found[-1].before is not None:
        found.append(found[-1].before)
    return found[::-1]


def offers_to(state: State, seat: Seat) -> list[str]:
    """Offers that `seat` may accept now."""
    return [what for what in OFFER_LIFETIMES if what in state.offers and state.offers[what].seat != seat]


def count_plies_by_hand(state: State, seat: Seat) -> int:
    return sum(ply.seat == seat and not ply.auto for ply in state.plies)


def put_at(seat: Seat, value: Value, pair: tuple[Value, Value]) -> tuple[Value, Value]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)
