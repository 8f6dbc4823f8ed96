"""Deadlines as a calendar has them (RFC 5545): one event a turn that waits, in UTC, with its alarms.

An event keeps its UID as long as the turn lasts; SEQUENCE rises each time its deadline has moved. It is
a moment (DTSTART without DTEND: one that equals it would be wrong, 3.6.1) and blocks no time.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from icalendar import Alarm, Calendar, Event, Timezone, TimezoneStandard, vCalAddress
from icalendar.prop import vDuration

from pbem.core.deadlines import Turn
from pbem.core.reminders import reminders, turn_of
from pbem.core.spans import NO_TIME

REFRESH = timedelta(hours=1)
PUBLISH = "PUBLISH"


def feed(turns: Sequence[Turn], host: str, site: str) -> bytes:
    """The calendar that a program asks for again and again; it has no METHOD, for it is no message."""
    calendar = _calendar(host)
    calendar.add("name", f"Turns at {host}")
    calendar.add("x-wr-calname", f"Turns at {host}")
    calendar.add("refresh-interval", vDuration(REFRESH, {"VALUE": "DURATION"}))
    calendar.add("x-published-ttl", vDuration(REFRESH))
    for turn in turns:
        _add(calendar, turn, host, site)
    if not calendar.events:  # at least one component must be there (3.6)
        calendar.add_component(_utc())
    return calendar.to_ical()


def message(turns: Sequence[Turn], host: str, site: str, sender: str) -> bytes:
    """The same events as a part of a letter, which publishes them (RFC 5546 3.2.1)."""
    calendar = _calendar(host)
    calendar.add("method", PUBLISH)
    for turn in turns:
        event = _add(calendar, turn, host, site)
        if event is not None:
            event.add("organizer", vCalAddress(f"mailto:{sender}"))
    return calendar.to_ical() if calendar.events else b""


def _calendar(host: str) -> Calendar:
    calendar = Calendar()
    calendar.add("prodid", f"-//pbem//{host}//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    return calendar


def _add(calendar: Calendar, turn: Turn, host: str, site: str) -> Event | None:
    """Put the event of a turn into the calendar; None where no clock runs or nobody knows until when."""
    game, clock = turn.game, turn.clock
    deadline = clock.deadline(game.halts)
    if deadline is None or clock.running is None:
        return None
    ply = len(game.state.plies) + 1
    event = Event()
    event.add("uid", f"g{game.id}.e{turn_of(game)}.s{clock.running}@{host}")
    event.add("dtstamp", turn.moved.at.astimezone(UTC))
    event.add("last-modified", turn.moved.at.astimezone(UTC))
    event.add("created", clock.since.astimezone(UTC))
    event.add("sequence", turn.moved.times)
    event.add("dtstart", deadline.astimezone(UTC))
    across = game.seats[1 - clock.running].name
    event.add("summary", f"{game.rules.name} #{game.id} against {across}: ply {ply} is due")
    event.add("description", f"Your time for ply {ply} ends; answer a letter of the game to play.")
    event.add("url", f"{site}/games/{game.id}")
    event.add("class", "PRIVATE")
    event.add("transp", "TRANSPARENT")
    for each in reminders(game, clock):
        event.add_component(_alarm(each.at - deadline, f"{game.rules.name} #{game.id}: ply {ply} waits"))
    calendar.add_component(event)
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
