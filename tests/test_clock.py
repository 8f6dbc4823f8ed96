"""The worker stops with what it has in hand, however much waits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from pbem.clock import Worker
from pbem.config import settings_from
from pbem.office import Office, open_office
from pbem.postoffice import LETTERS, receive, work_through
from pbem.store import post, watching
from pbem.town import fresh

MANY = 3 * LETTERS


@pytest.fixture
def office(sqlite_url: str, tmp_path: Path) -> Iterator[Office]:
    """An office with many mails, each of which is answered."""
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
    """Run a worker and tell it to stop while it takes this step for the first time."""
    reached, go_on = Event(), Event()

    def wait(name: str) -> None:
        if name == step:
            reached.set()
            go_on.wait(20)

    worker = Worker(replace(office, step=wait))
    worker.start()
    assert reached.wait(20)
    worker.begin_to_stop()
    go_on.set()
    worker.stop()


def test_of_many_mails_the_one_in_hand_is_finished(office: Office) -> None:
    stopped_at(office, "open")
    with office.store.read() as db:
        assert MANY - 1 == watching.open_mails(db)["new"]


def test_of_many_letters_those_in_hand_are_finished(office: Office) -> None:
    work_through(office)
    stopped_at(office, "send")
    with office.store.read() as db:
        assert MANY - LETTERS == watching.open_letters(db)["queued"]
        assert LETTERS == post.count_by_state(db)["letters out"]["sent"]
