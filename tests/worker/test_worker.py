"""A worker stops after its current job, however much waits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Event
from time import monotonic

import pytest

from pbem.app import Office, open_office
from pbem.config.load import settings_from
from pbem.config.parsers import Relay
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.outbound.relay import RelaySender
from pbem.mail.person.mailbox import fresh
from pbem.outbox.send import LETTERS
from pbem.store import inbox, monitoring, outbox_delivery
from pbem.worker.worker import Worker
from tests.e2e.relays import scripted_server

MANY = 3 * LETTERS


@pytest.fixture
def office(sqlite_url: str, tmp_path: Path) -> Iterator[Office]:
    """A server with many mails, each of which is answered."""
    environ = {
        "PBEM_VAR": str(tmp_path),
        "PBEM_DATABASE": sqlite_url,
        "PBEM_CONFIRMATIONS_PER_HOUR": "1000",
    }
    office = open_office(settings_from(environ))
    for n in range(MANY):
        who = f"p{n}@example.org"
        receive(office, fresh(who, "play@localhost", f"register Player{n}"), who, ["play@localhost"])
    yield office
    office.close()


def stopped_at(office: Office, step: str) -> None:
    """Stop a worker during this step's first run."""
    reached, go_on = Event(), Event()

    def wait(name: str) -> None:
        if name == step:
            reached.set()
            go_on.wait(60)

    worker = Worker(replace(office, step=wait))
    worker.start()
    assert reached.wait(60)
    worker.begin_to_stop()
    go_on.set()
    worker.stop()


def test_of_many_mails_the_one_in_hand_is_finished(office: Office) -> None:
    stopped_at(office, "open")
    with office.store.read() as db:
        assert MANY - 1 == monitoring.open_mails(db)["new"]


def test_of_many_letters_the_one_in_hand_is_finished_and_the_rest_are_due_at_once(office: Office) -> None:
    work_through(office)
    stopped_at(office, "send")
    with office.store.read() as db:
        assert 1 == inbox.count_by_state(db)["letters out"]["sent"]
    with office.store.write() as db:
        due = outbox_delivery.claim(db, office.clock(), timedelta(minutes=1), 2 * MANY)
    assert {1} == {letter.attempts for letter in due}
    assert MANY - 1 == len(due)


@pytest.mark.parametrize("silent", ["greeting", "EHLO", "MAIL", "text"])
def test_a_relay_that_hangs_does_not_keep_the_worker_from_stopping(office: Office, silent: str) -> None:
    work_through(office)
    with scripted_server() as server:
        server.script[silent] = ""
        relay = Relay("127.0.0.1", server.server_address[1], tls=False)
        office = replace(office, sender=RelaySender(relay, timeout=600))
        worker = Worker(office, patience=0.5)
        worker.start()
        assert server.fell_silent.wait(60)
        begun = monotonic()
        worker.stop()
        office.sender.close()
    assert 0.5 <= monotonic() - begun < 60
    with office.store.read() as db:
        assert {"queued": MANY} == inbox.count_by_state(db)["letters out"]
    with office.store.write() as db:
        due = outbox_delivery.claim(db, office.clock(), timedelta(minutes=1), 2 * MANY)
    assert len(due) >= MANY - 1  # all but the current one, deferred by five seconds
