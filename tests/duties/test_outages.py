"""Clocks and unread mailboxes: no flag falls before a mailbox was fetched. All run on both databases."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.duties import outages
from pbem.duties.game_clock import WAIT_DELAY, WORKER_DELAY, check_due_games
from pbem.duties.outages import record_heartbeat
from pbem.inbox.fetch import fetch_round
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import ReceivedLetter, reply_mail
from pbem.store import games, inbox
from pbem.store import outages as outage_rows
from tests.apps import BILL, JOAO, Clock, begin, ending, letters, load, play, state

DAY, HOUR, MINUTE, SECOND = (timedelta(**{unit: 1}) for unit in ("days", "hours", "minutes", "seconds"))


@pytest.fixture
def app_config(maildir: Path) -> dict[str, str]:
    return {"PBEM_MAILDIR": str(maildir)}


def a_turn(app: App) -> ReceivedLetter:
    """The letter about Bill's turn, at a day a ply."""
    begin(app, "1d/move")
    play(app, 4)
    fetch_round(app)
    return letters(app, BILL)[-1]


def put(maildir: Path, clock: Clock, letter: ReceivedLetter, words: str) -> None:
    """Put Bill's answer into the mailbox at this moment."""
    path = maildir / "new" / f"{clock.now.timestamp():.0f}.M1P1.host"
    path.write_bytes(b"Return-Path: <bill@example.org>\n" + reply_mail(letter, BILL, words))
    os.utime(path, (clock.now.timestamp(),) * 2)


def looking_until(app: App, clock: Clock, moment: datetime) -> None:
    """Pass time with half-hourly heartbeats and fetches. The last fetch is as long before the end."""
    while clock.now < moment - HOUR / 2:
        clock.now += HOUR / 2
        beat(app)
        fetch_round(app)
    clock.now = moment


def beat(app: App) -> None:
    """One round of the worker."""
    record_heartbeat(app)
    work_through(app)
    check_due_games(app)
    work_through(app)


def test_a_move_that_lay_in_the_mailbox_when_the_flag_fell_wins(
    app: App, clock: Clock, maildir: Path
) -> None:
    turn = a_turn(app)
    looking_until(app, clock, clock.now + DAY - SECOND)
    put(maildir, clock, turn, "h4")
    clock.now += 20 * MINUTE
    beat(app)
    assert ending(app) is None, "nobody has looked into the mailbox since"
    assert 1 == fetch_round(app)
    beat(app)
    game = load(app)
    assert (5, None) == (len(game.state.plies), game.state.ending)
    assert clock.now - 20 * MINUTE == game.journal[-1].effective_time, "not when it was fetched"
    assert clock.now + DAY == game.deadline, "the other has seen nothing before"


def test_a_move_that_came_into_the_mailbox_after_the_flag_is_too_late(
    app: App, clock: Clock, maildir: Path
) -> None:
    turn = a_turn(app)
    flag = clock.now + DAY
    looking_until(app, clock, flag + SECOND)
    put(maildir, clock, turn, "h4")
    clock.now += 20 * MINUTE
    fetch_round(app)
    beat(app)
    assert (4, flag) == (len(load(app).state.plies), ending(app).at)


def test_a_mail_that_came_another_way_waits_until_the_mailbox_was_looked_into(
    app: App, clock: Clock, maildir: Path
) -> None:
    turn = a_turn(app)
    looking_until(app, clock, clock.now + DAY - SECOND)
    put(maildir, clock, turn, "h4")
    clock.now += MINUTE
    theirs = letters(app, JOAO)[-1]
    (key,) = receive(app, reply_mail(theirs, JOAO, "say hello"), JOAO, [theirs.header("Reply-To")])
    beat(app)
    assert ("new", None) == (state(app, key), ending(app))
    fetch_round(app)
    clock.now += MINUTE
    beat(app)
    assert (5, None) == (len(load(app).state.plies), ending(app))
    clock.now += MINUTE
    beat(app)
    assert "done" == state(app, key)


def test_where_a_look_found_nothing_the_flag_falls(app: App, clock: Clock) -> None:
    a_turn(app)
    flag = clock.now + DAY
    looking_until(app, clock, flag + WORKER_DELAY)
    check_due_games(app)
    assert ending(app) is None
    fetch_round(app)
    clock.now += WAIT_DELAY
    check_due_games(app)
    assert flag == ending(app).at


def test_a_mailbox_that_did_not_answer_for_long_is_an_outage_and_holds_no_other_mail_up(
    app: App, clock: Clock, maildir: Path
) -> None:
    turn = a_turn(app)
    seen, flag = clock.now, clock.now + DAY
    (maildir / "new").rename(maildir / "away")
    while clock.now < flag + 6 * HOUR:
        clock.now += 30 * MINUTE
        fetch_round(app)
        beat(app)
    assert ending(app) is None
    theirs = letters(app, JOAO)[-1]
    (key,) = receive(app, reply_mail(theirs, JOAO, "say hello"), JOAO, [theirs.header("Reply-To")])
    beat(app)
    assert "done" == state(app, key)
    (maildir / "away").rename(maildir / "new")
    put(maildir, clock, turn, "h4")
    clock.now += 30 * MINUTE
    assert 1 == fetch_round(app)
    with app.store.read() as db:
        assert ((seen, clock.now),) == outage_rows.outages_since(db, seen)
        game = games.load_game(db, app.games_by_key, 1)
    assert clock.now + DAY == game.deadline, "all of the time since the last look is given back"
    beat(app)
    assert (5, None) == (len(load(app).state.plies), ending(app))
    assert "was stopped" in letters(app, JOAO)[-1].text


def test_looks_as_far_apart_as_the_settings_say_are_no_outage(
    tmp_path: Path, sqlite_url: str, clock: Clock, maildir: Path
) -> None:
    environ = {"PBEM_VAR": str(tmp_path), "PBEM_DATABASE": sqlite_url, "PBEM_MAILDIR": str(maildir)}
    app = open_app(config_from({**environ, "PBEM_POLL": "7200"}), clock=clock)
    for hours in (0, 2, 2, 3):
        clock.now += hours * HOUR
        fetch_round(app)
    with app.store.read() as db:
        assert () == outage_rows.outages_since(db, clock.now - DAY)
    clock.now += 3 * HOUR + SECOND
    fetch_round(app)
    with app.store.read() as db:
        assert ((clock.now - 3 * HOUR - SECOND, clock.now),) == outage_rows.outages_since(db, clock.now - DAY)
    app.close()


def test_a_mailbox_that_is_named_no_more_stops_no_clock_and_its_rest_is_no_outage(
    app: App, clock: Clock, tmp_path: Path
) -> None:
    a_turn(app)
    environ = {"PBEM_VAR": str(tmp_path), "PBEM_DATABASE": app.config.database}
    without = open_app(config_from(environ), clock=clock)
    outages.drop_unused_heartbeats(without)
    flag = clock.now + DAY
    clock.now = flag + WORKER_DELAY
    check_due_games(without)
    assert flag == ending(without).at
    without.close()
    fetch_round(app)
    with app.store.read() as db:
        assert () == outage_rows.outages_since(db, flag - 2 * DAY)


def test_a_mail_that_lay_there_for_long_counts_as_underway_for_five_days(
    app: App, clock: Clock, maildir: Path
) -> None:
    put(maildir, clock, a_turn(app), "h4")
    clock.now += 30 * DAY
    fetch_round(app)
    with app.store.read() as db:
        (found,) = inbox.mails_in_state(db, "new")
    assert clock.now - 5 * DAY == found.received_at
