"""DNS questions: parallel, with one deadline, silence remembered; over UDP."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pbem.config.parsers import Listen
from pbem.mail.authentication.dkim_verify import DnsUnanswered
from pbem.mail.authentication.dns import DnsClient
from tests.mail.zones import SERVFAIL, SILENT, Zone, name_server

SECONDS = 0.8
PATIENCE_SECONDS = 60
ZONE: Zone = {
    ("_dmarc.example.org", "TXT"): ["v=DMARC1; p=reject"],
    ("long.example.org", "TXT"): ["x" * 300],
    ("broken.example.org", "TXT"): SERVFAIL,
    **{(f"{n}.silent.example", "TXT"): SILENT for n in range(300)},
}


@contextmanager
def client(seconds: float) -> Iterator[DnsClient]:
    with name_server(ZONE) as port:
        names = DnsClient(Listen("127.0.0.1", port), seconds)
        yield names
        names.close()


@pytest.fixture
def names() -> Iterator[DnsClient]:
    with client(SECONDS) as names:
        yield names


def test_an_answer_a_plain_no_and_a_failing_server_are_told_apart(names: DnsClient) -> None:
    assert ["v=DMARC1; p=reject"] == names("_dmarc.example.org")
    assert ["x" * 300] == names("long.example.org")
    assert [] == names("nobody.example.org")
    for name in ("broken.example.org", "0.silent.example", f"{'x' * 70}.example.org", "a..b"):
        with pytest.raises(DnsUnanswered):
            names(name)


def test_many_silent_names_of_one_mail_take_one_deadline_together(names: DnsClient) -> None:
    began = time.monotonic()
    names.ask([f"{n}.silent.example" for n in range(6)]).result()
    assert SECONDS / 2 < time.monotonic() - began < 5 * SECONDS


def test_one_hundred_silent_mails_hold_up_no_other_question() -> None:
    with client(PATIENCE_SECONDS) as names:
        silent = [names.ask([f"{n}.silent.example"]) for n in range(100)]
        assert ["v=DMARC1; p=reject"] == names("_dmarc.example.org")
        assert not any(each.done() for each in silent)


def test_more_silent_names_than_are_asked_at_once_take_no_longer(names: DnsClient) -> None:
    began = time.monotonic()
    silent = [names.ask([f"{n}.silent.example"]) for n in range(300)]
    for each in silent:
        each.result()
    assert time.monotonic() - began < 20 * SECONDS


def test_silence_is_remembered_for_all_that_the_next_mail_asks(names: DnsClient) -> None:
    names.ask(["1.silent.example", "_dmarc.example.org"]).result()
    assert names.ask(["1.silent.example", "2.silent.example"]).done()
    with pytest.raises(DnsUnanswered):
        names.known("2.silent.example")
    assert not names.ask(["_dmarc.example.org", "2.silent.example"]).done()


def test_a_client_that_is_closed_waits_for_no_question() -> None:
    asked = [f"n{n}.silent.example" for n in range(20)]
    with name_server({(name, "TXT"): SILENT for name in asked}) as port:
        for wait in range(20):
            names = DnsClient(Listen("127.0.0.1", port), 30)
            names.ask(asked)
            time.sleep(wait / 5000)  # sockets are being opened
            began = time.monotonic()
            names.close()
            assert time.monotonic() - began < 5


def test_an_answer_is_asked_for_once(names: DnsClient) -> None:
    names("_dmarc.example.org")
    names.close()
    assert ["v=DMARC1; p=reject"] == names("_dmarc.example.org")
