"""Tokens, which no log, row, operator or terminal may show.

Whole dialogues run with every logger at DEBUG. The output is searched for each secret that any of their
letters holds.
"""

from __future__ import annotations

import io
import logging
import re
import smtplib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from pbem.__main__ import main
from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.config.logs import Redacted, set_up_logs
from pbem.core.redact import without_secrets
from pbem.inbox.process import process, work_through
from pbem.inbox.receive import receive
from pbem.mail.outbound.relay import LetterRefused, TemporaryFailure
from pbem.mail.person.mailbox import ReceivedLetter, reply_mail
from pbem.outbox.send import send_due
from pbem.store import inbox
from pbem.store.tables import messages_in, outbox
from pbem.web import create_app
from tests.apps import BILL, JOAO, OPERATOR, Clock, a_game, letters, reply
from tests.e2e.town import running_town
from tests.inbox.test_journey import meet


@pytest.fixture
def app_config() -> dict[str, str]:
    return {"PBEM_OPERATOR": OPERATOR}


@pytest.fixture
def said() -> Iterator[io.StringIO]:
    """The loggers' output at DEBUG, without the redacting formatter."""
    root = logging.getLogger()
    before = list(root.handlers), root.level
    words = io.StringIO()
    set_up_logs(config_from({"PBEM_LOG_LEVEL": "debug"}))
    handler = logging.StreamHandler(words)
    handler.setFormatter(logging.Formatter("%(name)s %(message)s"))
    root.addHandler(handler)
    yield words
    root.handlers[:], root.level = before


def secrets(raws: list[bytes], senders: list[str]) -> set[str]:
    """Every token in these letters and their envelopes."""
    found = {sender.partition("+")[2].partition("@")[0] for sender in senders}
    for raw in raws:
        letter = ReceivedLetter(raw)
        for header in ("Reply-To", "List-Unsubscribe"):
            found |= set(re.findall(r"(?:play\+|unsubscribe/)([a-z0-9]{16,})", letter.header(header)))
    return {token for token in found if token}


def none_in(words: str, tokens: set[str]) -> None:
    """Fail with the first line that holds a token."""
    assert len(tokens) > 3
    lines = words.lower().splitlines()
    assert [] == [line for line in lines if any(token in line for token in tokens)]


def tokens_of(app: App) -> set[str]:
    with app.store.read() as db:
        rows = db.execute(select(outbox.c.raw, outbox.c.envelope_from)).all()
    return secrets([row.raw for row in rows], [row.envelope_from for row in rows])


class Parrot:
    """A relay whose answer repeats everything it was given."""

    def __init__(self, answer: type[Exception]) -> None:
        self.answer = answer

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        reply_to = ReceivedLetter(raw).header("Reply-To")
        raise self.answer(f"551 5.1.8 <{envelope_from}> for <{recipient}>, answers to {reply_to}")

    def close(self) -> None:
        pass


class Spilling:
    """A step that fails with an address in its exception."""

    def __init__(self, words: str) -> None:
        self.words = words

    def __call__(self, step: str) -> None:
        if step == "decide":
            raise RuntimeError(f"cannot handle {self.words}")


def test_listener_worker_and_relay_write_no_token_down(
    tmp_path: Path, database_url: str, said: io.StringIO
) -> None:
    with running_town(tmp_path, database_url, PBEM_OPERATOR=OPERATOR) as town:
        bill, joao = town.resident(BILL), town.resident(JOAO)
        found = meet(town, bill, joao)
        own = found[BILL].header("Reply-To")
        with smtplib.SMTP("127.0.0.1", town.port, timeout=60) as smtp:
            smtp.ehlo("client.example.org")
            smtp.mail(BILL)
            assert 550 == smtp.rcpt(own.replace("@", "q@"))[0]
            assert 550 == smtp.rcpt(own[:-1])[0]
            assert 250 == smtp.rcpt(own)[0]
            smtp.docmd(own)
        town.sink.answer = lambda recipient, before: f"550 5.1.1 {town.sink.taken[-1][0]} has no {recipient}"
        bill.reply(found[BILL], "f2 f4 g3")
        town.quiet()
        tokens = tokens_of(town.app)
        with town.app.store.read() as db:
            details = "\n".join(db.scalars(select(outbox.c.detail)))
    assert "550 5.1.1" in details and "m1 kept" in said.getvalue()
    none_in(said.getvalue() + details, tokens)


@pytest.mark.parametrize("answer_", [LetterRefused, TemporaryFailure])
def test_a_relay_that_repeats_addresses_spills_none_into_rows_or_letters(
    app: App, answer_: type[Exception], said: io.StringIO
) -> None:
    a_game(app)
    send_due(replace(app, sender=Parrot(answer_)))
    with app.store.read() as db:
        details = "\n".join(db.scalars(select(outbox.c.detail)))
    told = "\n".join(letter.text for letter in letters(app, OPERATOR))
    assert "551 5.1.8" in details
    none_in(said.getvalue() + details + told, tokens_of(app))


def test_a_fault_with_an_address_in_its_hands_spills_none(app: App, said: io.StringIO) -> None:
    bills, _ = a_game(app)
    clock = app.clock
    assert isinstance(clock, Clock)
    own = bills.header("Reply-To")
    broken = replace(app, step=Spilling(f"{own} and http://localhost/unsubscribe/{own[5:-10]}"))
    (key,) = receive(broken, reply_mail(bills, BILL, "f2"), BILL, [own])
    for _ in range(3):
        work_through(broken)
        clock.pass_by(minutes=1)
    with app.store.read() as db:
        details = db.execute(select(messages_in.c.state, messages_in.c.detail)).all()
    (told,) = letters(app, OPERATOR)
    assert any(state == "shunted" and "RuntimeError: cannot handle" in detail for state, detail in details)
    assert f"{key} failed: RuntimeError" in said.getvalue()
    none_in(said.getvalue() + "\n".join(row.detail for row in details) + told.text, tokens_of(app))


def test_a_row_that_the_database_refuses_is_not_repeated(app: App, said: io.StringIO) -> None:
    bills, _ = a_game(app)
    with app.store.read() as db:
        row = dict(db.execute(select(outbox).limit(1)).mappings().one())
    with pytest.raises(IntegrityError) as doubled, app.store.write() as db:
        db.execute(insert(outbox).values(**row))
    none_in(str(doubled.value), tokens_of(app))
    with pytest.raises(IntegrityError) as refused, app.store.write() as db:
        db.execute(insert(outbox).values(**{**row, "id": 999, "kind": None}))

    def fail(step: str) -> None:
        if step == "decide":
            raise refused.value

    own = bills.header("Reply-To")
    (key,) = receive(app, reply_mail(bills, BILL, "f2"), BILL, [own])
    process(replace(app, step=fail), int(key[1:]))
    with app.store.read() as db:
        kept = inbox.mail_by_id(db, int(key[1:]))
    assert kept is not None
    assert "IntegrityError" in kept.detail and "kind" in kept.detail
    none_in(said.getvalue() + kept.detail, tokens_of(app))


def test_pages_that_fail_are_logged_without_their_token(
    app: App, said: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, joaos = a_game(app)
    reply(app, JOAO, joaos, "say hello")
    chat = letters(app, BILL)[-1].header("List-Unsubscribe")
    page = chat[chat.index("/unsubscribe/") : chat.index(">")]
    client = create_app(app).test_client()
    assert 200 == client.get(page).status_code
    assert 404 == client.get(page[:-1]).status_code
    app.store.close()
    broken = replace(app, addressing=replace(app.addressing, keys=(None,)))  # type: ignore[arg-type]
    assert 500 == create_app(broken).test_client().get(page).status_code
    assert "a page failed" in said.getvalue()
    none_in(said.getvalue(), tokens_of(app))


def test_commands_print_no_token(tmp_path: Path, sqlite_url: str, app: App) -> None:
    environ = {"PBEM_VAR": str(tmp_path), "PBEM_DATABASE": sqlite_url, "PBEM_LOG_LEVEL": "debug"}
    own = open_app(config_from(environ))
    bills, _ = a_game(own)
    address = bills.header("Reply-To")
    (key,) = receive(own, reply_mail(bills, BILL, "f2"), BILL, [address])
    work_through(own)
    tokens = tokens_of(own)
    with own.store.write() as db:
        db.execute(update(messages_in).where(messages_in.c.id == int(key[1:])).values(state="shunted"))
    own.close()
    run = CliRunner(env=environ)
    printed = ""
    for command, given in (
        (["retry", key], b""),
        (["check"], b""),
        (["check", "--json"], b""),
        (["receive", "-f", BILL, address], reply_mail(bills, BILL, "f4")),
        (["receive", "-f", BILL, address[:-1]], reply_mail(bills, BILL, "f4")),
        (["receive", "-f", BILL, address.replace("@", "q@")], reply_mail(bills, BILL, "f4")),
        (["settings"], b""),
    ):
        result = run.invoke(main, command, input=given)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        printed += result.output
    assert "All is well." in printed and "No such mailbox" in printed
    none_in(printed, tokens)


@pytest.mark.parametrize(
    "line",
    [
        "to <play+{}@localhost> failed",
        "to <PLAY+{}@localhost",
        "to bounce-{}@localhost",
        "to play.{} at",
        "GET /unsubscribe/{} HTTP/1.1",
        "mailto:play%2B{}@localhost?subject=swap",
    ],
)
def test_what_is_written_all_the_same_is_blanked_by_the_last_hand(line: str) -> None:
    token = "aeaqbf2lk3jq7wzr4m2vbc6dxy5npt3hgs2a"
    record = logging.LogRecord("x", logging.INFO, "x", 1, line.format(token), (), None)
    assert token not in Redacted().format(record)
    assert token not in without_secrets(line.format(token))


def test_keys_paths_and_numbers_are_not_blanked() -> None:
    line = "m17 done /games/123456 /var/lib/pbem/pbem.sqlite bounce of o12: 5.1.1"
    assert line in Redacted().format(logging.LogRecord("x", logging.INFO, "x", 1, line, (), None))
