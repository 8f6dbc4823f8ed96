"""What clocks must show, reckoned from play.md alone: an oracle that shares no line with the server.

Whole seconds since the year began, one happening after the other, every flag when it falls. The server
may look at a game whenever it likes; this looks at everything at its own moment.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

HOUR, DAY = 3600, 86400
NEVER = 1 << 60
Span = tuple[int, int]


@dataclass(frozen=True)
class Time:
    """A pace: `bank` at first, `more` a ply, never above `cap`; or all of `bank` again for every ply."""

    bank: int
    more: int = 0
    cap: int = NEVER
    again: bool = False


@dataclass
class Match:
    """One game as it stands, and what happened in it: (kind, when, seat)."""

    number: int
    players: tuple[int, int]
    time: Time
    since: int
    told: list[tuple[str, int, int | None]] = field(default_factory=list)
    banks: list[int] = field(default_factory=list)
    turn: int = 0
    grace: int = 0
    flag: int = 0
    """When the time was over, where there is a grace after it."""
    over: tuple[str, int | None, int] | None = None
    """How, who has won, and the moment it is dated to."""

    def __post_init__(self) -> None:
        self.banks = [self.time.bank, self.time.bank]
        self.told.append(("start", self.since, None))

    @property
    def plies(self) -> list[int | None]:
        return [seat for kind, _at, seat in self.told if kind == "ply"]


@dataclass
class Reckoning:
    """All games of all players, up to the moment of the last thing it was told of."""

    outages: tuple[Span, ...]
    thrifty: frozenset[int]
    """Players who do not let the clock take their days off."""
    matches: dict[int, Match] = field(default_factory=dict)
    away: dict[int, list[Span]] = field(default_factory=lambda: defaultdict(list))
    taken: dict[int, list[tuple[int, int, bool]]] = field(default_factory=lambda: defaultdict(list))
    _saved: dict[int, tuple[float, int]] = field(default_factory=dict)
    _flags: list[tuple[int, int]] = field(default_factory=list)

    # What it is told, in order of time.

    def begins(self, match: Match) -> None:
        self._until(match.since)
        self.matches[match.number] = match
        self._watch(match)

    def ply(self, number: int, seat: int, nth: int, at: int) -> bool:
        """A move for the nth ply that was accepted `at`; whether it counts."""
        self._until(at)
        match = self.matches[number]
        if match.over or match.turn != seat or len(match.plies) != nth:
            return False
        match.told.append(("ply", at, seat))
        self._charge(match, seat, at)
        match.turn, match.since, match.grace = 1 - seat, at, 0
        self._watch(match)
        return True

    def leaves(self, player: int, begin: int, end: int, at: int) -> bool:
        """A vacation asked for `at`; whether it is given."""
        self._until(at)
        if any(first < end and begin < last for first, last in self.away[player]):
            return False
        if self.saved(player, begin) < end - begin - HOUR:
            return False
        self._take(player, begin, end, automatic=False)
        return True

    def returns(self, player: int, at: int) -> bool:
        """`back`, written `at`; whether there was a vacation to end."""
        self._until(at)
        for n, (first, last, automatic) in enumerate(self.taken[player]):
            if first <= at < last:
                self.taken[player][n] = (first, at, automatic)
                self.away[player] = [(a, b) for a, b, _ in self.taken[player] if a < b]
                left, since = self._saved[player]
                self._saved[player] = (left + last - at, since)
                self._rewatch(player)
                return True
        return False

    def ends(self, at: int) -> None:
        self._until(at)

    # What it knows.

    def deadline(self, match: Match) -> int:
        """When the running turn's time and its grace are over."""
        halts = sorted([*self.outages, *self.away[match.players[match.turn]]])
        here, left = match.since, match.banks[match.turn] + match.grace
        for begin, end in halts:
            if end <= here:
                continue
            if here + left < begin:
                break
            left -= max(0, begin - here)
            here = max(here, end)
        return here + left

    def saved(self, player: int, at: int) -> float:
        """Days off in seconds: 14 days at first, one more for every 12, never more than 30."""
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
            now = self.deadline(match)
            if now > noted:
                heappush(self._flags, (now, number))
            elif now == noted:
                self._falls(match, now)

    def _falls(self, match: Match, at: int) -> None:
        seat, player = match.turn, match.players[match.turn]
        wants = player not in self.thrifty and not match.grace and self._row(player, at) < 5
        end = min((first for first, _ in self.away[player] if at < first < at + DAY), default=at + DAY)
        if wants and self.saved(player, at) >= end - at:
            self._take(player, at, end, automatic=True)
        elif not match.grace and match.banks[seat] >= 3 * DAY:
            match.grace, match.flag = DAY, at
            match.told.append(("grace", at, seat))
        else:
            match.told.append(("timeout", at, seat))
            dated = match.flag if match.grace else at
            played = match.plies
            void = min(played.count(0), played.count(1)) < 2
            match.over = ("void", None, dated) if void else ("timeout", 1 - seat, dated)
            return
        self._watch(match)

    def _row(self, player: int, at: int) -> int:
        """How many days taken by flags lie behind each other before a moment, each less than a day apart."""
        row = 0
        for first, last, automatic in sorted(self.taken[player], reverse=True):
            if automatic and first < at:
                if at - last >= DAY:
                    break
                row, at = row + 1, first
        return row

    def _charge(self, match: Match, seat: int, at: int) -> None:
        if match.time.again:
            return
        player = match.players[seat]
        used = at - match.since - _covered([*self.outages, *self.away[player]], match.since, at)
        rest = max(0, match.banks[seat] - used)
        absent = any(first <= at < last for first, last in self.away[player])
        more = rest + (0 if absent else match.time.more)
        match.banks[seat] = min(more, max(rest, match.time.cap))

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
        heappush(self._flags, (self.deadline(match), match.number))


def _covered(spans: Iterable[Span], begin: int, end: int) -> int:
    """How many of the seconds from `begin` to `end` lie within any of the spans."""
    edges = [(max(first, begin), min(last, end)) for first, last in spans if first < end and begin < last]
    heapify(edges)
    total, here = 0, begin
    while edges:
        first, last = heappop(edges)
        total += max(0, last - max(first, here))
        here = max(here, last)
    return total


__all__ = ["DAY", "HOUR", "Match", "Reckoning", "Time"]
