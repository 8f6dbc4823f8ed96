"""Automatic clock events of one game: fallen flags and their effects.

A flag first takes a day of automatic vacation, then a grace period; only then it ends the game. A decision
depends on the moments alone, not on the time of the check. Without a clock, silence closes a game: any act or
word of a player or director ends it, and stops of the clock do not count.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

from pbem.core.clock import vacation
from pbem.core.clock.intervals import FOREVER, NO_TIME, moment_after
from pbem.core.clock.vacation import Vacation
from pbem.core.game.game import Game
from pbem.core.game.journal import CLOCK_KINDS, CLOSE, FLAG, GRACE, LAPSE, SEATS, TIMEOUT, WARN, Entry
from pbem.core.game.view import view
from pbem.core.letters.letter import Letter, about_game, result_letter
from pbem.core.preferences.reminders import REMINDER_LIFETIME, reminders
from pbem.core.ratings.results import is_short
from rules.contract import Seat

MAX_REMINDER_AGE = REMINDER_LIFETIME + timedelta(minutes=5)
"""Maximum age of a reminder that is still sent. The worker checks a minute or two late."""
GRACE_TIME = timedelta(hours=24)
MIN_BANK_FOR_GRACE = timedelta(days=3)
"""Shorter turns have no grace."""
MAX_SILENCE_AFTER_FLAG = timedelta(days=30)
"""The silence after a soft clock's fallen flag that closes a game."""
MAX_SILENCE = timedelta(days=60)
WARNING_PERIOD = timedelta(days=7)
MAX_WARNING_DELAY = timedelta(days=1)
"""Maximum delay of a warning. A later one counts from its arrival, so that both have the whole time."""


@dataclass(frozen=True)
class WaitingTurn:
    """A turn that waits for the reader. `changes` counts those of its deadline, the last at `changed_at`."""

    game: Game
    changes: int
    changed_at: datetime


@dataclass(frozen=True)
class FlagEvent:
    """A fallen flag's effect: a journal entry, or `seat`'s vacation day."""

    seat: Seat
    entry: Entry | None = None
    vacation: Vacation | None = None


def next_flag_event(
    game: Game, now: datetime, taken: Sequence[Vacation], *, days_off: bool = True, unheard: bool = False
) -> FlagEvent | None:
    """The first clock event by `now`. `taken` holds the vacations of the player to move.

    `unheard`: the last letter to that player was refused, which counts as for one out of reach.
    """
    state, clock = game.state, game.clock
    deadline = turn_end(game) if game.pending is None else None
    lapses = sorted((offer.until, what, offer.seat) for what, offer in state.offers.items())
    if lapses and lapses[0][0] <= now and (deadline is None or lapses[0][0] < deadline):
        at, what, asked = lapses[0]
        return FlagEvent(asked, game.next_entry(at, LAPSE, asked, {} if what == "draw" else {"offer": what}))
    if deadline is None or now < deadline or clock.running is None:
        return None
    seat = clock.running
    if game.time_control.bank is None and warning_time(game) is None:
        at = now if now - deadline > MAX_WARNING_DELAY else deadline
        return FlagEvent(seat, game.next_entry(at, WARN, seat, {}))
    if state.flagged is not None or game.time_control.bank is None:
        return FlagEvent(seat, game.next_entry(deadline, CLOSE, seat, {}))
    if days_off and not clock.grace and not is_short(state):
        block = _automatic_vacation(game, seat, taken, deadline)
        if block is not None:
            return FlagEvent(seat, vacation=block)
    if not clock.grace and clock.banks[seat] >= MIN_BANK_FOR_GRACE:
        time = GRACE_TIME * (1 if game.seats[seat].reachable and not unheard else 2)
        return FlagEvent(seat, game.next_entry(deadline, GRACE, seat, {"seconds": int(time.total_seconds())}))
    flag = replace(clock, grace=NO_TIME).deadline(game.stops) or deadline
    data: dict[str, object] = {"flag": flag.isoformat()}
    if not game.soft and is_short(state):
        data["void"] = True
    return FlagEvent(seat, game.next_entry(deadline, FLAG if game.soft else TIMEOUT, seat, data))


def next_event(game: Game) -> datetime | None:
    """The next moment for the clock, or None. A pending move has its undo window, no flag."""
    turn = turn_end(game) if game.pending is None else game.pending.until
    moments = [turn, *(offer.until for offer in game.state.offers.values())]
    return min((moment for moment in moments if moment is not None), default=None)


def silence_end(game: Game, to_play: Seat) -> datetime | None:
    """The next event by silence: the warning, then the close. None while clocks are stopped without end."""
    warned = warning_time(game)
    heard = [entry.at for entry in game.open_entries if entry.kind not in CLOCK_KINDS]
    since = heard[-1] if heard else game.started_at
    pauses = game.stops.of(to_play, since)
    if warned is None:
        end = moment_after(pauses, since, MAX_SILENCE - WARNING_PERIOD)
    else:
        end = max(moment_after(pauses, since, MAX_SILENCE), moment_after(pauses, warned, WARNING_PERIOD))
    return None if end == FOREVER else end


def warning_time(game: Game) -> datetime | None:
    silent = takewhile(lambda entry: entry.kind in CLOCK_KINDS, reversed(game.open_entries))
    return next((entry.at for entry in silent if entry.kind == WARN), None)


def turn_end(game: Game) -> datetime | None:
    state = game.state
    if game.time_control.bank is None and state.to_play is not None:
        return silence_end(game, state.to_play)
    if state.flagged is None or state.to_play is None:
        return game.deadline
    since = game.open_entries[-1].at
    end = moment_after(game.stops.of(state.to_play, since), since, MAX_SILENCE_AFTER_FLAG)
    return None if end == FOREVER else end


def next_check(game: Game, after: datetime | None = None) -> datetime | None:
    """The next moment to look at a game. Without `after`, reminders due at the last entry may be open."""
    if after is None:
        after = game.journal[-1].at - REMINDER_LIFETIME if game.journal else game.clock.since
    over = game.state.flagged is not None or game.pending is not None
    moments = [] if over else [each.at for each in reminders(game, game.clock) if each.at > after]
    if (event := next_event(game)) is not None:
        moments.append(event)
    return min(moments, default=None)


def vacation_day_follows(game: Game, taken: Sequence[Vacation], *, days_off: bool) -> bool:
    seat, end = game.clock.running, turn_end(game)
    if not days_off or seat is None or end is None or game.time_control.bank is None or is_short(game.state):
        return False
    return _automatic_vacation(game, seat, taken, end) is not None


def _automatic_vacation(game: Game, seat: Seat, taken: Sequence[Vacation], flag: datetime) -> Vacation | None:
    weekends = game.stops.weekends[seat]
    return vacation.automatic_vacation(game.seats[seat].created_at, taken, flag, weekends)


def letters_for_clock_events(
    before: Game, after: Game, happened: Sequence[FlagEvent], site: str, *, more: bool = False
) -> list[Letter]:
    """Letters to both: the end, or the new deadline. `more`: another vacation day follows."""
    happened = [event for event in happened if event.entry is None or event.entry.kind != LAPSE]
    if not happened:
        return []
    views = [view(after, seat, site) for seat in SEATS]
    if after.state.ending is not None:
        return [result_letter(seen, len(before.journal)) for seen in views]
    if any(event.entry is not None and event.entry.kind == WARN for event in happened):
        ends = turn_end(after)
        return [about_game("silent", seen, until=ends) for seen in views]
    facts: dict[str, Any] = {
        "whose": happened[-1].seat,
        "days": sum(event.vacation is not None for event in happened),
        "more": more,
        "until": turn_end(after),
        "grace": after.clock.grace,
        "soft": after.state.flagged is not None,
    }
    return [about_game("flag", seen, **facts) for seen in views]
