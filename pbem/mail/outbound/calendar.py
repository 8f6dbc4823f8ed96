"""Deadlines and leagues' dates as calendar events (RFC 5545): one a turn, in UTC, with alarms.

An event keeps its UID as long as the turn lasts; SEQUENCE rises each time the deadline moves. Each event is a
moment that blocks no time: DTSTART without DTEND, as an equal DTEND would be wrong (3.6.1).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from icalendar import Alarm, Calendar, Event, Timezone, TimezoneStandard, vCalAddress
from icalendar.prop import vDuration

from pbem.core.clock.intervals import NO_TIME
from pbem.core.play.clock_events import WaitingTurn
from pbem.core.preferences.reminders import reminders, turn_entry

REFRESH = timedelta(hours=1)
PUBLISH = "PUBLISH"


@dataclass(frozen=True)
class EventDate:
    """A date of an event, moved at most `changes` times, the last time at `changed_at`."""

    uid: str
    at: datetime
    words: str
    changes: int
    changed_at: datetime


def ics_feed(turns: Sequence[WaitingTurn], host: str, site: str) -> bytes:
    """Return the calendar for subscribers, without a METHOD because a feed is no message."""
    calendar = _feed(f"Turns at {host}", host)
    for event in _events(turns, host, site):
        calendar.add_component(event)
    if not calendar.events:  # RFC 5545 3.6 requires one component
        calendar.add_component(_utc())
    return calendar.to_ical()


def ics_part(turns: Sequence[WaitingTurn], host: str, site: str) -> bytes:
    """Return the events as a letter part (RFC 5546 3.2.1), or b"" without events."""
    calendar = _calendar(host)
    calendar.add("method", PUBLISH)
    for event in _events(turns, host, site):
        event.add("organizer", vCalAddress(f"mailto:play@{host}"))
        calendar.add_component(event)
    return calendar.to_ical() if calendar.events else b""


def ics_of_event(title: str, dates: Sequence[EventDate], host: str, page: str) -> bytes:
    """Return the calendar of an event's dates, for subscribers."""
    calendar = _feed(f"{title}, {host}", host)
    for date in dates:
        event = _moment(date.uid, date.at, date.changes, date.changed_at, host)
        event.add("summary", f"{title}: {date.words}")
        event.add("url", page)
        event.add("class", "PUBLIC")
        calendar.add_component(event)
    return calendar.to_ical()


def _feed(name: str, host: str) -> Calendar:
    calendar = _calendar(host)
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", vDuration(REFRESH, {"VALUE": "DURATION"}))
    calendar.add("x-published-ttl", vDuration(REFRESH))
    return calendar


def _calendar(host: str) -> Calendar:
    calendar = Calendar()
    calendar.add("prodid", f"-//pbem//{host}//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    return calendar


def _events(turns: Sequence[WaitingTurn], host: str, site: str) -> Iterator[Event]:
    """Yield an event for each turn whose clock runs and whose deadline is known."""
    for turn in turns:
        game, clock = turn.game, turn.game.clock
        deadline = clock.deadline(game.stops)
        if deadline is None or clock.running is None:
            continue
        ply, title = len(game.state.plies) + 1, f"{game.rules.name} #{game.id}"
        across = game.seats[1 - clock.running].name
        uid = f"g{game.id}.e{turn_entry(game)}.s{clock.running}"
        event = _moment(uid, deadline, turn.changes, turn.changed_at, host)
        event.add("created", clock.since.astimezone(UTC))
        event.add("summary", f"{title} against {across}: move {ply} is due")
        event.add("description", f"Your time for move {ply} ends; answer a letter of the game to play.")
        event.add("url", f"{site}/games/{game.id}")
        event.add("class", "PRIVATE")
        for each in reminders(game, clock):
            event.add_component(_alarm(each.at - deadline, f"{title}: move {ply} waits"))
        yield event


def _moment(uid: str, at: datetime, changes: int, changed_at: datetime, host: str) -> Event:
    event = Event()
    event.add("uid", f"{uid}@{host}")
    event.add("dtstamp", changed_at.astimezone(UTC))
    event.add("last-modified", changed_at.astimezone(UTC))
    event.add("sequence", changes)
    event.add("dtstart", at.astimezone(UTC))
    event.add("transp", "TRANSPARENT")
    return event


def _alarm(trigger: timedelta, words: str) -> Alarm:
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("trigger", vDuration(trigger))
    alarm.add("description", words)
    return alarm


def _utc() -> Timezone:
    zone, standard = Timezone(), TimezoneStandard()
    zone.add("tzid", "Etc/UTC")
    standard.add("dtstart", datetime(1970, 1, 1))  # noqa: DTZ001  # local time, as 3.6.5 wants it
    standard.add("tzoffsetfrom", NO_TIME)
    standard.add("tzoffsetto", NO_TIME)
    standard.add("tzname", "UTC")
    zone.add_component(standard)
    return zone
