"""The configurations of mail servers that docs print, run by the programs that they are for."""

from __future__ import annotations

import smtplib
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.mail.person.mailbox import new_mail
from tests.e2e.exim import running_exim
from tests.e2e.postfix import running_postfix
from tests.e2e.test_postfix import BILL, JOAO, Abroad, abroad
from tests.e2e.town import HOST, running_town
from tests.inbox.test_journey import register
from tests.ports import free_port

pytestmark = pytest.mark.whole

PAGE = Path(__file__).parents[2] / "docs/run/mail-in.md"
OTHERS = """\
compatibility_level = 3.6
mydestination =
mynetworks = 127.0.0.1/32
address_verify_poll_delay = 1s
"""
"""What a Postfix that serves others has beside the lines of the page; their mailboxes come with the test."""
LARGE = b"x" * 998 + b"\r\n"


def printed(first: str) -> str:
    """The indented lines of the page that begin with `first`, without the indent."""
    lines = PAGE.read_text().splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith(f"    {first}"))
    taken = iter(lines[start:])
    block = [line[4:] for line in iter(lambda: next(taken), "")]
    return "\n".join(block) + "\n"


@pytest.fixture
def beside(tmp_path: Path, sqlite_url: str, postfix: str) -> Iterator[Abroad]:
    """A Postfix that also serves others, with the lines of the page."""
    with abroad(tmp_path, sqlite_url, OTHERS + printed("transport_maps = ")) as town:
        yield town


def answers(town: Abroad, recipient: str, source: str, options: tuple[str, ...] = ()) -> tuple[int, int]:
    """The answers of Postfix to MAIL and to RCPT."""
    assert town.postfix is not None
    here = (source, 0)
    with smtplib.SMTP("127.0.0.1", town.postfix.port, timeout=60, source_address=here) as smtp:
        smtp.ehlo()
        mail = smtp.mail("someone@example.com", options)[0]
        return mail, smtp.rcpt(recipient)[0]


@pytest.mark.slow
@pytest.mark.postfix
def test_a_postfix_that_serves_others_hands_over_our_mail_and_theirs_as_before(beside: Abroad) -> None:
    bill = beside.resident(BILL)
    assert "registered already" not in register(beside, bill, "Bill").text
    own, world = "127.0.0.1", "127.0.0.9"
    asked = {
        "out of our networks to the world": answers(beside, "friend@elsewhere.example", own),
        "from the world to the world": answers(beside, "friend@elsewhere.example", world),
        "from the world to others here": answers(beside, JOAO, world),
        "from the world to the games": answers(beside, beside.play, world),
        "to no address of ours": answers(beside, f"play+aeaqbf2lk3jq7wzr4m2vbc6dxy5npt3hgs2a@{HOST}", world),
        "to nobody": answers(beside, f"info@{HOST}", world),
    }
    assert asked.pop("from the world to the world") in {(250, 454), (250, 554)}
    assert {
        "out of our networks to the world": (250, 250),
        "from the world to others here": (250, 250),
        "from the world to the games": (250, 250),
        "to no address of ours": (250, 550),
        "to nobody": (250, 550),
    } == asked


@pytest.mark.slow
@pytest.mark.postfix
def test_what_is_too_large_is_refused_at_the_door_and_never_bounced(beside: Abroad) -> None:
    assert 552 == answers(beside, beside.play, "127.0.0.9", ("SIZE=1100000",))[0]
    assert beside.postfix is not None
    raw = new_mail(BILL, beside.play, "register Bill") + LARGE * 1010  # says nothing of its size
    with smtplib.SMTP("127.0.0.1", beside.postfix.port, timeout=60, source_address=("127.0.0.9", 0)) as smtp:
        smtp.ehlo()
        smtp.esmtp_features.pop("size")
        with pytest.raises(smtplib.SMTPDataError) as refused:
            smtp.sendmail(BILL, [beside.play], raw)
    assert 552 == refused.value.smtp_code
    whole = new_mail(BILL, beside.play, "register Bill") + LARGE * 900
    beside.postfix.offer(BILL, beside.play, whole)  # as large as may be: it is taken here too
    beside.filed(1)
    assert "bounced" not in beside.postfix.log()


@pytest.mark.postfix
@pytest.mark.slow
@pytest.mark.parametrize("lines", ["deploy", "docs"])
def test_while_pbem_is_away_the_senders_server_is_told_to_come_again(lines: str, postfix: str) -> None:
    """Otherwise a forged sender would get bounces of the mail that was accepted meanwhile."""
    port = free_port()
    settings = OTHERS + printed("transport_maps = ") if lines == "docs" else ""
    with running_postfix(free_port(), port, (BILL,), settings) as server:
        for local in ("play", "info"):
            with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
                server.offer(BILL, f"{local}@{HOST}", new_mail(BILL, f"{local}@{HOST}", "help"))
            assert [450] == [code for code, _words in refused.value.recipients.values()]


@pytest.fixture
def noted() -> Iterator[Path]:
    """A folder that everybody may write to; pytest keeps its own for its user alone."""
    with tempfile.TemporaryDirectory(prefix="pbem-pipe-") as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


@pytest.mark.postfix
def test_the_pipe_brings_sender_recipient_and_mail(noted: Path, postfix: str) -> None:
    """As the page says, except for the program, which records its input, and its user."""
    program = noted / "program"
    program.write_text(f'#!/bin/sh\necho "$@" > {noted}/words\ncat > {noted}/mail\n')
    program.chmod(0o755)
    service = printed("pbem unix").replace("/opt/pbem/bin/pbem", str(program))
    service = service.replace("user=pbem", "user=nobody").replace("/var/lib/pbem", str(noted))
    service = service.replace("pbem unix", "piped unix", 1)
    settings = f"{OTHERS}relay_domains = {HOST}\ntransport_maps = inline:{{{{{HOST} = piped:}}}}\n"
    port = free_port()
    with running_postfix(free_port(), port, (BILL,), settings, service) as server:
        server.offer("", f"play+x@{HOST}", new_mail(BILL, f"play+x@{HOST}", "help"))
        for _ in range(900):
            if (noted / "mail").exists() and (noted / "mail").read_text().endswith("help\n"):
                break
            subprocess.run(["sleep", "0.1"], check=True)
        assert f"receive --sender  play+x@{HOST}\n" == (noted / "words").read_text(), server.log()


LINES_FOR_EXIM = {
    "router": printed("games:"),
    "transport": printed("pbem:"),
    "access": printed("accept domains = "),
    "settings": next(
        part for part in PAGE.read_text().split("`") if part.startswith("message_size_limit = 1M")
    ),
}
"""What the page prints, by the part of Exim's configuration that it goes into."""


def to_exim(port: int, recipient: str, options: tuple[str, ...] = ()) -> tuple[int, int]:
    """The answer of Exim to MAIL and to RCPT."""
    with smtplib.SMTP("127.0.0.1", port, timeout=60) as smtp:
        smtp.ehlo()
        return smtp.mail("someone@example.com", options)[0], smtp.rcpt(recipient)[0]


@pytest.mark.exim
def test_exim_hands_over_what_is_for_the_games_and_refuses_the_rest_at_the_door(
    tmp_path: Path, sqlite_url: str, exim: str
) -> None:
    port = free_port()
    with (
        running_town(tmp_path, sqlite_url, lmtp=True) as town,
        running_exim(exim, port, town.port, LINES_FOR_EXIM) as folder,
    ):
        assert (250, 250) == to_exim(port, town.play)
        assert (250, 550) == to_exim(port, f"info@{HOST}")
        assert (250, 550) == to_exim(port, f"play+aeaqbf2lk3jq7wzr4m2vbc6dxy5npt3hgs2a@{HOST}")
        assert (250, 550) == to_exim(port, "friend@elsewhere.example")
        assert 552 == to_exim(port, town.play, ("SIZE=1100000",))[0]
        bill = replace(town.resident(BILL), port=port)
        bill.send(new_mail(BILL, town.play, "register Bill"), town.play)
        assert "registers you without it" in town.next_letter(bill).text, (folder / "mainlog").read_text()


@pytest.mark.exim
def test_while_pbem_is_away_exim_tells_the_senders_server_to_come_again(exim: str) -> None:
    port = free_port()
    with running_exim(exim, port, free_port(), LINES_FOR_EXIM):
        assert (250, 451) == to_exim(port, f"play@{HOST}")
