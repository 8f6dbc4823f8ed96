"""Bounced letters, for tests of their effects."""

from __future__ import annotations

from collections import Counter

from sqlalchemy import select

from pbem.app import App
from pbem.mail.person.mailbox import ReceivedLetter
from pbem.outbox.send import send_due
from pbem.store.tables import outbox
from tests.apps import BILL, Relay, mail
from tests.mail.inbound.test_bounce_report import block, dsn


def states(app: App, address: str) -> Counter[str]:
    """The number of letters to an address in each state."""
    with app.store.read() as db:
        return Counter(db.scalars(select(outbox.c.state).where(outbox.c.recipient == address)))


def comes_back(app: App, letter: ReceivedLetter, status: str = "5.1.1", who: str = BILL, **more: str) -> str:
    """Bounce a letter to its bounce address; return the notice's state."""
    relay = app.sender
    assert isinstance(relay, Relay)
    report = dsn(block(status, address=more.get("about", who), action=more.get("action", "failed")))
    return mail(app, "", report, relay.bounce_address(letter))


def gone(app: App, who: str = BILL) -> None:
    """Bounce two letters, which suspends the address."""
    send_due(app)
    relay = app.sender
    assert isinstance(relay, Relay)
    for letter in relay.to(who)[-2:]:
        assert "bounce" == comes_back(app, letter, who=who)
    send_due(app)
