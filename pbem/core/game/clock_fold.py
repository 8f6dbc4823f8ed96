"""The fold of a journal into both clocks. The arithmetic of one turn is in `clock`."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.core.clock.clock import Clock
from pbem.core.game.journal import GIVE, SEATS, Entry
from pbem.core.game.rulings import EXTEND, REPLACE
from rules.contract import Seat, other

if TYPE_CHECKING:
    from pbem.core.game.game import Game


def clock_after(game: Game) -> Clock:
    """Both clocks after the game's journal, which does not say whose turn it is."""
    clocks = [Clock.started(game.time_control, None, game.started_at)]
    for entry in game.journal:
        match entry.kind:
            case "rollback":
                clock = replace(clocks[entry.data["entry"]], since=entry.at, grace=timedelta())
            case "undo":
                clock = _clock_after_takeback(game, clocks[entry.data["to"] - 1], entry)
            case _:
                clock = _clock_after_entry(game, clocks[-1], entry)
        clocks.append(clock)
    return clocks[-1]


def _clock_after_takeback(game: Game, clock: Clock, entry: Entry) -> Clock:
    """The clocks after a takeback; `clock` is from before its first ply. Time given since then stays."""
    first = entry.data["to"] - 1
    gone = game.journal[first]
    assert gone.seat is not None
    clock = clock.after_takeback(gone.seat, gone.effective_time, entry.at, game.stops)
    for since in game.journal[first : entry.n - 1]:
        if since.kind in (GIVE, EXTEND, REPLACE):
            clock = _clock_after_entry(game, clock, since)
    return replace(clock, since=entry.at)


def _clock_after_entry(game: Game, clock: Clock, entry: Entry) -> Clock:
    time = timedelta(seconds=entry.data.get("seconds", 0))
    match entry.kind:
        case "ply" if entry.data.get("auto"):  # it cost its player no time
            return replace(clock, since=entry.at, grace=timedelta())
        case "ply":
            running = replace(clock, running=entry.seat)
            return running.played(None, entry.effective_time, game.stops, from_=entry.at)
        case "give" if entry.seat is not None:
            return clock.given(other(entry.seat), time)
        case "grace":
            return replace(clock, grace=clock.grace + time)
        case "extend":
            for seat in SEATS if entry.seat is None else (entry.seat,):
                clock = clock.given(seat, time)
            return clock
        case "replace" if entry.seat is not None:
            return _clock_of_newcomer(clock, entry, entry.seat)
    return clock


def _clock_of_newcomer(clock: Clock, entry: Entry, seat: Seat) -> Clock:
    """The clock of a new player: never less than the starting time. Their turn begins anew."""
    least = clock.time_control.bank or timedelta()
    clock = clock.given(seat, max(timedelta(), least - clock.banks[seat]))
    return replace(clock, since=entry.at, grace=timedelta()) if entry.data["turn"] else clock
