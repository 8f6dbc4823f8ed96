"""Effects of time on the games of the year: flags, days off, plies in the undo window.

They are calculated from play.md alone, one after the other, each flag at the moment when it falls. It does
not matter when the server checks its clocks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

from tests.e2e.match import DAY, NEVER, Match, Ply, Span


@dataclass
class Clockwork:
    """All games of all players, up to the last event that it was told of."""

    outages: tuple[Span, ...]
    thrifty: frozenset[int]
    """Players who do not let the clock take their days off."""
    windows: dict[int, int] = field(default_factory=dict)
    """How long a player's plies wait, of those whose do."""
    made: Callable[[int, int], None] = lambda number, at: None
    """Told when a ply that waited is made in a match."""
    matches: dict[int, Match] = field(default_factory=dict)
    away: dict[int, list[Span]] = field(default_factory=lambda: defaultdict(list))
    changed: set[int] = field(default_factory=set)
    """Matches whose clocks have changed since somebody last looked."""
    taken: dict[int, list[tuple[int, int, bool]]] = field(default_factory=lambda: defaultdict(list))
    _saved: dict[int, tuple[float, int]] = field(default_factory=dict)
    _flags: list[tuple[int, int]] = field(default_factory=list)

    def comes(self, at: int) -> None:
        """Apply all effects of time up to `at`."""
        self._until(at)

    def _lets_go(self, match: Match, at: int) -> bool:
        """Make the waiting ply, if there is one, before anything else; True if the game goes on."""
        if match.waiting is not None:
            waited, match.waiting = match.waiting, None
            self._plays(match, waited.seat, at, made=waited.at)
            self.made(match.number, at)
        return match.over is None

    def _plays(
        self, match: Match, seat: int, at: int, *, free: bool = False, made: int | None = None
    ) -> None:
        """Make a ply whose mail was accepted at `made`, and charge its owner's clock."""
        match.tell("ply", at, seat)
        made = at if made is None else made
        before = (match.banks[0], match.banks[1])
        match.plies.append(Ply(seat, made, len(match.told), before, match.since, match.grace))
        if not free:
            self._charge(match, seat, made)
        match.after[len(match.told)] = (match.banks[0], match.banks[1])
        match.undoing = None
        match.turns(1 - seat, at)
        self._watch(match)

    # What it knows.

    def deadline(self, match: Match) -> int:
        """The moment when the time of the running turn and its grace are over."""
        return self._reach(match, match.banks[match.turn] + match.grace)

    def _reach(self, match: Match, left: int) -> int:
        """The moment when so much of the running turn's time is over."""
        here = match.since
        for begin, end in sorted(self._halts(match, match.turn)):
            if end <= here:
                continue
            if here + left < begin:
                break
            left -= max(0, begin - here)
            here = max(here, end)
        return here + left

    def _halts(self, match: Match, seat: int) -> list[Span]:
        return [*self.outages, *self.away[match.players[seat]], *match.pauses]

    def saved(self, player: int, at: int) -> float:
        """Saved days off in seconds: 14 days at first, one more for every 12, never more than 30."""
        left, since = self._saved.get(player, (14 * DAY, 0))
        return min(30 * DAY, left + max(0, at - since) / 12)

    # What time does.

    def _until(self, moment: int) -> None:
        """Let every flag fall that falls by `moment`, the earliest first."""
        while self._flags and self._flags[0][0] <= moment:
            noted, number = heappop(self._flags)
            match = self.matches[number]
            if match.over:
                continue
            now = self._next(match)
            if now > noted:
                heappush(self._flags, (now, number))
            elif now == noted and match.waiting:
                self._lets_go(match, now)
            elif now == noted:
                self._falls(match, now)

    def _falls(self, match: Match, at: int) -> None:
        seat, player = match.turn, match.players[match.turn]
        played = [ply.seat for ply in match.plies]
        void = min(played.count(0), played.count(1)) < 2
        wants = not void and player not in self.thrifty and not match.grace and self._row(player, at) < 5
        end = min((first for first, _ in self.away[player] if at < first < at + DAY), default=at + DAY)
        if wants and self.saved(player, at) >= end - at:
            self._take(player, at, end, automatic=True)
        elif not match.grace and match.banks[seat] >= 3 * DAY:
            match.grace = DAY
            match.tell("grace", at, seat)
        else:
            match.tell("timeout", at, seat)
            dated = self._reach(match, match.banks[seat]) if match.grace else at
            match.over = ("void", None, dated) if void else ("timeout", 1 - seat, dated)
            self.changed.add(match.number)
            return
        self._watch(match)

    def _row(self, player: int, at: int) -> int:
        """The number of days taken by flags before a moment, each less than a day after the one before."""
        row = 0
        for first, last, automatic in sorted(self.taken[player], reverse=True):
            if automatic and first < at:
                if at - last >= DAY:
                    break
                row, at = row + 1, first
        return row

    def _charge(self, match: Match, seat: int, at: int) -> None:
        if match.time.again:
            match.banks[seat] = match.time.bank
            return
        rest = max(0, match.banks[seat] - self._used(match, seat, match.since, at))
        absent = any(first <= at < last for first, last in self.away[match.players[seat]])
        more = rest + (0 if absent else match.time.more)
        match.banks[seat] = min(more, max(rest, match.time.cap))

    def _used(self, match: Match, seat: int, since: int, at: int) -> int:
        return at - since - _covered(self._halts(match, seat), since, at)

    def _take(self, player: int, begin: int, end: int, *, automatic: bool) -> None:
        since = max(begin, self._saved.get(player, (0, 0))[1])  # a day planned for later is counted already
        self._saved[player] = (self.saved(player, begin) - (end - begin), since)
        self.taken[player].append((begin, end, automatic))
        self.away[player].append((begin, end))
        self._rewatch(player)

    def _rewatch(self, player: int) -> None:
        for match in self.matches.values():
            if not match.over and match.players[match.turn] == player:
                self._watch(match)

    def _watch(self, match: Match) -> None:
        self.changed.add(match.number)
        heappush(self._flags, (self._next(match), match.number))

    def comes_next(self, number: int) -> int:
        """The next moment when time changes the match with this number."""
        match = self.matches[number]
        return NEVER if match.over else self._next(match)

    def _next(self, match: Match) -> int:
        """The next moment when time changes a match; while a ply waits, no flag falls."""
        return match.waiting.until if match.waiting else self.deadline(match)


def _covered(spans: Iterable[Span], begin: int, end: int) -> int:
    """Seconds from `begin` to `end` that lie within one of the spans."""
    edges = [(max(first, begin), min(last, end)) for first, last in spans if first < end and begin < last]
    heapify(edges)
    total, here = 0, begin
    while edges:
        first, last = heappop(edges)
        total += max(0, last - max(first, here))
        here = max(here, last)
    return total
