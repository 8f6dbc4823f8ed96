"""A game between two people: its setup, its journal, and what follows from the two.

The journal is the truth; whatever else is stored about a game can be made from it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from pbem.core.clocks import NO_HALTS, Clock, Halts
from pbem.core.folding import fold
from pbem.core.journal import HIDDEN, PAUSE, PLY, SEATS, UNDO, Entry, Held
from pbem.core.pace import NONE, Pace
from pbem.core.people import Player
from pbem.core.rulings import REPLACE, halted, sittings
from pbem.core.spans import Span, Spans, union
from pbem.core.stands import Stands, spans_of
from pbem.core.state import State
from pbem.core.timing import clock_after, made
from rules.contract import Rules, Seat

TIMELESS = ("state", "open_entries")
"""What follows from the journal alone, whenever clocks stood."""


@dataclass(frozen=True)
class Game:
    """A game's setup, its two players by seat, and its journal."""

    id: int
    rules: Rules
    options: Mapping[str, Any]
    seed: int
    seats: tuple[Player, Player]
    started_at: datetime
    journal: tuple[Entry, ...] = ()
    rated: bool = True
    rules_version: str = "1"
    """The version of the rules it was begun under."""
    pace: Pace = NONE
    soft: bool = False
    """Whether a fallen flag ends nothing by itself, but lets the other claim."""
    halts: Halts = NO_HALTS
    """When its clocks stood, or will stand; the pauses in its journal are always among them."""
    held: Held | None = None
    """What waits until its owner can no more take it back: in no journal, so for nobody else to see."""
    ahead: int = 0
    """How many open entries at the end only wait: no reply address counts them, for they may never be."""
    stands: Stands = ()
    """When a player's clock stood, or will stand, for a mail that we could not handle."""

    def __post_init__(self) -> None:
        """Both clocks stand in a pause that the players agreed to, whatever else stops them.

        So does one alone for a mail of its player that was put aside.
        """
        if self.agreed:
            halts = replace(self.halts, both=union((*self.halts.both, *self.agreed)))
            object.__setattr__(self, "halts", halts)
        if self.stands:
            first, second = (spans_of(self.stands, seat) for seat in SEATS)
            object.__setattr__(self, "halts", replace(self.halts, stands=(first, second)))

    @property
    def agreed(self) -> Spans:
        """The pauses that the two players agreed to."""
        pauses = (entry for entry in self.journal if entry.kind == PAUSE)
        return union((made(entry), datetime.fromisoformat(entry.data["until"])) for entry in pauses)

    @property
    def pause(self) -> Span | None:
        """The newest of them, if it was not over at the last thing that happened."""
        pauses = self.agreed
        return pauses[-1] if pauses and pauses[-1][1] > self.open_entries[-1].at else None

    @cached_property
    def open_entries(self) -> tuple[Entry, ...]:
        """The journal without what is hidden: what letters, addresses and pages count."""
        return tuple(entry for entry in self.journal if entry.kind not in HIDDEN)

    @property
    def title(self) -> str:
        """`Bipod #42: Bill - Joao`: the subject of every letter of this game."""
        return f"{self.rules.name} #{self.id}: {self.seats[0].name} - {self.seats[1].name}"

    @cached_property
    def state(self) -> State:
        """The game as it stands: the fold over its whole journal, made once."""
        return fold(self)

    @cached_property
    def clock_by_journal(self) -> Clock:
        """Both clocks after the whole journal, which does not say by itself whose turn it is."""
        return clock_after(self, None)

    @cached_property
    def clock(self) -> Clock:
        """Both clocks after the whole journal."""
        return clock_after(self, self.state.to_play)

    @property
    def deadline(self) -> datetime | None:
        """When the running turn's time is over; None for a game without a clock, or at its end."""
        return self.clock.deadline(self.halts)

    def seen_by(self, seat: Seat | None) -> Game:
        """The game as the player at `seat` sees it: with what waits there, where it is his."""
        if self.held is None or self.held.seat != seat:
            return self
        n = len(self.journal)
        entries = [replace(entry, n=n + i) for i, entry in enumerate(self.held.entries, 1)]
        return replace(self, held=None, ahead=self.held.open).with_entries(entries)

    def seat_of(self, player: Player) -> Seat | None:
        """Where `player` sits, None for anybody else."""
        if player.id == self.seats[0].id:
            return 0
        return 1 if player.id == self.seats[1].id else None

    def with_entries(self, entries: Iterable[Entry]) -> Game:
        added = tuple(entries)
        return replace(self, journal=self.journal + added, halts=halted(self.halts, added))

    def with_halts(self, halts: Halts) -> Game:
        """The game with its clocks stopped so; what its journal says is not folded again."""
        after = replace(self, halts=halts)
        if after.halts == self.halts:
            return self
        after.__dict__.update({name: self.__dict__[name] for name in TIMELESS if name in self.__dict__})
        return after

    @property
    def founders(self) -> tuple[int, int]:
        """The numbers of the two players who began it."""
        first, second = (sittings(self.seats[seat].id, seat, self._replacements)[0].player for seat in SEATS)
        return first, second

    @property
    def replaced(self) -> bool:
        """Whether anybody took another's place: then the game is not rated."""
        return bool(self._replacements)

    @cached_property
    def _replacements(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.journal if entry.kind == REPLACE)

    def id_at(self, seat: Seat, entry: int) -> int:
        """The number of the player at `seat` who made journal entry number `entry`."""
        after = (e for e in self._replacements if e.n > entry and e.seat == seat)
        return next((int(e.data["was"]) for e in after), self.seats[seat].id)

    def name_at(self, seat: Seat, entry: int) -> str:
        """What the player at `seat` was called who made journal entry number `entry`."""
        after = (e for e in self._replacements if e.n > entry and e.seat == seat)
        return next((str(e.data["old"]) for e in after), self.seats[seat].name)


def last_own_ply(game: Game, seat: Seat) -> int:
    """The journal entry of the last ply that the player at `seat` made himself, 0 where there is none."""
    own = (e.n for e in reversed(game.journal) if e.kind == PLY and e.seat == seat and not e.data.get("auto"))
    return next(own, 0)


def ply_since(game: Game, entry: int) -> Entry | None:
    """The first ply made after open entry number `entry`: what makes a reply to it stale."""
    return next((e for e in game.open_entries[entry:] if e.kind == PLY), None)


def undone_since(game: Game, entry: int) -> bool:
    """Whether a ply was taken back after open entry number `entry`: a letter of then shows another game."""
    return any(e.kind == UNDO for e in game.open_entries[entry:])
