"""The reminders that must be sent, calculated from that paragraph of play.md alone, beside `reckoning`.

Each time the clock ran, this is told what was sent, and names every fault: a missing reminder, one too many,
or one at the wrong hour. It then takes what was sent as sent, so no fault hides another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from heapq import heappop, heappush
from zoneinfo import ZoneInfo

from tests.e2e.match import DAY, HOUR, MINUTE, NEVER, Match
from tests.e2e.reckoning import Reckoning

QUARTER = 15 * 60
"""Quiet begins and ends on a quarter of an hour, whatever the zone does."""
STALE = 2 * HOUR
"""What was due while nobody was to be reminded comes so much later, where its turn goes on then."""
Turn = tuple[int, int]
"""A match, and how many things had happened there when its turn began."""


@dataclass(frozen=True)
class Taste:
    """A player's settings for reminders: hours before the flag (None: the usual), and the quiet hours."""

    zone: ZoneInfo
    hours: tuple[int, ...] | None = None
    quiet: tuple[int, int] | None = (22, 7)
    wants: bool = True


@dataclass(frozen=True)
class Nudge:
    """One reminder that is to come."""

    at: int
    which: str
    last: bool


@dataclass(frozen=True)
class Noted:
    """A reminder that the server has handled, in the letter with this name, or in none."""

    match: int
    turn: int
    which: str
    player: int
    letter: str | None


@dataclass
class Nudges:
    """The reminders that are due, and those that have come."""

    reckoning: Reckoning
    epoch: int
    """When the year begins, in seconds since 1970."""
    tastes: dict[int, Taste]
    told: dict[Turn, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    """When which reminders of a turn came; one whose moment has moved on by half a day comes again."""
    letters: dict[int, int] = field(default_factory=dict)
    """When the newest letter to somebody came."""
    wrong: list[str] = field(default_factory=list)
    seen: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    waiting: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    _agenda: list[tuple[int, int]] = field(default_factory=list)
    _upto: int = 0
    _doubt: int = -DAY

    def watch(self, number: int, now: int) -> list[int]:
        """Check a match again after a change of its clock; returns the next due moment."""
        match = self.reckoning.matches[number]
        for player in match.players:
            self.waiting[player].discard(number)
        if match.over or match.waiting:
            return []
        self.waiting[match.players[match.turn]].add(number)
        found = [nudge.at for nudge in self.of(match, now) if nudge.at > self._upto - STALE]
        for at in found:
            heappush(self._agenda, (at, number))
        return found

    def judge(self, now: int, noted: Iterable[Noted], *, sure: bool) -> None:
        """The faults of what the server did `now`, after it handled all that was due a minute ago.

        Not `sure`: an unread mail waits there, so this cannot know all that has happened.
        """
        due = self._due(now)
        if not sure:
            self._doubt = now
        by_player: dict[int, list[Noted]] = defaultdict(list)
        for each in noted:
            by_player[each.player].append(each)
        if now - self._doubt > 3 * HOUR:
            for player in due.keys() | by_player.keys():
                self._judge(player, now, due.get(player, {}), by_player[player])
        for each in (one for ones in by_player.values() for one in ones):
            turn = (each.match, each.turn)
            nudge = next((one for one in self._of_now(each) if one.which == each.which), None)
            if nudge is not None and self._came(turn, nudge):
                self.wrong.append(f"{now}: {each} came twice")
            self.told[turn][each.which] = now
            if each.letter is not None:
                self.letters[each.player] = now
        self._upto = now - MINUTE

    def _of_now(self, noted: Noted) -> list[Nudge]:
        match = self.reckoning.matches[noted.match]
        return self.of(match, self._upto + MINUTE)

    def _came(self, turn: Turn, nudge: Nudge) -> bool:
        """True if a reminder was handled, and has not moved on since by given time or a pause."""
        at = self.told[turn].get(nudge.which)
        return at is not None and nudge.at - at <= 12 * HOUR

    def _due(self, now: int) -> dict[int, dict[int, Nudge]]:
        """The reminders that became due since the clock last ran, by player and match."""
        found: dict[int, dict[int, Nudge]] = defaultdict(dict)
        while self._agenda and self._agenda[0][0] <= now - MINUTE:
            at, number = heappop(self._agenda)
            match = self.reckoning.matches[number]
            for nudge in [] if match.over or match.waiting else self.of(match, now):
                if nudge.at == at and not self._came(turn_of(match), nudge):
                    found[match.players[match.turn]][number] = nudge
        return found

    def _judge(self, player: int, now: int, due: dict[int, Nudge], noted: list[Noted]) -> None:
        recent = now - self.letters.get(player, -DAY) < 12 * HOUR
        inside = {each.match: each.which for each in noted if each.letter is not None}
        beside = {each.match: each.which for each in noted if each.letter is None}
        found = [*self._missing(player, due, inside, beside, recent=recent)]
        if inside:
            letters = {each.letter for each in noted} - {None}
            found += ["more than one letter"] if len(letters) > 1 else []
            found += ["too soon"] if recent and not any(nudge.last for nudge in due.values()) else []
            found += self._too_much(player, now, due, inside, set(beside))
        self.wrong += [f"{now}: {each}; player {player}, due {due}, came {noted}" for each in found]
        self.seen["due"] += len(due)
        self.seen["letters"] += bool(inside)
        self.seen["merged"] += len(inside) > 1

    def _missing(
        self,
        player: int,
        due: dict[int, Nudge],
        inside: dict[int, str],
        beside: dict[int, str],
        *,
        recent: bool,
    ) -> Iterator[str]:
        """Due reminders that did not come. One before a flag always comes, others not soon after a letter."""
        for number, nudge in due.items():
            if nudge.which not in (inside.get(number), beside.get(number)):
                yield f"{number} is missing"
            elif number in beside and self.tastes[player].wants and (nudge.last or not recent):
                yield f"{number} was kept back"

    def _too_much(
        self, player: int, now: int, due: dict[int, Nudge], inside: dict[int, str], beside: set[int]
    ) -> Iterator[str]:
        """The faults of a letter: games that it should not hold, and games that it lacks."""
        soon = dict(self._soon(player, now))
        may = {number: nudge.which for number, nudge in (soon | due).items()}
        if not self.tastes[player].wants:
            yield "none was wanted"
        if not due.keys() & inside.keys():
            yield "nothing in it was due"
        for number, which in inside.items():
            if which != may.get(number):
                yield f"{number} is in it for nothing"
        for number in soon.keys() - inside.keys() - beside:
            yield f"{number} would have been due soon"

    def _soon(self, player: int, now: int) -> Iterator[tuple[int, Nudge]]:
        """The player's other turns with reminders in the next twelve hours."""
        for number in self.waiting[player]:
            match = self.reckoning.matches[number]
            if match.players[match.turn] != player:  # somebody else has taken the seat
                continue
            if match.over or now - match.since < 3 * HOUR or self._stands(match, now, now):
                continue
            for nudge in self.of(match, now):
                if now < nudge.at <= now + 12 * HOUR and not self._came(turn_of(match), nudge):
                    yield number, nudge
                    break

    # The moments.

    def of(self, match: Match, now: int) -> list[Nudge]:
        """The reminders of the running turn, as known `now`."""
        taste, turn = self.tastes[match.players[match.turn]], match.banks[match.turn]
        if taste.hours is not None:
            times = [(f"{hours}h", hours * HOUR) for hours in taste.hours]
        else:
            times = [("half", turn // 2)] * (turn >= 4 * DAY) + [("last", min(DAY, turn // 4))]
        flag = self._reach(match, turn, now)
        if flag >= NEVER:
            return []
        found: dict[int, Nudge] = {}
        for place, (which, before) in enumerate(times, 1):
            if before >= turn:
                continue
            last = place == len(times)
            own = self._reach(match, turn - before, now)
            choice = [self._louder(own, taste)]
            if last:  # it is always sent, so where there is no better moment it comes by night
                choice += [own, self._reach(match, 3 * HOUR, now)]
            for at in choice:
                if 3 * HOUR <= at - match.since and at < flag and not self._stands(match, at, now):
                    found[at] = Nudge(at, which, last)
                    break
        return [found[at] for at in sorted(found)]

    def _halts(self, match: Match, now: int) -> list[tuple[int, int]]:
        """The known times when the clock of the player to move stands; an outage is known after its end."""
        away = self.reckoning.away[match.players[match.turn]]
        return sorted([*((a, b) for a, b in self.reckoning.outages if b <= now), *away, *match.pauses])

    def _stands(self, match: Match, at: int, now: int) -> bool:
        return any(begin <= at < end for begin, end in self._halts(match, now))

    def _reach(self, match: Match, time: int, now: int) -> int:
        """The moment when so much of the turn's time is gone."""
        here = match.since
        for begin, end in self._halts(match, now):
            if end <= here:
                continue
            if here + time < begin:
                break
            time -= max(0, begin - here)
            here = end
        return here + time

    def _louder(self, at: int, taste: Taste) -> int:
        """The moment itself, or the last one before it outside the quiet hours."""
        if not self._is_quiet(at, taste):
            return at
        here = at - (at + self.epoch) % QUARTER
        while self._is_quiet(here - QUARTER, taste):
            here -= QUARTER
        return here

    def _is_quiet(self, at: int, taste: Taste) -> bool:
        if taste.quiet is None:
            return False
        begin, end = taste.quiet
        hour = datetime.fromtimestamp(at + self.epoch, taste.zone).hour
        return begin <= hour < end if begin < end else hour >= begin or hour < end


def turn_of(match: Match) -> Turn:
    """The number of the running turn of a match."""
    return match.number, match.begun
