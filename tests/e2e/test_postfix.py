"""Mail through a real Postfix and back: world -> Postfix -> pbem -> Postfix -> mailbox, and the answer."""

from __future__ import annotations

import re
import smtplib
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import dkim
import pytest

from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.config.parsers import Listen
from pbem.core.bounces import HARD
from pbem.core.game.journal import PLY
from pbem.inbox.receive import receive_all
from pbem.mail.outbound.dkim_sign import dkim_record, new_key, pem, read_key
from pbem.mail.person.mailbox import MailUser, ReceivedLetter, new_mail
from pbem.mail.transport.smtp_server import Listener
from pbem.store import bounces, games, inbox, outbox
from pbem.store.inbox import STATES
from pbem.worker.worker import Worker
from rules import RULES
from tests.amount import amount
from tests.e2e.postfix import HOME, Postfix, running_postfix
from tests.e2e.town import HOST, PATIENCE_SECONDS, FirstIsFirst, Town, environ
from tests.inbox.test_journey import register
from tests.ports import free_port

pytestmark = [pytest.mark.postfix, pytest.mark.whole]

BILL, JOAO, GHOST = f"bill@{HOME}", f"joao@{HOME}", f"ghost@{HOME}"


@dataclass
class Away(MailUser):
    """A person whose mail comes from another machine than ours."""

    def send(self, raw: bytes, recipient: str) -> None:
        with smtplib.SMTP("127.0.0.1", self.port, timeout=60, source_address=("127.0.0.9", 0)) as smtp:
            smtp.sendmail(self.address, [recipient], raw)


@dataclass
class Abroad(Town):
    """A server and people behind Postfix."""

    postfix: Postfix | None = None
    door: Listener | None = None

    def resident(self, address: str) -> MailUser:
        assert self.postfix is not None
        return Away(address, self.postfix.port, self.postfix.letters)

    def filed(self, count: int) -> list[inbox.StoredMail]:
        """Wait until so many mails are filed; return all of them."""
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            with self.app.store.read() as db:
                found = [
                    kept for state in STATES if state != "new" for kept in inbox.mails_in_state(db, state)
                ]
            if len(found) >= count:
                return found
            assert self.postfix is not None
            assert time.monotonic() < end, self.postfix.log()
            time.sleep(0.05)


def open_door(app: App, port: int = 0) -> Listener:
    """pbem's LMTP listener, started."""
    listener = Listener(
        app.addressing.read,
        partial(receive_all, app),
        Listen("127.0.0.1", port),
        server_hostname=app.config.host,
        data_size_limit=app.config.max_mail,
        lmtp=True,
    )
    listener.start()
    return listener


@contextmanager
def abroad(folder: Path, url: str, lines: str = "") -> Iterator[Abroad]:
    """pbem, which signs with its own key, and the Postfix in front of and behind it."""
    key = folder / "dkim.pem"
    key.write_bytes(pem(new_key("rsa")))
    relay_port = free_port()
    config = config_from(environ(folder, url, relay_port, PBEM_DKIM_KEY=str(key)))
    with ExitStack() as stack:
        app = replace(open_app(config), rng=FirstIsFirst())
        stack.callback(app.close)
        worker = Worker(app)
        app = replace(app, wake=worker.wake)
        listener = open_door(app)
        stack.callback(listener.stop)
        postfix = stack.enter_context(running_postfix(listener.port, relay_port, (BILL, JOAO), lines))
        worker.start()
        stack.callback(worker.stop)
        yield Abroad(app, postfix, listener.port, postfix, listener)  # type: ignore[arg-type]


@pytest.fixture
def town(tmp_path: Path, sqlite_url: str, postfix: str) -> Iterator[Abroad]:
    with abroad(tmp_path, sqlite_url) as town:
        yield town


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite: Path, postfix: str) -> Iterator[Abroad]:
    """A town that tests share: they write mails that are refused, and one that is filed."""
    folder = tmp_path_factory.mktemp("closed")
    path = folder / "pbem.sqlite"
    path.write_bytes(migrated_sqlite.read_bytes())
    with abroad(folder, f"sqlite:///{path}") as town:
        yield town


def test_a_move_goes_through_postfix_both_ways_and_the_letters_are_believed(town: Abroad) -> None:
    bill, joao = town.resident(BILL), town.resident(JOAO)
    welcome = register(town, bill, "Bill")
    register(town, joao, "Joao")
    bill.reply(welcome, "challenge Joao bipod first")
    _offered, challenge = town.next_letter(bill), town.next_letter(joao)
    joao.reply(challenge, "accept")
    first, _second = town.next_letter(bill), town.next_letter(joao)
    bill.reply(first, "f2 f4 g3")
    receipt, turn = town.next_letter(bill), town.next_letter(joao)
    joao.reply(turn, "e5 g1")
    town.next_letters(joao)
    with town.app.store.read() as db:
        game = games.load_game(db, RULES, 1)
    assert game is not None
    assert ["f2 f4 g3", "e5 g1"] == [entry.data["move"] for entry in game.journal if entry.kind == PLY]
    assert_believed(town, (welcome, challenge, first, receipt, turn))


@pytest.mark.slow
def test_while_pbem_is_upgraded_no_mail_is_refused_for_good_and_none_is_lost(town: Abroad) -> None:
    assert town.postfix is not None and town.door is not None
    bill = town.resident(BILL)
    welcome = register(town, bill, "Bill")
    town.door.stop()
    joins = new_mail(JOAO, town.play, "register Joao")
    town.postfix.offer(JOAO, town.play, joins)  # of an address that it knows, Postfix keeps the mail
    with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
        bill.reply(welcome, "seek bipod")  # to a new address: Bill's server comes again
    assert [450] == [code for code, _words in refused.value.recipients.values()]
    door = open_door(town.app, town.door.port)
    try:
        joao, end = town.resident(JOAO), time.monotonic() + PATIENCE_SECONDS
        while not (found := joao.unread()) and time.monotonic() < end:
            subprocess.run(["/usr/sbin/postqueue", "-c", town.postfix.folder / "etc", "-f"], check=True)
            time.sleep(0.5)
        assert ["To be Joao"] == [letter.text[:10] for letter in found]
    finally:
        door.stop()


def assert_believed(town: Abroad, letters: tuple[ReceivedLetter, ...]) -> None:
    """Require that every delivered letter is signed by the key whose record would stand in DNS."""
    config = town.app.config
    assert config.dkim_key is not None
    asked = {f"pbem._domainkey.{HOST}.".encode(): dkim_record(read_key(config.dkim_key)).encode()}
    for letter in letters:
        assert dkim.verify(letter.raw, dnsfunc=lambda name, timeout=5: asked[name])
        assert re.fullmatch(rf"<bounce\+[0-9a-f]+@{re.escape(HOST)}>", letter.header("Return-Path"))


def test_a_letter_to_nobody_comes_back_to_the_address_that_names_it(town: Abroad) -> None:
    assert town.postfix is not None
    town.postfix.offer(GHOST, town.play, new_mail(GHOST, town.play, "register Ghost"))
    _registering, kept = sorted(town.filed(2), key=lambda mail: mail.id)
    with town.app.store.read() as db:
        raw = outbox.letters_to(db, GHOST)[0]
        sent = inbox.count_by_state(db)["letters out"]
        counted = bounces.bounce_points(db, GHOST, kept.received_at - timedelta(days=1))
    assert ("bounce", "", {"sent": 1}) == (kept.state, kept.sender, sent)  # and no answer to it
    assert "o1 came back (hard, 5.1.1)" in kept.detail
    assert HARD == counted
    town.quiet()
    assert "bounce" == town.app.addressing.read(kept.recipient).mailbox
    assert b"Status: 5.1.1" in kept.raw
    assert ReceivedLetter(raw).header("Message-ID").encode() in kept.raw


@pytest.mark.parametrize(
    "recipient", ["play+aeaqbf2lk3jq7wzr4m2vbc6dxy5npt3hgs2a", *amount([], ["info", "bounce", "bounce+00"])]
)
def test_what_is_no_address_of_ours_is_refused_at_the_door(closed: Abroad, recipient: str) -> None:
    assert closed.postfix is not None
    raw = new_mail(BILL, f"{recipient}@{HOST}", "resign")
    with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
        closed.postfix.offer(BILL, f"{recipient}@{HOST}", raw)
    assert [550] == [code for code, _words in refused.value.recipients.values()]


def test_nobody_else_may_send_to_the_world(closed: Abroad) -> None:
    assert closed.postfix is not None
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        closed.postfix.offer(
            "spammer@example.org", "victim@example.com", new_mail("a@b.org", "c@d.org", "buy")
        )


def test_a_smuggled_second_mail_is_none(closed: Abroad) -> None:
    """CVE-2023-51764: text after `\\n.\\n` is not taken for a new mail."""
    assert closed.postfix is not None
    smuggled = b"\n.\nMAIL FROM:<joao@%b>\r\nRCPT TO:<%b>\r\nDATA\r\nFrom: joao@%b\r\n\r\nregister Joao" % (
        HOME.encode(), closed.play.encode(), HOME.encode(),
    )  # fmt: skip
    raw = new_mail(BILL, closed.play, "register Bill").rstrip()
    with smtplib.SMTP("127.0.0.1", closed.postfix.port, timeout=60, source_address=("127.0.0.9", 0)) as smtp:
        smtp.ehlo()
        assert (250, 250) == (smtp.mail(BILL)[0], smtp.rcpt(closed.play)[0])
        assert 354 == smtp.docmd("DATA")[0]
        smtp.send(raw + smuggled + b"\r\n.\r\n")
        assert 250 == smtp.getreply()[0]
    closed.filed(1)
    end = time.monotonic() + PATIENCE_SECONDS
    while "(250 2.0.0 Kept as m" not in closed.postfix.log() and time.monotonic() < end:
        time.sleep(0.02)  # Postfix writes its log after we have handled the mail
    assert 1 == closed.postfix.log().count("(250 2.0.0 Kept as m")
    assert [] == closed.resident(JOAO).unread()
