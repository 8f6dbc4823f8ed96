"""`pbem check --to`: a real letter through relay and listener, and the facts of its answer."""

from __future__ import annotations

import json
import os
import smtplib
from collections.abc import Iterator
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import SMTP
from pathlib import Path

import pytest

from pbem.mail.person.mailbox import MailUser, ReceivedLetter
from tests.cli.program import Running, started
from tests.cli.test_serve import pbem
from tests.e2e.town import HOST, Town, environ, running_town
from tests.mail.inbound.test_bounce_report import block, dsn

ANNA = "anna@example.com"
RESULTS = "mx.example.com; spf=pass smtp.mailfrom=x@{host}; dkim=pass header.d={host}; dmarc={dmarc}"


@pytest.fixture
def town(tmp_path: Path, sqlite_url: str) -> Iterator[Town]:
    with running_town(tmp_path, sqlite_url) as town:
        yield town


@pytest.fixture
def settings(town: Town, tmp_path: Path, sqlite_url: str) -> dict[str, str]:
    relay = town.app.config.relay
    assert relay is not None
    return {"PATH": os.environ["PATH"], **environ(tmp_path, sqlite_url, relay.port)}


def forwarded(letter: ReceivedLetter, dmarc: str) -> bytes:
    """The letter as an attachment, with the provider's results on top."""
    results = RESULTS.format(host=HOST, dmarc=dmarc)
    arrived = BytesParser().parsebytes(
        b"Authentication-Results: " + results.encode() + b"\r\n" + letter.raw, headersonly=False
    )
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = ANNA, letter.header("Reply-To"), "Fwd: Does it arrive?"
    mail["Message-ID"] = f"<{dmarc}@example.com>"
    mail.set_content("yes")
    mail.make_mixed()
    part = EmailMessage()
    part["Content-Type"] = "message/rfc822"
    part.set_payload([arrived])
    mail.attach(part)
    return mail.as_bytes(policy=SMTP)


def lines(command: Running) -> list[str]:
    said = [line.rstrip("\n") for line in command.stdout]
    command.wait()
    return said


def begun(town: Town, command: Running) -> tuple[MailUser, ReceivedLetter]:
    assert f"is on its way to {ANNA}" in command.stdout.readline()
    assert "This waits 1 minutes at most. Ctrl-C ends it.\n" == command.stdout.readline()
    anna = town.resident(ANNA)
    return anna, town.next_letter(anna)


@pytest.mark.whole
@pytest.mark.parametrize(("dmarc", "code"), [("pass", 0), ("fail", 1)])
def test_a_letter_forwarded_as_an_attachment_shows_the_providers_verdict(
    town: Town, settings: dict[str, str], dmarc: str, code: int
) -> None:
    with started(["check", "--to", ANNA, "--wait", "1"], settings) as command:
        anna, letter = begun(town, command)
        anna.send(forwarded(letter, dmarc), letter.header("Reply-To"))
        said = lines(command)
        assert code == command.poll()
    assert said[0].startswith("ok     letter    the relay took it after ")
    assert f"came from {ANNA} after " in said[1]
    assert "ok     answer    it says: yes" == said[2]
    assert "ok     SPF       pass, says mx.example.com" in said
    assert "ok     DKIM      pass, says mx.example.com" in said
    assert f"{'ok   ' if code == 0 else 'wrong'}  DMARC     {dmarc}, says mx.example.com" in said
    assert "ok     From      our own check proves the From of the answer" in said
    town.quiet()
    assert [] == anna.unread(), "no letter comes back"


@pytest.mark.whole
def test_a_plain_answer_shows_that_it_arrived_and_how_to_show_more(
    town: Town, settings: dict[str, str]
) -> None:
    with started(["check", "--to", ANNA, "--wait", "1"], settings) as command:
        anna, letter = begun(town, command)
        other = town.resident("anna@elsewhere.example")  # the mailbox forwards to another
        other.reply(letter, "No.")
        said = "\n".join(lines(command))
        assert 0 == command.poll()
    assert "came from anna@elsewhere.example after " in said
    assert "it says that the letter was among the junk mail" in said
    assert f"Forward the letter as an attachment to {letter.header('Reply-To')}" in said
    town.quiet()
    assert [] == anna.unread() + other.unread()


@pytest.mark.whole
def test_a_letter_that_comes_back_is_told_with_its_status(town: Town, settings: dict[str, str]) -> None:
    with started(["check", "--to", ANNA, "--wait", "1"], settings) as command:
        _, letter = begun(town, command)
        to = next(sender for sender, _, raw in town.sink.taken if raw == letter.raw)
        with smtplib.SMTP("127.0.0.1", town.port, timeout=20) as smtp:
            smtp.sendmail("", [to], dsn(block("5.7.26", address=ANNA)).replace(b"\n", b"\r\n"))
        said = lines(command)
        assert 1 == command.poll()
    assert said[-2].startswith(f"wrong  letter    it came back from {ANNA}: 5.7.26")


@pytest.mark.whole
def test_a_program_that_answers_with_a_report_shows_the_verdict_and_an_absence_does_not_end_the_wait(
    town: Town, settings: dict[str, str]
) -> None:
    with started(["check", "--to", ANNA, "--wait", "1"], settings) as command:
        _, letter = begun(town, command)
        to = next(sender for sender, _, raw in town.sink.taken if raw == letter.raw)
        head = f"From: auth@example.com\r\nTo: {to}\r\nAuto-Submitted: auto-replied\r\n"
        with smtplib.SMTP("127.0.0.1", town.port, timeout=20) as smtp:
            away = f"{head}Subject: Away\r\n\r\nI am away.\r\n"
            smtp.sendmail("", [letter.header("Reply-To")], away)
            assert "the relay took it" in command.stdout.readline()
            assert "a machine's mail, came after" in command.stdout.readline()
            smtp.sendmail("", [to], f"{head}Subject: Report\r\n\r\nSPF check: pass\r\nDKIM check: fail\r\n")
        said = lines(command)
        assert 1 == command.poll()
    assert "ok     SPF       pass, says the provider" in said
    assert "wrong  DKIM      fail, says the provider" in said


@pytest.mark.whole
def test_where_no_answer_comes_or_no_letter_leaves_it_is_said(
    town: Town, settings: dict[str, str], tmp_path: Path
) -> None:
    done = pbem(settings, "check", "--to", ANNA, "--wait", "0.05", "--json")
    told = json.loads(done.stdout)
    assert (1, ANNA) == (done.returncode, told["to"])
    assert "none came within 0.05 minutes" == told["found"][-1]["found"]
    done = pbem(settings, "check", "--to", "nobody")
    assert (1, "nobody is no mail address that we could write to.\n") == (done.returncode, done.stderr)
