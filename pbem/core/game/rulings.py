"""A director's decisions as journal entries: kinds, pauses and seats."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from pbem.core.clock.intervals import FOREVER, Intervals, union
from pbem.core.game.journal import Entry
from rules.contract import SEAT_NAMES, Seat

EXTEND, HALT, GO = "extend", "halt", "go"
"""Time given to a seat or both (None), clocks stopped, clocks started."""
HALTS = (HALT, GO)
ROLLBACK, ADJUDICATE, REPLACE, NOTICE = "rollback", "adjudicate", "replace", "notice"
"""An earlier board, an end by decision, another player, words to both."""

RULINGS = frozenset({EXTEND, HALT, GO, ROLLBACK, ADJUDICATE, REPLACE, NOTICE})
"""Entries of a director only; the data of each has "reason"."""


@dataclass(frozen=True)
class Ruling(Entry):
    """A director's entry, and the number of plies before it."""

    after: int


def ruling_of(entry: Entry, after: int) -> Ruling:
    return Ruling(**vars(entry), after=after)


def director_stops(journal: Iterable[Entry], spans: Intervals = ()) -> Intervals:
    """Both clocks' stops by a director, added to `spans`. The end of a pause ends them all."""
    for entry in journal:
        if entry.kind == HALT:
            spans = union((*spans, (entry.at, entry.until or FOREVER)))
        elif entry.kind == GO:
            spans = union((begin, min(end, entry.at)) for begin, end in spans)
    return spans


def stopping_order(journal: Iterable[Entry]) -> Entry | None:
    orders = [entry for entry in journal if entry.kind in HALTS]
    return orders[-1] if orders and orders[-1].kind == HALT else None


def seat_periods(seated: int, seat: Seat, journal: Iterable[Entry]) -> list[tuple[int, datetime, datetime]]:
    """The players at `seat` with begin and end, in order; `seated` sits there now."""
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
}
"""Each decision in a few words, for records, lists and the log. Letters and pages say more."""


def describe_ruling(ruling: Entry) -> str:
    data = ruling.data
    until = f" until {ruling.until:%Y-%m-%d %H:%M} UTC" if ruling.until else ""
    whom = "both" if ruling.seat is None else SEAT_NAMES[ruling.seat]
    facts = {**data, "hours": data.get("seconds", 0) // 3600, "whom": whom, "until": until}
    return f"{RULING_WORDS[ruling.kind].format(**facts)}: {' '.join(ruling.reason.split())}"
