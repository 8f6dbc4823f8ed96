"""Deadlines for calendar programs: one event a turn, valid by RFC 5545."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy

import pytest
from flask.testing import FlaskClient
from icalendar import Calendar, Event

from pbem.core.clock.time_control import read_pace
from pbem.core.clock.vacation import Vacation
from pbem.core.play.clock_events import WaitingTurn
from pbem.core.players import Preferences
from pbem.duties.reminders import feed_address
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.addresses import Token
from pbem.mail.outbound import calendar as outbound_calendar
from pbem.mail.person.mailbox import new_mail
from pbem.store import games, inbox, players, vacations
from pbem.web import create_app
from tests.apps import ANNA, Town
from tests.apps import BILL as BILLS
from tests.duties.test_reminders import begin, play, town, until, wish
from tests.mail.letters import SAMPLES, write_sample
from tests.people import BILL, HOST, JOAO, NOON, SEED_GAME, a_game

__all__ = ["town"]  # a fixture

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
SITE = f"https://{HOST}"


def a_turn(plies: int = 4, pace: str = "normal", moved: int = 0, **changes: object) -> WaitingTurn:
    game = replace(a_game(SEED_GAME[:plies]), time_control=read_pace(pace), **changes)  # type: ignore[arg-type]
    return WaitingTurn(game, moved, NOON + 5 * HOUR)


def events(raw: bytes) -> list[Event]:
    return list(Calendar.from_ical(raw).walk("VEVENT"))


def flawless(raw: bytes) -> None:
    """Check the lines and required fields of RFC 5545."""
    assert raw.endswith(b"END:VCALENDAR\r\n")
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert [] == [line for line in raw.split(b"\r\n") if len(line) > 75]  # 3.1: octets
    for line in raw.split(b"\r\n"):
        line.decode()  # no character is cut in two
    calendar = Calendar.from_ical(raw)
    assert "2.0" == calendar["VERSION"]
    assert calendar["PRODID"]
    assert calendar.subcomponents
    for event in calendar.walk("VEVENT"):
        assert [] == event.errors
        assert {"UID", "DTSTAMP", "DTSTART", "SUMMARY", "SEQUENCE"} <= set(event)
        assert not {"DTEND", "DURATION"} & set(event)  # 3.6.1: a moment
        for alarm in event.walk("VALARM"):
            assert {"ACTION", "TRIGGER", "DESCRIPTION"} <= set(alarm)
            assert alarm["TRIGGER"].dt < timedelta()
    for name in (b"DTSTART", b"DTSTAMP", b"LAST-MODIFIED", b"CREATED"):
        for value in re.findall(rb"^%s[:;](.*)\r$" % name, raw, re.MULTILINE):
            assert re.fullmatch(rb"\d{8}T\d{6}(Z)?", value)
            assert value.endswith(b"Z") or b"VTIMEZONE" in raw


def test_an_event_is_the_moment_of_the_deadline_with_an_alarm_for_each_reminder() -> None:
    turn = a_turn(seats=(replace(BILL, preferences=Preferences(quiet="off")), JOAO))
    raw = outbound_calendar.ics_feed([turn], HOST, SITE)
    flawless(raw)
    (event,) = events(raw)
    assert turn.game.deadline == event["DTSTART"].dt
    assert "Bipod #42 against Joao: move 5 is due" == event["SUMMARY"]
    assert f"{SITE}/games/42" == event["URL"]
    assert [-DAY] == [alarm["TRIGGER"].dt for alarm in event.walk("VALARM")][1:]
    assert 2 == len(event.walk("VALARM"))
    assert b"METHOD" not in raw


def test_who_wants_no_reminders_has_no_alarms() -> None:
    turn = a_turn(seats=(replace(BILL, preferences=Preferences(remind="off")), JOAO))
    assert b"VALARM" not in outbound_calendar.ics_feed([turn], HOST, SITE)


def test_names_with_signs_of_the_format_and_of_every_script_are_escaped_and_folded_between_characters() -> (
    None
):
    odd = replace(JOAO, name="João; \\n, 🙂" * 12)
    raw = outbound_calendar.ics_feed([a_turn(seats=(BILL, odd))], HOST, SITE)
    flawless(raw)
    assert odd.name in events(raw)[0]["SUMMARY"]


def test_a_feed_without_any_turn_is_still_a_calendar() -> None:
    raw = outbound_calendar.ics_feed([], HOST, SITE)
    flawless(raw)
    assert [] == events(raw)
    assert [] == events(outbound_calendar.ics_feed([a_turn(pace="none")], HOST, SITE))


def test_as_a_message_it_has_a_method_and_an_organizer() -> None:
    raw = outbound_calendar.ics_part([a_turn()], HOST, SITE)
    flawless(raw)
    assert "PUBLISH" == Calendar.from_ical(raw)["METHOD"]
    assert f"mailto:play@{HOST}" == events(raw)[0]["ORGANIZER"]
    assert b"ATTENDEE" not in raw
    assert b"" == outbound_calendar.ics_part([a_turn(pace="none")], HOST, SITE)


def test_a_reminder_brings_it_as_an_attachment_whose_type_says_the_same_method() -> None:
    mail = message_from_bytes(write_sample(SAMPLES["reminder-calendar"]), policy=policy.default)
    assert "multipart/mixed" == mail.get_content_type()
    (part,) = (part for part in mail.walk() if part.get_content_type() == "text/calendar")
    assert ("PUBLISH", "attachment") == (part.get_param("method"), part.get_content_disposition())
    raw = part.get_payload(decode=True)
    flawless(raw)
    assert "PUBLISH" == Calendar.from_ical(raw)["METHOD"]
    assert "You have until" in mail.get_body(("plain",)).get_content()
    assert 1 == len(events(raw))


# The feed, on both databases.


def pages(town: Town) -> FlaskClient:
    return create_app(town.app).test_client()


def path(town: Town, who: str = BILLS) -> str:
    with town.app.store.read() as db:
        player = players.player_by_id(db, town.players[who].id)
    assert player is not None
    return feed_address(town.app, player).removeprefix(town.app.config.site)


def the_event(town: Town) -> Event:
    answer = pages(town).get(path(town))
    flawless(answer.data)
    (event,) = events(answer.data)
    return event


def test_the_feed_has_one_event_for_each_turn_that_waits_for_its_reader(town: Town) -> None:
    one, two = begin(town, "3d/move"), begin(town, "7d+1d<=14d", ANNA)
    answer = pages(town).get(path(town))
    assert "text/calendar; charset=utf-8" == answer.headers["Content-Type"]
    assert "private, no-cache" == answer.headers["Cache-Control"]
    assert "noindex" in answer.headers["X-Robots-Tag"]
    flawless(answer.data)
    assert {f"/games/{one.id}", f"/games/{two.id}"} == {
        event["URL"].removeprefix(town.app.config.site) for event in events(answer.data)
    }
    play(town, one)
    assert [f"/games/{two.id}"] == [
        event["URL"].removeprefix(town.app.config.site) for event in events(pages(town).get(path(town)).data)
    ]


def test_the_same_turn_keeps_its_uid_and_the_next_has_another(town: Town) -> None:
    game = begin(town, "3d/move")
    first = the_event(town)
    assert first["UID"] == the_event(town)["UID"]
    for move in ("f2 f4 g3", "e5"):
        town.now += HOUR
        play(town, game, move)
    assert first["UID"] != the_event(town)["UID"]


def test_a_deadline_that_moves_raises_the_sequence_and_says_when(town: Town) -> None:
    begin(town, "3d/move")
    before = the_event(town)
    town.now += 5 * HOUR
    for length in (2 * DAY, 4 * DAY):
        with town.app.store.write() as db:
            for block in vacations.vacations_of_players(db, [town.players[BILLS].id])[town.players[BILLS].id]:
                if block.ends > town.now:
                    vacations.end_vacation(db, block, block.begins)
            vacations.store_vacation(db, town.players[BILLS].id, Vacation(town.now, town.now + length))
            game = games.load_game(db, town.app.games_by_key, 1)
            assert game is not None
            games.reschedule(db, game, town.now)
            games.reschedule(db, game, town.now)  # nothing has moved
        after = the_event(town)
        assert before["UID"] == after["UID"]
        assert before["SEQUENCE"] + 1 == after["SEQUENCE"]
        assert town.now == after["DTSTAMP"].dt == after["LAST-MODIFIED"].dt
        assert game.deadline == after["DTSTART"].dt
        before = after


def test_who_has_the_newest_gets_a_few_bytes(town: Town) -> None:
    begin(town, "3d/move")
    client = pages(town)
    tag = client.get(path(town)).headers["ETag"]
    town.now += 5 * HOUR  # time alone changes nothing
    again = client.get(path(town), headers={"If-None-Match": tag})
    assert (304, b"") == (again.status_code, again.data)


def test_a_renewed_or_made_up_address_or_one_for_another_use_shows_nothing(town: Town) -> None:
    begin(town, "3d/move")
    old = path(town)
    seal = town.app.addressing.sign_token
    player = town.players[BILLS]
    with town.app.store.write() as db:
        players.revoke_addresses(db, player)
    wrong = [old, "/calendar/x.ics", "/calendar/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.ics"]
    wrong += [f"/calendar/{seal(Token('unsubscribe', (player.id, 0, 1)))}.ics"]
    wrong += [f"/calendar/{seal(Token('calendar', (999, 0)))}.ics"]
    answers = [pages(town).get(each) for each in wrong]
    assert {404} == {answer.status_code for answer in answers}
    assert 1 == len({answer.text for answer in answers})
    assert 200 == pages(town).get(path(town)).status_code


def test_a_feeds_address_takes_no_mail(town: Town) -> None:
    address = path(town).removeprefix("/calendar/").removesuffix(".ics")
    begin(town, "3d/move")

    to = f"play+{address}@{town.app.config.host}"
    (key,) = receive(town.app, new_mail(BILLS, to, "game 1\nf2"), BILLS, [to])
    work_through(town.app)
    with town.app.store.read() as db:
        kept = inbox.mail_by_id(db, int(key[1:]))
    assert kept is not None
    assert ("refused", []) == (kept.state, town.moves(1))


@pytest.mark.parametrize("words", ["set calendar on", "set all"])
def test_the_letter_about_settings_has_its_address(town: Town, words: str) -> None:

    (told,) = town.mail(BILLS, new_mail(BILLS, town.lobby(BILLS), words), town.lobby(BILLS))
    assert feed_address(town.app, town.players[BILLS]) in told.text


def test_with_the_setting_on_a_reminder_comes_with_its_dates(town: Town) -> None:

    begin(town, "1d/move")
    wish(town, quiet="off")
    with town.app.store.write() as db:
        players.set_preference(db, town.players[BILLS], "calendar", True)
    ((_, letter),) = until(town, 20 * HOUR)
    assert b"text/calendar; method=PUBLISH" in letter.raw
