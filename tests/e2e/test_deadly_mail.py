"""A mail that ends the process that handles it; and one that two workers ask for at once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Event

import pytest

from pbem.app import App, open_app, utc_now
from pbem.config.load import config_from
from pbem.core.game.journal import SAY
from pbem.inbox.process import process
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import reply_mail
from pbem.store import games, inbox
from tests.apps import BILL, OPERATOR, a_game, letters, state
from tests.e2e.test_crash import PATIENCE_SECONDS, server, until
from tests.e2e.town import environ

pytestmark = pytest.mark.whole

NO_RELAY = 1
"""A port at which nobody takes letters; they stay in the outbox."""


@pytest.fixture
def config(tmp_path: Path, database_url: str) -> dict[str, str]:
    return environ(tmp_path, database_url, NO_RELAY, PBEM_HOST="localhost", PBEM_OPERATOR=OPERATOR)


@pytest.fixture
def app(config: dict[str, str]) -> Iterator[App]:
    app = open_app(config_from(config))
    yield app
    app.close()


def said(app: App) -> list[str]:
    with app.store.read() as db:
        game = games.load_game(db, app.games_by_key, 1)
    assert game is not None
    return [entry.data["words"] for entry in game.journal if entry.kind == SAY]


def attempts(app: App, key: str) -> int:
    with app.store.read() as db:
        kept = inbox.mail_by_id(db, int(key[1:]))
    assert kept is not None
    return kept.attempts


def test_a_mail_that_ends_the_process_three_times_is_put_aside_and_holds_up_no_other(
    app: App, config: dict[str, str]
) -> None:
    bills, _ = a_game(app)
    address = bills.header("Reply-To")
    (deadly,) = receive(app, reply_mail(bills, BILL, "say Boom."), BILL, [address])
    for number in range(3):
        with server("open", 0.1 * number, config) as (process, _):
            process.join(PATIENCE_SECONDS)
            assert -9 == process.exitcode
        assert (number + 1, "new") == (attempts(app, deadly), state(app, deadly))
    with server("none", 0.5, config):
        until("it is put aside", lambda: state(app, deadly) == "shunted")
        (other,) = receive(app, reply_mail(bills, BILL, "say Hello."), BILL, [address])
        until("the other is filed", lambda: state(app, other) == "done")
    assert ["Hello."] == said(app)
    (told,) = letters(app, OPERATOR)
    assert deadly in told.text


def test_of_two_workers_one_alone_files_a_mail_however_slow_it_is(app: App, config: dict[str, str]) -> None:
    bills, _ = a_game(app)
    raw, address = reply_mail(bills, BILL, "say Hello."), bills.header("Reply-To")
    (key,) = receive(app, raw, BILL, [address])
    number, in_hand, asked = int(key[1:]), Event(), Event()

    def rest(step: str) -> None:
        if step == "open":
            in_hand.set()
            asked.wait(1)  # SQLite has the other wait until this one is done

    later = open_app(config_from(config), clock=lambda: utc_now() + timedelta(minutes=1))
    with ThreadPoolExecutor() as pool:
        first = pool.submit(process, replace(app, step=rest), number)
        assert in_hand.wait(PATIENCE_SECONDS)
        second = process(later, number)  # for whom the time of the first attempt is over
        asked.set()
        assert (None, "done") == (second, first.result(PATIENCE_SECONDS))
    later.close()
    assert ["Hello."] == said(app)
