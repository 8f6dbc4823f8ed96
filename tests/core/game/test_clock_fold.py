"""Clocks over whole journals, against a minute-by-minute simulation.

The simulation walks through every minute of a game. It knows no intervals, no fold and no dates, only what a
referee with two clocks and a notebook would do. The random journals hold everything that moves a clock.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.core.clock.clock import ClockStops
from pbem.core.clock.intervals import union
from pbem.core.clock.time_control import read_pace
from pbem.core.game.fold import clocks_between
from pbem.core.game.game import Game
from pbem.core.game.journal import Entry, director_stops
from tests.amount import amount
from tests.people import a_game

START = datetime(2026, 3, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
HOUR, DAY = 60, 24 * 60
NEVER = 1 << 40
PACES = {  # bank, increment, cap; None: a new bank for every ply
    "6h/move": (6 * HOUR, None, None),
    "2d/move": (2 * DAY, None, None),
    "30h+5h<=40h": (30 * HOUR, 5 * HOUR, 40 * HOUR),
    "3d+1d": (3 * DAY, DAY, NEVER),
    "2d": (2 * DAY, 0, NEVER),
}
Stretch = tuple[int, int]


@dataclass(frozen=True)
class Act:
    """An event, `gap` minutes after the one before, if it is allowed."""

    gap: int
    what: str
    seat: int
    size: int


@dataclass
class Notes:
    """The referee's notes at a ply: clocks before, state after."""

    entry: int
    seat: int
    before: list[int]
    used: int
    grace: int
    after: list[int]
    given: list[tuple[str, int, int]] = field(default_factory=list)
    """Time given to either player since, and new players of seats."""


class Table:
    """Two clocks, simulated minute by minute."""

    def __init__(self, pace: str, away: tuple[list[Stretch], list[Stretch]], outages: list[Stretch]) -> None:
        self.bank, self.more, self.cap = PACES[pace]
        self.banks = [self.bank, self.bank]
        self.away, self.outages = away, outages
        self.ice = tuple(_ice([*outages, *away[seat]]) for seat in (0, 1))
        self.minute = self.used = self.grace = self.waits_until = 0
        self.agreed_until = self.halted_until = 0
        self.plies: list[Notes] = []
        self.lines: list[tuple[int, str, int | None, dict[str, Any]]] = []

    @property
    def turn(self) -> int:
        return self.plies[-1].seat ^ 1 if self.plies else 0

    def stands(self, seat: int) -> bool:
        """True if a seat's clock is stopped in this minute."""
        now = self.minute
        return now < self.agreed_until or now < self.halted_until or bool(self.ice[seat][now])

    def on(self, minutes: int) -> None:
        for _ in range(minutes):
            if self.minute >= self.waits_until:
                self.used += not self.stands(self.turn)
            self.minute += 1

    def falls(self) -> int:
        """The minute in which the time of the turn ends. It is NEVER while the clock is stopped."""
        left = self.banks[self.turn] + self.grace - self.used
        if self.halted_until == NEVER:
            return NEVER
        was = self.minute, self.used
        while left > 0 or self.stands(self.turn):
            left -= self.minute >= self.waits_until and not self.stands(self.turn)
            self.minute += 1
        found = self.minute
        self.minute, self.used = was
        return found

    # Events.

    def write(self, kind: str, seat: int | None = None, **data: Any) -> None:
        self.lines.append((self.minute, kind, seat, data))

    def ply(self, seat: int, size: int, *, wait: int = 0) -> None:
        seat = self.turn
        notes = Notes(0, seat, list(self.banks), self.used, self.grace, [])
        if self.more is None:
            self.banks[seat] = self.bank
        else:
            rest = max(0, self.banks[seat] - self.used)
            absent = any(a <= self.minute < b for a, b in self.away[seat])
            self.banks[seat] = max(rest, min(self.cap or NEVER, rest + (0 if absent else self.more)))
        made = {"made": self.minute} if wait else {}
        self.minute += wait
        self.write("ply", seat, move="-", **made)
        self._over(notes)

    def held(self, seat: int, size: int) -> None:
        self.ply(seat, size, wait=size % HOUR + 1)

    def auto(self, seat: int, size: int) -> None:
        """A ply by the server for a player costs no time."""
        notes = Notes(0, self.turn, list(self.banks), self.used, self.grace, [])
        self.write("ply", self.turn, move="-", auto=True)
        self._over(notes)

    def _over(self, notes: Notes) -> None:
        notes.entry, notes.after = len(self.lines), list(self.banks)
        self.plies.append(notes)
        self.used = self.grace = 0

    def give(self, seat: int, size: int) -> None:
        self.write("give", seat, seconds=size * 60)
        self._comes("time", seat ^ 1, size)

    def extend(self, seat: int, size: int) -> None:
        self.write("extend", seat, seconds=size * 60, reason="-")
        self._comes("time", seat, size)

    def extend_both(self, seat: int, size: int) -> None:
        self.write("extend", None, seconds=size * 60, reason="-")
        self._comes("time", 0, size)
        self._comes("time", 1, size)

    def _comes(self, what: str, seat: int, size: int) -> None:
        """Give a seat time, or a new player the first bank."""
        self.banks[seat] = max(self.banks[seat], self.bank) if what == "seat" else self.banks[seat] + size
        for notes in self.plies:
            notes.given.append((what, seat, size))

    def replace(self, seat: int, size: int) -> None:
        own = self.turn == seat
        facts = {"player": 99, "was": 17, "old": "Bill", "name": "Ann", "reason": "-"}
        self.write("replace", seat, turn=own, **facts)
        self._comes("seat", seat, 0)
        if own:
            self.used = self.grace = 0

    def graced(self, seat: int, size: int) -> None:
        self.write("grace", self.turn, seconds=DAY * 60)
        self.grace += DAY

    def pause(self, seat: int, size: int) -> None:
        until = self.minute + size
        self.write("pause", seat, until=until)
        self.agreed_until = max(self.agreed_until, until)

    def halt(self, seat: int, size: int) -> None:
        until = self.minute + size if size % 2 else NEVER
        self.write("halt", None, reason="-", **({"until": until} if size % 2 else {}))
        self.halted_until = until

    def go(self, seat: int, size: int) -> None:
        self.write("go", None, reason="-")
        self.halted_until = 0

    def undo(self, seat: int, size: int) -> None:
        """Remove the last ply of `seat` and those after it. Time given stays given."""
        while self.plies[-1].seat != seat:
            self.plies.pop()
        gone = self.plies.pop()
        self.write("undo", seat ^ 1, to=gone.entry)
        self.banks = list(gone.before)
        left = gone.before[seat] + gone.grace - gone.used
        self.banks[seat] = max(left, min(DAY, gone.before[seat]))
        self.used = self.grace = 0
        for what, to, time in gone.given:
            self.banks[to] = max(self.banks[to], self.bank) if what == "seat" else self.banks[to] + time

    def rollback(self, seat: int, size: int) -> None:
        """Set the clocks as right after a ply, whatever came since."""
        ply = size % len(self.plies)
        self.write("rollback", None, ply=ply, entry=self.plies[ply - 1].entry if ply else 0, reason="-")
        self.banks = list(self.plies[ply - 1].after) if ply else [self.bank, self.bank]
        self.plies = self.plies[:ply]
        self.used = self.grace = 0

    def may(self, act: Act) -> bool:
        match act.what:
            case "undo":
                return any(notes.seat == act.seat for notes in self.plies)
            case "rollback":
                return bool(self.plies)
            case "halt":
                return self.minute >= self.halted_until
            case "go":
                return self.minute < self.halted_until
            case "pause":
                return self.minute >= self.agreed_until
        return True

    # The same game as a journal.

    def journal(self) -> tuple[Entry, ...]:
        return tuple(
            Entry(n, at(minute), kind, seat, {key: _dated(key, value) for key, value in data.items()})
            for n, (minute, kind, seat, data) in enumerate(self.lines, 1)
        )


def _ice(found: list[Stretch]) -> bytearray:
    """Every minute of a game, 1 where a clock is stopped."""
    minutes = bytearray(400 * DAY)
    for begin, end in found:
        minutes[begin:end] = b"\1" * (end - begin)
    return minutes


def at(minute: int) -> datetime:
    return START + minute * MINUTE


def _dated(key: str, value: Any) -> Any:
    return at(value).isoformat() if key in ("until", "made") else value


ACTS = (
    *("ply", "ply", "ply", "held", "auto", "give", "extend", "extend_both", "replace", "graced"),
    *("pause", "halt", "go", "undo", "undo", "rollback"),
)
acts = st.builds(
    Act, st.integers(0, 2 * DAY), st.sampled_from(ACTS), st.integers(0, 1), st.integers(1, 2 * DAY)
)
stretches = st.lists(st.tuples(st.integers(0, 12 * DAY), st.integers(1, 2 * DAY)), max_size=3).map(
    lambda found: [(begin, begin + length) for begin, length in found]
)


def the_game(table: Table, pace: str) -> Game:
    def dated(found: list[Stretch]) -> Any:
        return union((at(begin), at(end)) for begin, end in found)

    journal = table.journal()
    both = union((*dated(table.outages), *director_stops(journal)))
    stops = ClockStops(both, (dated(table.away[0]), dated(table.away[1])))
    return replace(a_game(), time_control=read_pace(pace), started_at=START, journal=journal, stops=stops)


def agree(table: Table, pace: str) -> None:
    """Check that our clocks agree with the simulated ones."""
    game = the_game(table, pace)
    clock = replace(clocks_between(game)[-1], running=table.turn)
    assert table.banks == [bank // MINUTE for bank in clock.banks]
    assert min(clock.banks) >= timedelta()
    assert max(0, table.banks[table.turn] + table.grace - table.used) * MINUTE == clock.left(
        table.turn, game.stops, at(table.minute)
    )
    deadline = clock.deadline(game.stops)
    if table.used > table.banks[table.turn] + table.grace:
        assert deadline < at(table.minute)
    else:
        falls = table.falls()
        assert (None if falls == NEVER else at(falls)) == deadline


IN_GRACE = [Act(HOUR, "graced", 0, 1), Act(HOUR, "ply", 0, 1), Act(HOUR, "undo", 0, 1)]


@settings(max_examples=amount(31, 250))
@example("2d/move", IN_GRACE, [], [], [])
@given(st.sampled_from(list(PACES)), st.lists(acts, max_size=12), stretches, stretches, stretches)
def test_a_journal_leaves_both_clocks_as_a_walk_through_all_its_minutes_does(
    time_control, happens, mine, theirs, outages
):
    table = Table(time_control, (mine, theirs), outages)
    for act in happens:
        table.on(act.gap)
        if table.may(act):
            getattr(table, act.what)(act.seat, act.size)
        agree(table, time_control)
