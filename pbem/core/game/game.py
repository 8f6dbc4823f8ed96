"""A game between two people. Everything follows from its setup and journal."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, partial, reduce
from typing import Any

from pbem.core.clock.clock import Clock, ClockStops
from pbem.core.clock.intervals import Interval
from pbem.core.game.fold import clocks_between, fold, state_after
from pbem.core.game.journal import COMMENT, PLY, PRIVATE_KINDS, REPLACE, Entry, director_stops
from pbem.core.game.setup import Setup
from pbem.core.game.state import State
from pbem.core.players import Player
from rules.contract import Seat


@dataclass(frozen=True)
class Game(Setup):
    """A game, with what follows from its setup and journal."""

    @property
    def pause(self) -> Interval | None:
        """The newest agreed pause, unless it ended before the last entry."""
        pauses = self.agreed
        return pauses[-1] if pauses and pauses[-1][1] > self.open_entries[-1].at else None

    @cached_property
    def open_entries(self) -> tuple[Entry, ...]:
        """The journal without hidden entries, as letters, addresses and pages count."""
        return tuple(entry for entry in self.journal if entry.kind not in PRIVATE_KINDS)

    @property
    def title(self) -> str:
        """The subject of all letters about this game, like `Bipod #42: Bill - Joao`."""
        return f"{self.rules.name} #{self.id}: {self.seats[0].name} - {self.seats[1].name}"

    @cached_property
    def state(self) -> State:
        return fold(self)

    @property
    def told_seed(self) -> str | None:
        """Return the seed, None while the game goes on. Before, it would foretell a bot's moves."""
        return None if self.state.ending is None else str(self.seed)

    @cached_property
    def clock(self) -> Clock:
        return replace(clocks_between(self)[-1], running=self.state.to_play)

    @property
    def deadline(self) -> datetime | None:
        """The end of the running turn. None without a clock, or after the end."""
        return self.clock.deadline(self.stops)

    def as_seen_by(self, seat: Seat | None) -> "Game":
        if self.pending is None or self.pending.seat != seat:
            return self
        n = len(self.journal)
        entries = [replace(entry, n=n + i) for i, entry in enumerate(self.pending.entries, 1)]
        return replace(self, pending=None, pending_entries=self.pending.open).with_entries(entries)

    def seat_of(self, player: Player) -> Seat | None:
        if player.id == self.seats[0].id:
            return 0
        return 1 if player.id == self.seats[1].id else None

    def with_entries(self, entries: Iterable[Entry]) -> "Game":
        """Return the game with more entries. A state already known goes on from there."""
        added = tuple(entries)
        both = director_stops(added, self.stops.both)
        stops = self.stops if both == self.stops.both else replace(self.stops, both=both)
        after = replace(self, journal=self.journal + added, stops=stops)
        if "state" in self.__dict__:
            after.__dict__["state"] = reduce(partial(state_after, self), added, self.state)
        return after

    def next_entry(self, at: datetime, kind: str, seat: Seat | None, data: Mapping[str, Any]) -> Entry:
        return Entry(len(self.journal) + 1, self.not_before(at), kind, seat, data)

    def not_before(self, at: datetime) -> datetime:
        """`at`, but never before the last entry. Another machine's clock may differ."""
        return max(at, self.journal[-1].at) if self.journal else at

    def with_stops(self, stops: ClockStops) -> "Game":
        """Return the game with other clock stops. Cached values that do not depend on them stay."""
        after = replace(self, stops=stops)
        if after.stops == self.stops:
            return self
        for name in self.__dict__.keys() & {"state", "open_entries"}:
            after.__dict__[name] = self.__dict__[name]
        return after

    @property
    def founders(self) -> tuple[int, int]:
        return self.id_at(0, 0), self.id_at(1, 0)

    @cached_property
    def replacements(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.journal if entry.kind == REPLACE)

    def id_at(self, seat: Seat, entry: int) -> int:
        """The number of the player who made journal entry `entry` at `seat`."""
        return int(next((each["was"] for each in self._replaced(seat, entry)), self.seats[seat].id))

    def name_at(self, seat: Seat, entry: int) -> str:
        return str(next((each["old"] for each in self._replaced(seat, entry)), self.seats[seat].name))

    def author_of(self, entry: Entry) -> tuple[int, str] | None:
        """Return number and name of the player who made an entry, None for the clock's and a director's."""
        if entry.kind == COMMENT:
            return entry.data["player"], entry.data["name"]
        if entry.seat is None:
            return None
        return self.id_at(entry.seat, entry.n), self.name_at(entry.seat, entry.n)

    def _replaced(self, seat: Seat, since: int) -> Iterator[Mapping[str, Any]]:
        return (entry.data for entry in self.replacements if entry.n > since and entry.seat == seat)


def last_own_ply(game: Game, seat: Seat) -> int:
    own = (e.n for e in reversed(game.journal) if e.kind == PLY and e.seat == seat and not e.data.get("auto"))
    return next(own, 0)


def first_since(game: Game, since: int, kind: str, seat: Seat | None = None) -> Entry | None:
    """Return the first entry of a kind that makes a reply stale. `seat` may narrow it."""
    later = (entry for entry in game.open_entries[since:] if entry.kind == kind)
    return next((entry for entry in later if seat in (None, entry.seat)), None)
