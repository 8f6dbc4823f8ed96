"""Reminders of a turn, in the clock's own time, so that a pause delays them like the flag."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from pbem.core.clock.clock import Clock
from pbem.core.clock.dates import hour_on_day, read_hour, zone_of
from pbem.core.clock.intervals import FOREVER, Interval, interval_at, moment_after
from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.game.journal import PLY, START

USUAL, OFF = "usual", "off"
MIN_TURN_AGE = timedelta(hours=3)
"""Turns younger than this need no reminder, since the letter of the turn has just come."""
LETTER_INTERVAL = timedelta(hours=12)
"""The time within which reminders share one letter, and the minimum time between letters."""
REMINDER_LIFETIME = timedelta(hours=2)
"""Maximum age of an unsent reminder; older reminders were due before the player wanted them."""
HALF_FROM, MAX_LAST = timedelta(days=4), timedelta(hours=24)
MAX_TIMES, MAX_BEFORE = 5, timedelta(days=30)

HALF, LAST = "half", "last"
DAY = timedelta(days=1)
TURN_BEGINNING_KINDS = frozenset({START, PLY, "undo", "rollback", "replace"})


@dataclass(frozen=True)
class Reminder:
    """One reminder of a turn: its time, its kind, and True if it is the last."""

    at: datetime
    which: str
    last: bool


@dataclass(frozen=True)
class QuietHours:
    """Hours without reminders, on the reader's clock; None for no such hours."""

    hours: tuple[int, int] | None
    zone: tzinfo

    def before(self, moment: datetime) -> datetime:
        """Return the moment itself, or the beginning of the quiet time around the moment."""
        if self.hours is None:
            return moment
        begin, end = self.hours
        today = moment.astimezone(self.zone).date()
        for day in (today, today - DAY):
            first = hour_on_day(day, begin, self.zone)
            if first <= moment < hour_on_day(day if begin < end else day + DAY, end, self.zone):
                return first
        return moment


def reminder_times(wish: str, turn: timedelta) -> tuple[tuple[str, timedelta], ...]:
    """Return the reminders for a turn of this length, earliest first, with the time before the flag."""
    if wish == OFF:
        return ()
    if wish != USUAL:
        return tuple((word, timedelta(hours=int(word[:-1]))) for word in wish.split())
    last = (LAST, min(MAX_LAST, turn / 4))
    return ((HALF, turn / 2), last) if turn >= HALF_FROM else (last,)


def schedule_reminders(
    turn: timedelta,
    since: datetime,
    pauses: Iterable[Interval],
    times: Sequence[tuple[str, timedelta]],
    quiet: QuietHours,
) -> tuple[Reminder, ...]:
    """Return in order the reminders, if it ends at all, of a turn that began at `since` and lasts `turn`."""
    flag = moment_after(pauses, since, turn)
    if flag >= FOREVER:
        return ()
    found: dict[datetime, Reminder] = {}
    for number, (which, before) in enumerate(times, 1):
        last = number == len(times)
        moments = _moments(turn - before, since, pauses, quiet, last=last)
        suits = (
            at for at in moments if since + MIN_TURN_AGE <= at < flag and interval_at(pauses, at) is None
        )
        at = next(suits, None)
        if at is not None:
            found[at] = Reminder(at, which, last)
    return tuple(found[at] for at in sorted(found))


def _moments(
    used: timedelta, since: datetime, pauses: Iterable[Interval], quiet: QuietHours, *, last: bool
) -> Iterator[datetime]:
    """Yield possible moments of a reminder, best first. `used` is the time of the turn used by then."""
    if used <= timedelta():
        return
    own = moment_after(pauses, since, used)
    yield quiet.before(own) if own < FOREVER else own
    if last:
        yield own
        yield moment_after(pauses, since, MIN_TURN_AGE)


def reminders(game: Game, clock: Clock) -> tuple[Reminder, ...]:
    if not clock.ticks or clock.running is None:
        return ()
    preferences = game.seats[clock.running].preferences
    turn = clock.banks[clock.running]
    quiet = QuietHours(quiet_hours(preferences.quiet), zone_of(preferences.zone))
    pauses = game.stops.of(clock.running, clock.since)
    return schedule_reminders(turn, clock.since, pauses, reminder_times(preferences.remind, turn), quiet)


def turn_entry(game: Game) -> int:
    """Return the running turn's first entry, counted among open entries so as not to reveal hidden ones."""
    begin = (
        number
        for number, entry in enumerate(game.open_entries, 1)
        if entry.kind in TURN_BEGINNING_KINDS and entry.data.get("turn", True)  # replaced, but not waiting
    )
    return max(begin, default=0)


_TIME = re.compile(r"(\d{1,4})\s?([hd])", re.IGNORECASE)


def read_times(text: str) -> str:
    """Return reminder times like `48h 12h` as stored, in hours before the flag. Raises Refusal."""
    small = text.lower().strip()
    if small in ("off", "none", "never"):
        return OFF
    if small in ("usual", "default", "on"):
        return USUAL
    hours = {int(number) * (24 if unit.lower() == "d" else 1) for number, unit in _TIME.findall(small)}
    if not 1 <= len(hours) <= MAX_TIMES or min(hours) < 1 or timedelta(hours=max(hours)) > MAX_BEFORE:
        raise Refusal(
            f"Reminders come one to {MAX_TIMES} times, each between an hour and {MAX_BEFORE.days} days "
            "before the time is over: write `remind 48h 12h`, `remind usual` or `remind off`."
        )
    return " ".join(f"{each}h" for each in sorted(hours, reverse=True))


def read_quiet(text: str) -> str:
    """Return quiet hours like `22-7` or `10pm-7am` in stored form. Raises Refusal."""
    small = text.lower().strip()
    if small in ("off", "none", "no"):
        return OFF
    ends = [read_hour(part) for part in re.split(r"\s*(?:-|to|until|till)\s*", small)]
    if len(ends) != 2 or None in ends or ends[0] == ends[1]:
        raise Refusal(
            f"Quiet hours are from one full hour to another, not {text}: write `set quiet 22-7` or "
            "`set quiet off`."
        )
    return f"{ends[0]}-{ends[1]}"


def quiet_hours(kept: str) -> tuple[int, int] | None:
    if kept == OFF:
        return None
    begin, _, end = kept.partition("-")
    return int(begin), int(end)


def reminder_sent(reminder: Reminder, told: Mapping[str, datetime]) -> bool:
    """True if `told` has the reminder at its present time; a reminder whose time has moved comes again."""
    at = told.get(reminder.which)
    return at is not None and reminder.at - at <= LETTER_INTERVAL


def newest_due(due: Iterable[Reminder], now: datetime) -> Reminder | None:
    waiting = [each for each in due if now - REMINDER_LIFETIME <= each.at <= now]
    return waiting[-1] if waiting else None
