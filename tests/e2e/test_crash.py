"""kill -9 after any of the ten steps: no move is lost or doubled, every letter is sent, always the same."""

from __future__ import annotations

import smtplib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from pbem.app import utc_now
from pbem.core.game.journal import PLY
from pbem.duties.outages import WORKER_HEARTBEAT
from pbem.mail.person.mailbox import reply_mail
from pbem.store import games, inbox, outages, vacations
from pbem.store.engine import open_store
from rules import RULES
from tests.amount import amount
from tests.apps import advance
from tests.cli.program import forks
from tests.e2e import dying_server
from tests.e2e.town import Sink, environ, running_town, sink_server
from tests.inbox.test_journey import BILL, JOAO, meet

pytestmark = pytest.mark.whole

STEPS = ("receive", "keep", "open", "authenticate", "read", "decide", "write", "commit", "send")
PATIENCE_SECONDS = 90
MINUTE = 1 / 60
"""In hours: by then all that a dead process had claimed is free."""


@contextmanager
def server(step: str, hours: float, settings: dict[str, str]) -> Iterator[tuple[BaseProcess, int]]:
    """A server in another process, and its port; it is ended with the block."""
    here, there = forks.Pipe(duplex=False)
    process = forks.Process(target=dying_server.main, args=(step, hours, settings, there))
    process.start()
    there.close()
    try:
        with here:
            yield process, here.recv()
    finally:
        process.terminate()
        process.join(PATIENCE_SECONDS)


def offer(port: int, raw: bytes, recipient: str) -> bool:
    """Send a mail as a server does; True if it was acknowledged."""
    try:
        with smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE_SECONDS) as smtp:
            smtp.sendmail(BILL, [recipient], raw)
    except (OSError, smtplib.SMTPException):
        return False
    return True


def until(what: str, holds: object) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not holds():  # type: ignore[operator]
        assert time.monotonic() < end, what
        time.sleep(0.02)


@pytest.mark.parametrize("step", amount(("keep", "commit", "send"), STEPS))
def test_a_crash_after_any_step_loses_and_doubles_nothing(step: str, tmp_path: Path, sqlite_url: str) -> None:
    _crash(step, tmp_path, sqlite_url)


@pytest.mark.parametrize("step", amount(["commit"], ["keep", "commit", "send"]))
def test_the_same_on_postgresql(step: str, tmp_path: Path, postgresql_url: str) -> None:
    _crash(step, tmp_path, postgresql_url)


def _crash(step: str, folder: Path, url: str) -> None:
    with running_town(folder, url) as town:
        letters = meet(town, town.resident(BILL), town.resident(JOAO))
    letter = letters[BILL]
    raw, recipient = reply_mail(letter, BILL, "f2 f4 g3\n\nHave fun!"), letter.header("Reply-To")
    with sink_server() as (sink, relay_port):
        settings = environ(folder, url, relay_port)
        with server(step, 0, settings) as (process, port):
            acknowledged = offer(port, raw, recipient)
            process.join(PATIENCE_SECONDS)
            assert -9 == process.exitcode
        with server("none", MINUTE, settings) as (_, port):
            if not acknowledged:
                assert offer(port, raw, recipient)  # as every sending server does without a 250
            until("two letters", lambda: len({m for m, _ in sent(sink)}) >= 2)
            until("an empty outbox", lambda: _all_done(url))
        _judge(step, sink, url)


FLAG_HOURS = 9 * 24 + 1
"""An hour after the flag of a game at the usual pace whose player made two plies at once."""


def test_a_crash_while_a_flag_falls_takes_one_day_off_and_tells_it_once(
    tmp_path: Path, database_url: str
) -> None:
    with running_town(tmp_path, database_url) as town:
        meet(town, town.resident(BILL), town.resident(JOAO))
        advance(town.app)  # no day is taken for a game that would be void
    _beat_until(database_url, timedelta(hours=FLAG_HOURS))
    with sink_server() as (sink, relay_port):
        settings = environ(tmp_path, database_url, relay_port)
        with server("clock", FLAG_HOURS, settings) as (process, _):
            process.join(PATIENCE_SECONDS)
            assert -9 == process.exitcode
        assert [] == sink.taken
        assert 0 == _days_off(database_url)
        with server("none", FLAG_HOURS, settings):
            until("two letters", lambda: len(sent(sink)) >= 2)
            until("an empty outbox", lambda: _all_done(database_url))
    assert 1 == _days_off(database_url)
    assert [1, 1] == [
        sum("flag" in letter.header("Message-ID") for letter in sink.letters(who)) for who in (BILL, JOAO)
    ]
    assert 2 == len(sent(sink))


def _beat_until(url: str, ahead: timedelta) -> None:
    """Record heartbeats until then, so that there was no outage."""
    store = open_store(url)
    with store.write() as db:
        outages.record_heartbeat(db, WORKER_HEARTBEAT, utc_now().replace(microsecond=0) + ahead)
    store.close()


def _days_off(url: str) -> int:
    store = open_store(url)
    with store.read() as db:
        taken = vacations.vacations_of_players(db, [1, 2])
    store.close()
    return sum(map(len, taken.values()))


def sent(sink: Sink) -> list[tuple[str, bytes]]:
    """(Message-ID, bytes) of every letter that the relay accepted."""
    return [(letter.header("Message-ID"), letter.raw) for who in (BILL, JOAO) for letter in sink.letters(who)]


def _all_done(url: str) -> bool:
    store = open_store(url)
    with store.read() as db:
        done = inbox.oldest_waiting_times(db) == (None, None)
    store.close()
    return done


def _judge(step: str, sink: Sink, url: str) -> None:
    store = open_store(url)
    with store.read() as db:
        game = games.load_game(db, RULES, 1)
        states = inbox.count_by_state(db)["mail in"]
    store.close()
    assert game is not None
    assert ["f2 f4 g3"] == [entry.data["move"] for entry in game.journal if entry.kind == PLY]
    assert states.keys() <= {"done", "duplicate"}
    by_id: dict[str, set[bytes]] = {}
    for message_id, raw in sent(sink):
        by_id.setdefault(message_id, set()).add(raw)
    assert 2 == len(by_id), sorted(by_id)  # a receipt and a turn
    assert all(len(copies) == 1 for copies in by_id.values())  # sent again byte for byte
    if step != "send":
        assert 2 == len(sent(sink))
