"""A system clock that was ahead for a minute, without lasting effects."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.app import App
from pbem.duties import outages
from pbem.duties.game_clock import check_due_games
from pbem.duties.outages import record_heartbeat
from pbem.inbox.fetch import fetch_round
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.outbound.relay import TemporaryFailure
from pbem.mail.person.mailbox import new_mail, reply_mail
from pbem.outbox.send import send_due
from pbem.store import inbox, limits
from pbem.store import outages as outage_rows
from pbem.worker.retention import purge_daily
from tests.apps import (
    BILL,
    JOAO,
    PLAY,
    Broken,
    Clock,
    Relay,
    a_game,
    begin,
    ending,
    letters,
    load,
    moves,
    play,
    state,
)

DAY, HOUR, MINUTE = (timedelta(**{unit: 1}) for unit in ("days", "hours", "minutes"))
AHEAD = 40 * DAY


@pytest.fixture
def app_config(tmp_path: Path) -> dict[str, str]:
    for name in ("new", "cur", "tmp"):
        (tmp_path / "Maildir" / name).mkdir(parents=True)
    return {"PBEM_MAILDIR": str(tmp_path / "Maildir")}


def beat(app: App) -> None:
    """One round of the worker, with the daily one."""
    record_heartbeat(app)
    work_through(app)
    fetch_round(app)
    check_due_games(app)
    purge_daily(app)


def ahead_for_a_minute(app: App, clock: Clock) -> None:
    clock.now += AHEAD
    beat(app)
    clock.now += MINUTE - AHEAD
    beat(app)


def test_flags_fall_again(app: App, clock: Clock) -> None:
    begin(app, "1d/move")
    play(app, 4)
    beat(app)
    flag = load(app).deadline
    ahead_for_a_minute(app, clock)
    assert ending(app) is None
    for _ in range(50):
        clock.now += DAY / 48
        beat(app)
    assert flag is not None
    assert flag <= ending(app).at <= flag + 2 * MINUTE, "a minute may be given back"


def test_outages_are_given_back_again(app: App, clock: Clock) -> None:
    beat(app)
    ahead_for_a_minute(app, clock)
    silent_since = clock.now
    clock.now += 5 * HOUR
    beat(app)
    with app.store.read() as db:
        (outage,) = outage_rows.outages_since(db, silent_since)
    assert clock.now == outage[1] and outage[0] <= silent_since


def test_the_purge_is_done_daily_again(app: App, clock: Clock) -> None:
    beat(app)
    ahead_for_a_minute(app, clock)
    (key,) = receive(app, new_mail(BILL, PLAY, "hello"), BILL, [PLAY])
    work_through(app)
    clock.now += 300 * DAY
    beat(app)
    with app.store.read() as db:
        kept = inbox.mail_by_id(db, int(key[1:]))
    assert kept is None or not kept.raw


def test_a_mailbox_counts_as_looked_into_when_it_was(app: App, clock: Clock) -> None:
    beat(app)
    ahead_for_a_minute(app, clock)
    with app.store.read() as db:
        assert clock.now == outages.mail_fetched_until(app, db)


def test_a_mail_and_a_letter_put_off_in_that_minute_are_not_put_off_for_weeks(app: App, clock: Clock) -> None:
    beat(app)
    bills, _ = a_game(app)
    relay = Relay()
    relay.answers = {JOAO: TemporaryFailure("451 later")}
    (key,) = receive(app, reply_mail(bills, BILL, "f2"), BILL, [bills.header("Reply-To")])
    clock.now += 4 * DAY
    record_heartbeat(app)
    work_through(replace(app, step=Broken(1)))
    send_due(replace(app, sender=relay))
    assert [] == relay.to(JOAO)
    clock.now -= 4 * DAY - MINUTE
    relay.answers = {}
    beat(app)
    send_due(replace(app, sender=relay))
    assert ("done", ["f2"]) == (state(app, key), moves(app))
    assert letters(app, JOAO)[-1].raw in [each.raw for each in relay.to(JOAO)]


def test_what_was_counted_in_that_minute_is_not_counted_for_weeks(app: App, clock: Clock) -> None:
    clock.now += AHEAD
    with app.store.write() as db:
        assert [1, 2] == [limits.count_attempt(db, "a domain", clock.now, HOUR) for _ in range(2)]
    clock.now += MINUTE - AHEAD
    beat(app)
    with app.store.write() as db:
        assert [1, 2] == [limits.count_attempt(db, "a domain", clock.now, HOUR) for _ in range(2)]
        assert 1 == limits.count_attempt(db, "a domain", clock.now + HOUR, HOUR)
