"""A worker stops after its current job, however much waits."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Event
from time import monotonic

import pytest
from sqlalchemy import event

from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.config.parsers import Relay
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.outbound.relay import RelaySender
from pbem.mail.person.mailbox import new_mail
from pbem.outbox.send import MAX_CLAIMED
from pbem.store import inbox, monitoring, outbox_delivery
from pbem.worker.worker import Worker
from tests.amount import some
from tests.e2e.relays import scripted_server
from tests.mail.outbound.test_relay import until_somebody_calls

MANY = 3 * MAX_CLAIMED


@pytest.fixture
def app(sqlite_url: str, tmp_path: Path) -> Iterator[App]:
    """A server with many mails, each of which is answered."""
    environ = {
        "PBEM_VAR": str(tmp_path),
        "PBEM_DATABASE": sqlite_url,
        "PBEM_CONFIRMATIONS_PER_HOUR": "1000",
    }
    app = open_app(config_from(environ))
    for n in range(MANY):
        who = f"p{n}@example.org"
        receive(app, new_mail(who, "play@localhost", f"register Player{n}"), who, ["play@localhost"])
    yield app
    app.close()


def stopped_at(app: App, step: str) -> None:
    """Stop a worker during this step's first run."""
    reached, go_on = Event(), Event()

    def wait(name: str) -> None:
        if name == step:
            reached.set()
            go_on.wait(60)

    worker = Worker(replace(app, step=wait))
    worker.start()
    assert reached.wait(60)
    worker.signal_stop()
    go_on.set()
    worker.stop()


def test_of_many_mails_the_one_in_hand_is_finished(app: App) -> None:
    stopped_at(app, "open")
    with app.store.read() as db:
        assert MANY - 1 == monitoring.count_open_mails(db)["new"]


def test_of_many_letters_the_one_in_hand_is_finished_and_the_rest_are_due_at_once(app: App) -> None:
    work_through(app)
    stopped_at(app, "send")
    with app.store.read() as db:
        assert 1 == inbox.count_by_state(db)["letters out"]["sent"]
    with app.store.write() as db:
        due = outbox_delivery.claim_letters(db, app.clock(), timedelta(minutes=1), 2 * MANY)
    assert {1} == {letter.attempts for letter in due}
    assert MANY - 1 == len(due)


@pytest.mark.parametrize("silent", some(["greeting", "EHLO", "MAIL", "text"], 2))
def test_a_relay_that_hangs_does_not_keep_the_worker_from_stopping(app: App, silent: str) -> None:
    work_through(app)
    with scripted_server() as server:
        server.script[silent] = ""
        relay = Relay("127.0.0.1", server.server_address[1], tls=False)
        app = replace(app, sender=RelaySender(relay, timeout=600))
        worker = Worker(app, patience=0.5)
        worker.start()
        assert server.fell_silent.wait(60)
        begun = monotonic()
        worker.stop()
        app.sender.close()
    assert 0.5 <= monotonic() - begun < 60
    with app.store.read() as db:
        assert {"queued": MANY} == inbox.count_by_state(db)["letters out"]
    with app.store.write() as db:
        due = outbox_delivery.claim_letters(db, app.clock(), timedelta(minutes=1), 2 * MANY)
    assert len(due) >= MANY - 1  # all but the current one, deferred by five seconds


def test_a_relay_that_cannot_be_reached_does_not_keep_the_worker_from_stopping(app: App) -> None:
    work_through(app)
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):  # the next call is not taken
            app = replace(app, sender=RelaySender(Relay("127.0.0.1", port, tls=False), timeout=20))
            worker = Worker(app, patience=0.5)
            worker.start()
            until_somebody_calls(port)
            begun = monotonic()
            worker.stop()
            app.sender.close()
            assert monotonic() - begun < 5
        server.accept()[0].close()


LOOKS_IN_A_ROW = 4


@pytest.mark.each_database
def test_an_idle_worker_asks_once_a_beat(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.worker.worker.BEAT_SECONDS", 0.25)
    app = open_app(config_from({"PBEM_VAR": str(tmp_path), "PBEM_DATABASE": database_url}))
    looks: list[bool] = []
    idle = Event()

    def note(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        if statement.startswith(("BEGIN", "PRAGMA")):
            return
        looks.append(" AS links" in statement)
        if all(looks[-LOOKS_IN_A_ROW:]) and len(looks) >= LOOKS_IN_A_ROW:
            idle.set()

    worker = Worker(app)
    with app.store.read():
        event.listen(app.store.engine, "before_cursor_execute", note)
    worker.start()
    assert idle.wait(60), "something else was asked between any two beats"
    worker.stop()
    app.close()


def test_mail_that_another_process_keeps_wakes_the_worker(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.worker.worker.BEAT_SECONDS", 3600)
    settings = config_from({"PBEM_VAR": str(tmp_path), "PBEM_DATABASE": postgresql_url})
    app, other = open_app(settings), open_app(settings)
    filed, sent = Event(), Event()
    steps = {"commit": filed, "send": sent}
    worker = Worker(replace(app, step=lambda name: name in steps and steps[name].set()))
    worker.start()
    for n in range(100):  # until the worker listens
        who = f"p{n}@example.org"
        receive(other, new_mail(who, "play@localhost", "register Bill"), who, ["play@localhost"])
        if filed.wait(0.5):
            break
    assert filed.is_set()
    assert sent.wait(60)
    worker.stop()
    app.close()
    other.close()
