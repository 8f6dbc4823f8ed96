"""The journal of a game: the kinds of entries, and their contents.

Entries are only added. Two things may change in one: the name of a forgotten or renamed player, and the mark
"hidden": true for words that the operator has hidden.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from pbem.core.clock.intervals import FOREVER, Intervals, union
from rules.contract import SEAT_NAMES, Seat

START, PLY, SAY, RESIGN = "start", "ply", "say", "resign"
OFFER, DECLINE, AGREE = "offer", "decline", "agree"
GRACE, TIMEOUT = "grace", "timeout"
"""After a fallen flag: more time for the turn, or the end."""
TAKEBACK_OFFER, TAKEBACK_DECLINED, TAKEBACK = "ask", "stand", "undo"
PLAN = "plan"
"""Conditional moves: a player's answers to future plies."""

PRIVATE_KINDS = frozenset({PLAN})
"""Entries that only their player may see. Others' numbers skip them, or gaps would reveal them."""
SEATS: tuple[Seat, Seat] = (0, 1)
PROVED = "proved"
"""A win that its player proved, with the proof."""
FLAG, CLAIM, CLOSE = "flag", "claim", "close"
"""On a soft clock: flag fallen, result claimed, or closed after silence."""
GIVE, ASK_PAUSE, PAUSE = "give", "ask-pause", "pause"
ASK_ANNUL, ANNUL = "ask-annul", "annul"
"""A game without a result, asked for and agreed to."""
RATE_LIMITED_KINDS = frozenset({SAY, OFFER, TAKEBACK_OFFER, GIVE, ASK_PAUSE, ASK_ANNUL})
"""Rate-limited entries, which a player may send at any time; a ply, an answer or an end is never limited."""
COMMENT = "comment"
"""Words on a move of a finished game, by a player of it or by anybody else."""
LAPSE = "lapse"
WARN = "warn"
"""Both players warned: a silent game without a clock will be closed."""
CLOCK_KINDS = frozenset({GRACE, TIMEOUT, FLAG, CLOSE, LAPSE, WARN})
"""Entries that the clock wrote, not a player."""

EXTEND, HALT, GO = "extend", "halt", "go"
"""Time given to a seat or both (None), clocks stopped, clocks started."""
ROLLBACK, ADJUDICATE, REPLACE, NOTICE = "rollback", "adjudicate", "replace", "notice"
"""An earlier board, an end by decision, another player, words to both."""

RULINGS = frozenset({EXTEND, HALT, GO, ROLLBACK, ADJUDICATE, REPLACE, NOTICE})
"""Entries of a director only; the data of each has "reason"."""

HIDDEN_WORDS = "[hidden by the operator]"
WORD_KEYS = ("words", "comment")

OFFER_LIFETIMES = {
    "draw": timedelta(days=14),
    "annul": timedelta(days=14),
    "pause": timedelta(days=7),
    "undo": timedelta(days=7),
}


def is_entered(entry: "Entry") -> bool:
    """True if a director entered this ply for its player."""
    return entry.kind == PLY and "reason" in entry.data


def public_data(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """An entry's data as everybody sees it, without hidden words."""
    if not data.get("hidden"):
        return data
    return {key: HIDDEN_WORDS if key in WORD_KEYS else value for key, value in data.items()}


@dataclass(frozen=True)
class Entry:
    """One journal entry: number `n` from 1, and `at`, its public moment.

    `at` is in UTC, in whole seconds.

    `data` by kind: ply {"move", "comment"?, "auto"?, "standing"?, "plan"?, "made"?}, say {"words"}, resign
    {"comment"?, "auto"?}, agree {"auto"?}, ask-annul {}, annul {}, start {}, grace {"seconds"}, timeout
    {"flag", "void"?}, flag {"flag"}, claim {"result"}, proved {"proof"}, close {}, warn {}, give {"seconds"},
    ask-pause {"days"}, pause {"until"}, decline and lapse {"offer"?: a draw if missing, "auto"?}, plan
    {"plan"}, ask, stand and undo {"to"}: the entry of the first ply of the takeback. A director's, also a ply
    entered for a player, have "reason" and "by"?: extend {"seconds"}, halt {"until"?}, go {}, rollback
    {"ply", "entry"}, adjudicate {"result"}, replace {"player", "name", "was", "old", "turn"}, notice {}.
    Moments are in ISO 8601. In entries by the clock, `seat` is that of the flag or the offer. Only their
    player may see "standing" orders and the "plan".
    comment {"player", "name", "ply", "words"}, without a seat: the writer's number and name, and the ply.
    "made", in any player's entry, is the acceptance time of its mail, if that was earlier.
    """

    n: int
    at: datetime
    kind: str
    seat: Seat | None
    data: Mapping[str, Any]

    @property
    def effective_time(self) -> datetime:
        """The time from which it counts for its maker. Earlier than its date, if others saw it later."""
        made = self.data.get("made")
        return datetime.fromisoformat(made) if made else self.at

    @property
    def reason(self) -> str:
        return str(self.data["reason"])

    @property
    def until(self) -> datetime | None:
        """The end of a pause, if it has one."""
        until = self.data.get("until")
        return datetime.fromisoformat(until) if until else None


@dataclass(frozen=True)
class PendingMove:
    """A player's entries that others may not see before `until`. The reader renumbers them."""

    seat: Seat
    until: datetime
    entries: tuple[Entry, ...]

    @property
    def open(self) -> int:
        return sum(entry.kind not in PRIVATE_KINDS for entry in self.entries)


@dataclass(frozen=True)
class Ruling(Entry):
    """A director's entry, and the number of plies before it."""

    after: int


def director_stops(journal: Iterable[Entry], spans: Intervals = ()) -> Intervals:
    """Both clocks' stops by a director, added to `spans`. The end of a pause ends them all."""
    for entry in journal:
        if entry.kind == HALT:
            spans = union((*spans, (entry.at, entry.until or FOREVER)))
        elif entry.kind == GO:
            spans = union((begin, min(end, entry.at)) for begin, end in spans)
    return spans


def stopping_order(journal: Iterable[Entry]) -> Entry | None:
    orders = [entry for entry in journal if entry.kind in (HALT, GO)]
    return orders[-1] if orders and orders[-1].kind == HALT else None


def seat_periods(seated: int, seat: Seat, journal: Iterable[Entry]) -> list[tuple[int, datetime, datetime]]:
    """Return the players at `seat` with begin and end, in order. `seated` sits there now."""
    found = []
    begins = datetime.min.replace(tzinfo=UTC)
    for entry in journal:
        if entry.kind == REPLACE and entry.seat == seat:
            found.append((entry.data["was"], begins, entry.at))
            begins = entry.at
    return [*found, (seated, begins, FOREVER)]


RULING_WORDS: Mapping[str, str] = {
    EXTEND: "{hours} hours to {whom}",
    HALT: "clocks stopped{until}",
    GO: "clocks started",
    ROLLBACK: "back to ply {ply}",
    ADJUDICATE: "decided: {result}",
    REPLACE: "{name} for {old} as {whom}",
    NOTICE: "to both",
    PLY: "move {move} entered for {whom}",
}
"""Each decision in a few words, for records, lists and the log. Letters and pages say more."""


def describe_ruling(ruling: Entry) -> str:
    data = ruling.data
    until = f" until {ruling.until:%Y-%m-%d %H:%M} UTC" if ruling.until else ""
    whom = "both" if ruling.seat is None else SEAT_NAMES[ruling.seat]
    facts = {**data, "hours": data.get("seconds", 0) // 3600, "whom": whom, "until": until}
    return f"{RULING_WORDS[ruling.kind].format(**facts)}: {' '.join(ruling.reason.split())}"
