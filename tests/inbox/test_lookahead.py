"""Signatures checked in parallel: a slow domain holds up nobody else.

The name server is a real one, over UDP; the worker is that of `pbem serve`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from pbem.app import App
from pbem.config.parsers import Listen
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.authentication.dns import DnsClient, DnsQueries
from pbem.mail.person.mailbox import new_mail, reply_mail
from pbem.store import outbox
from pbem.worker.worker import Worker
from tests.amount import some
from tests.apps import BILL, JOAO, PLAY, Clock, a_game, moves, state
from tests.inbox.test_sender import dated, sign
from tests.mail.zone import public
from tests.mail.zones import SILENT, Zone, name_server

pytestmark = pytest.mark.whole

MAILS = 60
ZONE: Zone = {
    ("sel._domainkey.example.org", "TXT"): [f"v=DKIM1; k=rsa; p={public()}"],
    ("_dmarc.example.org", "TXT"): ["v=DMARC1; p=reject"],
    ("_dmarc.silent.example", "TXT"): SILENT,
    **{(f"_dmarc.x{n}.silent.example", "TXT"): SILENT for n in range(MAILS)},
}


@pytest.fixture
def patience() -> float:
    """The time limit of name server queries."""
    return 1.5


@pytest.fixture
def checking(app: App, patience: float) -> Iterator[App]:
    """A server that asks our own name server."""
    with name_server(ZONE) as port:
        names = DnsClient(Listen("127.0.0.1", port), patience)
        yield replace(app, lookup=names)
        names.close()


@contextmanager
def working(*offices: App) -> Iterator[None]:
    """A worker for each server."""
    workers = [Worker(app) for app in offices]
    for worker in workers:
        worker.start()
    try:
        yield
    finally:
        for worker in workers:
            worker.stop()


def soon(true: Callable[[], bool], seconds: float = 20) -> float:
    """Wait for a condition; return the seconds that it took."""
    began = time.monotonic()
    while not true():
        assert time.monotonic() - began < seconds
        time.sleep(0.02)
    return time.monotonic() - began


def silent_mails(app: App, domain: str = "silent.example") -> list[str]:
    senders = [f"n{n}@{domain.format(n)}" for n in range(MAILS)]
    return [
        key
        for sender in senders
        for key in receive(app, dated(new_mail(sender, PLAY, "register N")), sender, [PLAY])
    ]


@pytest.mark.parametrize(
    ("domain", "patience"), some([("silent.example", 60), ("x{}.silent.example", 60)], 1)
)
def test_many_mails_of_silent_domains_hold_up_nobody(checking: App, domain: str) -> None:
    bills, _ = a_game(replace(checking, lookup=None))
    silent = silent_mails(checking, domain)
    (key,) = receive(checking, sign(reply_mail(bills, BILL, "f2"), BILL), BILL, [bills.header("Reply-To")])
    with working(checking):
        soon(lambda: state(checking, key) == "done")
    assert {"new"} == {state(checking, each) for each in silent}
    assert ["f2"] == moves(checking)


@pytest.mark.parametrize("domain", ["silent.example", "x{}.silent.example"])
def test_mails_of_silent_domains_are_filed_when_their_time_is_over(checking: App, domain: str) -> None:
    silent = silent_mails(checking, domain)
    with working(checking):
        soon(lambda: not any(state(checking, each) == "new" for each in silent))


def test_what_was_asked_about_when_a_worker_died_is_asked_about_again(checking: App) -> None:
    (key,) = receive(checking, sign(new_mail(BILL, PLAY, "register Bill"), BILL), BILL, [PLAY])
    with name_server(dict.fromkeys(ZONE, SILENT)) as port:
        unanswered = DnsClient(Listen("127.0.0.1", port), 60)
        assert 0 == work_through(replace(checking, lookup=unanswered), lambda: False, lambda: None)
        unanswered.close()
    again = replace(checking, ahead=DnsQueries())
    soon(lambda: work_through(again, lambda: False, lambda: None) == 1)
    assert "done" == state(checking, key)
    assert 0 == work_through(checking, lambda: False, lambda: None)
    assert [] == checking.ahead.pending_numbers()


def test_two_mails_of_one_sender_are_filed_in_their_order(checking: App) -> None:
    bills, _ = a_game(replace(checking, lookup=None))
    to = bills.header("Reply-To")
    from_elsewhere = new_mail("bill@silent.example", to, "f2")
    keys = [
        receive(checking, raw, BILL, [to])[0]
        for raw in (from_elsewhere, sign(reply_mail(bills, BILL, "f2"), BILL))
    ]
    while state(checking, keys[1]) == "new":
        work_through(checking, lambda: False, lambda: None)
        assert ("new", "done") != (state(checking, keys[0]), state(checking, keys[1]))
    assert ["refused", "done"] == [state(checking, key) for key in keys]


def test_two_workers_file_each_mail_once(checking: App) -> None:
    bills, _ = a_game(replace(checking, lookup=None))
    words = [sign(reply_mail(bills, BILL, f"say {n}"), BILL) for n in range(10)]
    keys = [receive(checking, raw, BILL, [bills.header("Reply-To")])[0] for raw in words]
    with working(checking, replace(checking, ahead=DnsQueries())):
        soon(lambda: {"done"} == {state(checking, key) for key in keys})
    with checking.store.read() as db:
        assert 10 == sum(
            b"Message-ID: <g1" in raw and b".chat." in raw for raw in outbox.letters_to(db, JOAO)
        )


class Ended(BaseException):
    """The end of a process."""


def test_a_mail_that_ends_the_process_when_it_is_opened_to_ask_about_it_is_put_aside(
    checking: App, clock: Clock
) -> None:
    bills, _ = a_game(replace(checking, lookup=None))
    to = bills.header("Reply-To")
    (deadly,) = receive(checking, sign(reply_mail(bills, BILL, "say Boom."), BILL), BILL, [to])

    def end(step: str) -> None:
        if step == "ask":
            raise Ended

    for _ in range(3):
        with pytest.raises(Ended):
            work_through(replace(checking, step=end), lambda: False, lambda: None)
        clock.pass_by(minutes=1)
    (other,) = receive(checking, sign(reply_mail(bills, BILL, "say Hello."), BILL), BILL, [to])
    working_on = replace(checking, ahead=DnsQueries())
    soon(lambda: work_through(working_on, lambda: False, lambda: None) and state(checking, other) == "done")
    assert "shunted" == state(checking, deadly)
