"""What clocks must show, reckoned from play.md alone: an oracle that shares no line with the server.

Whole seconds since the year began, one happening after the other, every flag when it falls. The server
may look at a game whenever it likes; this looks at everything at its own moment.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from heapq import heapify, heappop, heappush

from tests.e2e.match import DAY, HOUR, MINUTE, NEVER, Match, Ply, Span, Time, Waiting


@dataclass
class Reckoning:
    """All games of all players, up to the moment of the last thing it was told of."""

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

    # What it is told, in order of time.

    def begins(self, match: Match) -> None:
        self._until(match.since)
        self.matches[match.number] = match
        self._watch(match)

    def ply(self, number: int, player: int, seat: int, nth: int, shown: int, at: int) -> bool:
        """A move for the nth ply, accepted `at`, of who had seen so many things; whether it counts."""
        self._until(at)
        match = self.matches[number]
        gone_back = any(kind in ("undo", "rollback") for kind, *_ in match.told[shown:])
        if match.over or gone_back or match.players[seat] != player:
            return False
        if match.turn != seat or len(match.plies) != nth or match.waiting:
            return False
        if any(ply.seat == seat and ply.number > shown for ply in match.plies):  # it is for an older board
            return False
        if player in self.windows:
            match.waiting = Waiting(seat, at)
            self.changed.add(number)
        else:
            self._plays(match, seat, at)
        return True

    def handled(self, number: int, at: int) -> int:
        """The mail with the ply that waits was handled `at`; when it will be made."""
        match = self.matches[number]
        assert match.waiting is not None
        until = at + self.windows[match.players[match.waiting.seat]]
        match.waiting = replace(match.waiting, until=until)
        self._watch(match)
        return until

    def _lets_go(self, match: Match, at: int) -> bool:
        """The ply that waits, if any, is made before anything else is done; whether the game goes on."""
        if match.waiting is not None:
            waited, match.waiting = match.waiting, None
            self._plays(match, waited.seat, at, made=waited.at)
            self.made(match.number, at)
        return match.over is None

    def answers(self, number: int, at: int) -> None:
        """What was planned is played: at once, so it costs nothing and brings nothing."""
        self._plays(self.matches[number], self.matches[number].turn, at, free=True)

    def ends(self, number: int, winner: int | None, at: int) -> None:
        """The newest ply has decided the game by its own rules."""
        self.matches[number].over = ("rules", winner, at)
        self.changed.add(number)

    def _plays(
        self, match: Match, seat: int, at: int, *, free: bool = False, made: int | None = None
    ) -> None:
        """A ply, of which the mail was accepted when it was `made`: what is taken from its owner's clock."""
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

    def leaves(self, player: int, begin: int, end: int, at: int) -> bool:
        """A vacation asked for `at`; whether it is given."""
        self._until(at)
        taken = self.taken[player]
        shorter = [(a, begin if auto and a <= begin < b else b, auto) for a, b, auto in taken]
        if any(first < end and begin < last for first, last, _ in shorter):
            return False
        back = sum(b for _, b, _ in taken) - sum(b for _, b, _ in shorter)
        if min(30 * DAY, self.saved(player, begin) + back) < end - begin - HOUR:
            return False
        if back:  # a day that the clock took ends where days begin that were asked for
            left, since = self._saved[player]
            self._saved[player] = (left + back, since)
            self.taken[player] = shorter
            self.away[player] = [(a, b) for a, b, _ in shorter if a < b]
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

    def comes(self, at: int) -> None:
        """Nothing happened up to `at` but what time does."""
        self._until(at)

    # What two settle, and what a director decides: each says whether it is done.

    def gives(self, number: int, seat: int, seconds: int, at: int) -> bool:
        self._until(at)
        match = self.matches[number]
        if match.over or not self._lets_go(match, at):
            return False
        match.tell("give", at, seat)
        match.gifts.append((len(match.told), 1 - seat, seconds))
        match.banks[1 - seat] += seconds
        self._watch(match)
        return True

    def asks_back(self, number: int, seat: int, at: int) -> str:
        """`undo` of the newest own ply: "unseen" where it waits and is gone at once, "asked" of another."""
        self._until(at)
        match = self.matches[number]
        if match.waiting and match.waiting.seat == seat:
            match.waiting = None
            match.unseen[seat] = at
            self._watch(match)
            return "unseen"
        if not self._may_ask(match, seat, at):
            return ""
        if match.waiting and not (self._lets_go(match, at) and self._may_ask(match, seat, at)):
            return ""
        match.tell("ask", at, seat)
        match.undoing = (seat, self._newest(match, seat))
        return "asked"

    def _may_ask(self, match: Match, seat: int, at: int) -> bool:
        newest = self._newest(match, seat)
        if match.over or match.undoing or newest < 0 or match.plies[newest].number in match.kept:
            return False
        if at - match.unseen.get(seat, -HOUR) < 10 * MINUTE and match.plies[newest].at < match.unseen[seat]:
            return False
        return not any(kind == "rollback" for kind, *_ in match.told[match.plies[newest].number :])

    def _newest(self, match: Match, seat: int) -> int:
        return max((n for n, ply in enumerate(match.plies) if ply.seat == seat), default=-1)

    def lets_back(self, number: int, seat: int, at: int, *, yes: bool) -> bool:
        """The ply goes with all that came after it; whose it was goes on with what was left, a day at least.

        The other has what he had before; what was given since stays given, and who took a seat over since
        has no less than there was at first.
        """
        self._until(at)
        match = self.matches[number]
        if match.over or match.undoing is None or match.undoing[0] == seat:
            return False
        if match.waiting and match.waiting.seat == seat:  # to whoever has played on nothing is on offer
            return False
        if yes and not (self._lets_go(match, at) and match.undoing):
            return False
        asker, nth = match.undoing
        gone, match.undoing = match.plies[nth], None
        if not yes:
            match.tell("stand", at, seat)
            match.kept.add(gone.number)
            return True
        match.tell("undo", at, seat)
        left = gone.banks[asker] + gone.grace - self._used(match, asker, gone.since, gone.at)
        match.banks = list(gone.banks)
        match.banks[asker] = max(left, min(DAY, gone.banks[asker]))
        for told, to, seconds in match.gifts:
            if told > gone.number:
                more = max(0, match.time.bank - match.banks[to]) if seconds is None else seconds
                match.banks[to] += more
        del match.plies[nth:]
        match.turns(asker, at)
        self._watch(match)
        return True

    def asks_pause(self, number: int, seat: int, days: int, at: int) -> bool:
        self._until(at)
        match = self.matches[number]
        if match.over or match.pausing or any(begin <= at < end for begin, end in match.agreed):
            return False
        if not self._lets_go(match, at):
            return False
        match.tell("ask-pause", at, seat)
        match.pausing = (seat, days)
        return True

    def lets_pause(self, number: int, seat: int, at: int) -> bool:
        self._until(at)
        match = self.matches[number]
        if match.over or match.pausing is None or match.pausing[0] == seat or not self._lets_go(match, at):
            return False
        match.tell("pause", at, seat)
        match.agreed.append((at, at + match.pausing[1] * DAY))
        match.pauses.append(match.agreed[-1])
        match.pausing = None
        self._watch(match)
        return True

    def extends(self, number: int, seat: int | None, seconds: int, at: int) -> bool:
        self._until(at)
        match = self.matches[number]
        if not self._lets_go(match, at):
            return False
        match.tell("extend", at, seat)
        for each in (0, 1) if seat is None else (seat,):
            match.gifts.append((len(match.told), each, seconds))
            match.banks[each] += seconds
        self._watch(match)
        return True

    def halts(self, number: int, until: int, at: int) -> bool:
        self._until(at)
        match = self.matches[number]
        if not self._lets_go(match, at) or self._halted(match, at):
            return False
        match.tell("halt", at)
        match.pauses.append((at, until))
        self._watch(match)
        return True

    def _halted(self, match: Match, at: int) -> set[Span]:
        """The director's pause in which a moment lies."""
        return {(begin, end) for begin, end in match.pauses if begin <= at < end} - set(match.agreed)

    def resumes(self, number: int, at: int) -> bool:
        """The director's pause ends before its time, or at last."""
        self._until(at)
        match = self.matches[number]
        if not self._lets_go(match, at) or not (halted := self._halted(match, at)):
            return False
        match.tell("go", at)
        match.pauses = [
            (begin, at) if (begin, end) in halted else (begin, end) for begin, end in match.pauses
        ]
        self._watch(match)
        return True

    def adjudges(self, number: int, winner: int, at: int) -> bool:
        self._until(at)
        match = self.matches[number]
        if not self._lets_go(match, at):
            return False
        match.tell("adjudicate", at)
        match.over = ("director", winner, at)
        self.changed.add(number)
        return True

    def goes_back(self, number: int, nth: int, at: int) -> bool:
        """To what it was after `nth` plies, the clocks too; also where the game is over."""
        self._until(at)
        match = self.matches[number]
        self._lets_go(match, at)
        if nth >= len(match.plies):
            return False
        gone = match.plies[nth]
        match.tell("rollback", at)
        fresh = (match.time.bank, match.time.bank)
        match.banks = list(match.after[match.plies[nth - 1].number] if nth else fresh)
        del match.plies[nth:]
        match.over = match.undoing = match.pausing = None
        match.turns(gone.seat, at)
        self._watch(match)
        return True

    def seats(self, number: int, seat: int, player: int, at: int) -> bool:
        """Somebody else goes on, with no less time than there was at first."""
        self._until(at)
        match = self.matches[number]
        if not self._lets_go(match, at) or player in match.players:
            return False
        match.tell("replace", at, seat)
        first, second = match.players
        match.players = (player, second) if seat == 0 else (first, player)
        match.gifts.append((len(match.told), seat, None))
        match.banks[seat] = max(match.banks[seat], match.time.bank)
        match.undoing = match.pausing = None
        if match.turn == seat:
            match.turns(seat, at)
        self._watch(match)
        return True

    # What it knows.

    def deadline(self, match: Match) -> int:
        """When the running turn's time and its grace are over."""
        return self._reach(match, match.banks[match.turn] + match.grace)

    def _reach(self, match: Match, left: int) -> int:
        """When so much of the running turn's time is over."""
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
            now = self._next(match)
            if now > noted:
                heappush(self._flags, (now, number))
            elif now == noted and match.waiting:
                self._lets_go(match, now)
            elif now == noted:
                self._falls(match, now)

    def _falls(self, match: Match, at: int) -> None:
        seat, player = match.turn, match.players[match.turn]
        wants = player not in self.thrifty and not match.grace and self._row(player, at) < 5
        end = min((first for first, _ in self.away[player] if at < first < at + DAY), default=at + DAY)
        if wants and self.saved(player, at) >= end - at:
            self._take(player, at, end, automatic=True)
        elif not match.grace and match.banks[seat] >= 3 * DAY:
            match.grace = DAY
            match.tell("grace", at, seat)
        else:
            match.tell("timeout", at, seat)
            dated = self._reach(match, match.banks[seat]) if match.grace else at
            played = [ply.seat for ply in match.plies]
            void = min(played.count(0), played.count(1)) < 2
            match.over = ("void", None, dated) if void else ("timeout", 1 - seat, dated)
            self.changed.add(match.number)
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
        """When time does something to a match by its number."""
        match = self.matches[number]
        return NEVER if match.over else self._next(match)

    def _next(self, match: Match) -> int:
        """When time does something to a match; while a ply waits no flag falls."""
        return match.waiting.until if match.waiting else self.deadline(match)


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


__all__ = ["DAY", "HOUR", "MINUTE", "NEVER", "Match", "Reckoning", "Time"]
