"""What a director decides, as entries of a journal: their kinds, and what follows for pauses and seats.

Values only. No entry is ever taken out of a journal; a rollback is one more entry, after which the plies
beyond its mark no longer count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from pbem.core.clocks import Halts
from pbem.core.journal import Entry
from pbem.core.spans import FOREVER, Spans, union
from rules.contract import SEAT_NAMES, Seat

EXTEND, HALT, GO = "extend", "halt", "go"
"""Time given to a seat, or to both (seat None); the clocks stopped; the clocks started again."""
ROLLBACK, ADJUDICATE, REPLACE, NOTICE = "rollback", "adjudicate", "replace", "notice"
"""The board of an earlier ply; an end by decision; another player at a seat; words to both."""

RULINGS = frozenset({EXTEND, HALT, GO, ROLLBACK, ADJUDICATE, REPLACE, NOTICE})
"""Entries that only a director makes; the data of each has "reason"."""

LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Ruling:
    """A director's decision, and after which ply it was made."""

    after: int
    entry: int
    kind: str
    seat: Seat | None
    at: datetime
    data: Mapping[str, Any]

    @property
    def reason(self) -> str:
        reason: str = self.data["reason"]
        return reason

    @property
    def until(self) -> datetime | None:
        """When a pause ends by itself, if it does."""
        until = self.data.get("until")
        return datetime.fromisoformat(until) if until else None


def ruling(entry: Entry, after: int) -> Ruling:
    """The decision that an entry holds, made after ply number `after`."""
    return Ruling(after, entry.n, entry.kind, entry.seat, entry.at, entry.data)


def ordered(journal: Iterable[Entry], spans: Spans = ()) -> Spans:
    """When both clocks stand by a director's order, besides `spans`; the end of a pause ends them all."""
    for entry in journal:
        if entry.kind == HALT:
            spans = union((*spans, (entry.at, ruling(entry, 0).until or FOREVER)))
        elif entry.kind == GO:
            spans = union((begin, min(end, entry.at)) for begin, end in spans)
    return spans


def halted(halts: Halts, entries: Iterable[Entry]) -> Halts:
    """What stops the clocks once these entries have been added, the newest of the journal."""
    new = tuple(entry for entry in entries if entry.kind in (HALT, GO))
    return replace(halts, both=ordered(new, halts.both)) if new else halts


def halted_by(journal: Iterable[Entry]) -> Ruling | None:
    """The newest order to stop the clocks, where none to start them came after it."""
    orders = [entry for entry in journal if entry.kind in (HALT, GO)]
    return ruling(orders[-1], 0) if orders and orders[-1].kind == HALT else None


@dataclass(frozen=True)
class Sitting:
    """That player number `player` sat at a seat from one moment to another."""

    player: int
    begins: datetime
    ends: datetime


def sittings(seated: int, seat: Seat, journal: Iterable[Entry]) -> tuple[Sitting, ...]:
    """Who sat at `seat`, in order; `seated` sits there now."""
    found: list[Sitting] = []
    begins = LONG_AGO
    for entry in journal:
        if entry.kind == REPLACE and entry.seat == seat:
            found.append(Sitting(entry.data["was"], begins, entry.at))
            begins = entry.at
    return (*found, Sitting(seated, begins, FOREVER))


def within_sittings(found: Iterable[tuple[Sitting, Spans]]) -> Spans:
    """The spans of everybody who sat at a seat, each as far as he sat there."""
    return union(
        (max(begin, sitting.begins), min(end, sitting.ends))
        for sitting, spans in found
        for begin, end in spans
    )


def rolled_since(entries: Sequence[Entry], count: int) -> Ruling | None:
    """The first rollback after `count` of a game's open entries; `after` is the ply it went back to."""
    found = (each for each in entries[count:] if each.kind == ROLLBACK)
    return next((ruling(each, each.data["ply"]) for each in found), None)


def replaced_since(entries: Sequence[Entry], seat: Seat, count: int) -> Ruling | None:
    """The first time after `count` of a game's open entries that somebody else was put at `seat`."""
    found = (each for each in entries[count:] if each.kind == REPLACE and each.seat == seat)
    return next((ruling(each, 0) for each in found), None)


TOLD: Mapping[str, str] = {
    EXTEND: "{hours} hours to {whom}",
    HALT: "clocks stopped{until}",
    GO: "clocks started",
    ROLLBACK: "back to ply {ply}",
    ADJUDICATE: "decided: {result}",
    REPLACE: "{name} for {old} as {whom}",
    NOTICE: "to both",
}
"""Each decision in a few words, as records, lists and the log have it; letters and pages say more."""


def told(ruling: Ruling) -> str:
    """A decision with its reason as one line."""
    data = ruling.data
    until = f" until {ruling.until:%Y-%m-%d %H:%M} UTC" if ruling.until else ""
    whom = "both" if ruling.seat is None else SEAT_NAMES[ruling.seat]
    facts = {**data, "hours": data.get("seconds", 0) // 3600, "whom": whom, "until": until}
    return f"{TOLD[ruling.kind].format(**facts)}: {' '.join(ruling.reason.split())}"
