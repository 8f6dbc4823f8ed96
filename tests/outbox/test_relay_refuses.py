"""Refusing relays: no letter is lost, the operator is told. The refusal of one recipient is final."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from pbem.app import App
from pbem.config.parsers import Relay
from pbem.mail.outbound.relay import RelaySender, TemporaryFailure
from pbem.mail.transport.smtp_server import BoundController
from pbem.outbox.send import send_due
from pbem.store import inbox, monitoring, outbox, outbox_delivery
from pbem.store.outbox import OutboundLetter
from pbem.web import create_app
from tests.amount import amount
from tests.apps import OPERATOR, Clock, letters

pytestmark = pytest.mark.whole

WHO = [f"p{n}@host{n % 7}.example" for n in range(40)]


@dataclass
class Choosy:
    """A mail server with an answer for each recipient in `says`. None means that it takes the letter."""

    says: Callable[[str], str | None] = lambda recipient: None
    taken: list[str] = field(default_factory=list)

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        refusal = self.says(address)
        if refusal is None:
            envelope.rcpt_tos.append(address)
        return refusal or "250 2.1.5 fine"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.taken += envelope.rcpt_tos
        return "250 2.0.0 taken"


@contextmanager
def choosy() -> Iterator[tuple[Choosy, RelaySender]]:
    server = Choosy()
    controller = BoundController(server, hostname="127.0.0.1", port=0)
    controller.start()
    sender = RelaySender(Relay("127.0.0.1", controller.port, tls=False))
    try:
        yield server, sender
    finally:
        sender.close()
        controller.stop()


@pytest.fixture
def line() -> Iterator[tuple[Choosy, RelaySender]]:
    with choosy() as both:
        yield both


@pytest.fixture
def relay(line: tuple[Choosy, RelaySender]) -> Choosy:
    return line[0]


@pytest.fixture
def app(app: App, line: tuple[Choosy, RelaySender], monkeypatch: pytest.MonkeyPatch) -> App:
    """An app whose letters are judged together, however slow the machine is."""
    monkeypatch.setattr("pbem.outbox.send.GATHER_SECONDS", 30)
    return replace(app, sender=line[1])


@pytest.fixture
def app_config() -> dict[str, str]:
    return {"PBEM_OPERATOR": OPERATOR}


def write_to(app: App, clock: Clock, *recipients: str, kind: str = "chat") -> None:
    found = [
        OutboundLetter(
            f"k{who}", kind, None, None, None, None, f"b{n}@x", who, f"<{who}>", b"Subject: x\r\n\r\nx\r\n"
        )
        for n, who in enumerate(recipients)
    ]
    with app.store.write() as db:
        outbox.put_in_outbox(db, found, clock.now)


def states(app: App) -> dict[str, int]:
    with app.store.read() as db:
        return inbox.count_by_state(db)["letters out"]


def counted(app: App) -> dict[str, int]:
    with app.store.read() as db:
        return monitoring.count_open_letters(db)


def pass_by(app: App, clock: Clock, seconds: float, step: float = 5) -> None:
    for _ in range(int(seconds / step)):
        clock.pass_by(seconds=step)
        send_due(app)


@pytest.mark.parametrize(
    "refusal",
    [
        "554 5.7.1 Relay access denied",
        "554 Relay access denied",
        "550 relay not permitted",
        "550 5.7.54 Unable to relay recipient in non-accepted domain",
        "530 5.7.0 Must issue a STARTTLS command first",
    ],
)
def test_a_relay_that_refuses_everybody_for_half_a_minute_loses_no_letter(
    app: App, relay: Choosy, clock: Clock, refusal: str, caplog: pytest.LogCaptureFixture
) -> None:
    write_to(app, clock, *WHO)
    relay.says = lambda _recipient: refusal
    with caplog.at_level(logging.ERROR):
        send_due(app)
    assert [f"the relay refuses us; letters wait until its settings or ours are mended: {refusal}"] == list(
        dict.fromkeys(record.getMessage() for record in caplog.records)
    )
    pass_by(app, clock, 30)
    assert ({"queued": 40}, 40) == (states(app), counted(app)["refused"])
    relay.says = lambda _recipient: None
    pass_by(app, clock, 180)
    assert ({"sent": 40}, sorted(WHO)) == (states(app), sorted(relay.taken))
    assert 0 == counted(app)["refused"]


@pytest.mark.slow
def test_what_refuses_everybody_is_kept_however_long_it_takes_to_mend(
    app: App, relay: Choosy, clock: Clock
) -> None:
    write_to(app, clock, *WHO[:3])
    relay.says = lambda _recipient: "554 5.7.1 Relay access denied"
    pass_by(app, clock, 9 * 86400, step=3600)
    assert {"queued": 3} == states(app)
    relay.says = lambda _recipient: None
    pass_by(app, clock, 7200, step=3600)
    assert {"sent": 3} == states(app)


def test_status_is_red_at_once_where_the_relay_refuses_us_and_green_when_it_does_not(
    app: App, relay: Choosy, clock: Clock
) -> None:
    client = create_app(app).test_client()
    write_to(app, clock, *WHO[:2])
    relay.says = lambda _recipient: "554 5.7.1 Relay access denied"
    send_due(app)
    answer = client.get("/status")
    assert (503, "failing") == (answer.status_code, (answer.json or {})["status"])
    relay.says = lambda _recipient: None
    pass_by(app, clock, 10)
    answer = client.get("/status")
    assert (200, "ok") == (answer.status_code, (answer.json or {})["status"])


def test_a_refusal_of_one_recipient_is_final_at_once_and_no_alarm(
    app: App, relay: Choosy, clock: Clock
) -> None:
    write_to(app, clock, *WHO[:3])
    relay.says = lambda recipient: "550 5.1.1 no such mailbox" if recipient == WHO[0] else None
    send_due(app)
    assert {"failed": 1, "sent": 3} == states(app)  # with the letter to the operator
    assert {"queued": 0, "failed": 1, "refused": 0, "given_up": 0} == counted(app)
    assert 1 == len(letters(app, OPERATOR))


def test_a_refusal_whose_code_says_not_of_whom_is_final_once_others_are_taken_again_and_again(
    app: App, relay: Choosy, clock: Clock
) -> None:
    relay.says = lambda recipient: "550 Unrouteable address" if recipient == WHO[0] else None
    write_to(app, clock, *WHO[:3])
    send_due(app)
    assert {"queued": 1, "sent": 2} == states(app)
    pass_by(app, clock, 600)
    assert {"queued": 1, "sent": 2} == states(app)
    pass_by(app, clock, 300)
    assert {"failed": 1, "sent": 3} == states(app)
    assert 0 == counted(app)["given_up"]


def test_a_policy_against_one_recipient_is_tried_for_five_days_and_then_an_alarm(
    app: App, relay: Choosy, clock: Clock
) -> None:
    relay.says = lambda recipient: "550 5.7.1 not from you" if recipient == WHO[0] else None
    write_to(app, clock, *WHO[:3])
    pass_by(app, clock, 4 * 86400, step=1800)
    assert ({"queued": 1, "sent": 2}, 0) == (states(app), counted(app)["refused"])
    pass_by(app, clock, 2 * 86400, step=1800)
    assert ({"failed": 1, "sent": 3}, 1) == (states(app), counted(app)["given_up"])


def test_a_letter_that_was_put_off_until_it_was_given_up_makes_status_red_until_somebody_saw_to_it(
    app: App, relay: Choosy, clock: Clock
) -> None:
    client = create_app(app).test_client()
    relay.says = lambda recipient: "451 later" if recipient == WHO[0] else None
    write_to(app, clock, *WHO[:2])
    pass_by(app, clock, 5.1 * 86400, step=1800)
    assert (503, 1) == (client.get("/status").status_code, counted(app)["given_up"])
    relay.says = lambda _recipient: None
    with app.store.write() as db:
        assert [1] == outbox_delivery.resendable_ids(db)
        outbox_delivery.requeue_letters(db, [1], clock.now)
    send_due(app)
    assert (200, 0) == (client.get("/status").status_code, counted(app)["given_up"])
    assert 1 == relay.taken.count(WHO[0])


def test_an_address_that_a_forger_made_up_raises_no_alarm(app: App, relay: Choosy, clock: Clock) -> None:
    relay.says = lambda recipient: "451 later" if recipient == WHO[0] else None
    write_to(app, clock, WHO[0], kind="confirm")
    pass_by(app, clock, 5.1 * 86400, step=3600)
    assert (1, 0) == (counted(app)["failed"], counted(app)["given_up"])


@pytest.mark.slow
def test_a_relay_that_is_away_for_a_week_loses_no_letter(app: App, clock: Clock) -> None:
    write_to(app, clock, *WHO[:5])
    away = replace(app, sender=RelaySender(Relay("127.0.0.1", 9, tls=False)))
    pass_by(away, clock, 7 * 86400, step=amount(21_600, 7200))
    assert {"queued": 5} == states(app)


class Faulty:
    """A faulty sender, which raises an unknown error for one recipient."""

    def __init__(self, who: str) -> None:
        self.who, self.offered = who, 0

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        if recipient == self.who:
            self.offered += 1
            raise UnicodeEncodeError("ascii", "\u00fc", 0, 1, "a fault of ours")

    def hang_up(self) -> None:
        raise TemporaryFailure("never called")

    def close(self) -> None:
        self.offered = 0


def test_a_letter_that_fails_by_our_own_fault_is_set_aside_and_the_operator_told(
    app: App, clock: Clock
) -> None:
    faulty = Faulty(WHO[0])
    app = replace(app, sender=faulty)
    write_to(app, clock, *WHO[:2])
    pass_by(app, clock, 30 * 86400, step=3600)
    assert 6 == faulty.offered
    assert ({"failed": 1, "sent": 2}, 1) == (states(app), counted(app)["given_up"])
    (told,) = letters(app, OPERATOR)
    assert "failed 6 times here: UnicodeEncodeError" in told.text


def test_the_relays_own_no_is_no_fault_of_ours_however_often(app: App, clock: Clock) -> None:
    class Unsteady(Faulty):
        def send(self, envelope_from: str, recipient: str, raw: bytes) -> None:
            self.offered += 1
            if self.offered < 20:
                raise TemporaryFailure("451 later")
            if self.offered < 22:
                raise ZeroDivisionError

    app = replace(app, sender=Unsteady(WHO[0]))
    write_to(app, clock, WHO[0])
    pass_by(app, clock, 2 * 86400, step=3600)
    assert {"sent": 1} == states(app)
