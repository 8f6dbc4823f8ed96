"""Dialogues with the real listener: accepted and refused mails, and the answers."""

from __future__ import annotations

import smtplib
import socket
from collections.abc import Iterator

import pytest

from pbem.config.parsers import Listen
from pbem.mail.addresses import BadAddress, Token
from pbem.mail.transport.smtp_protocol import TRY_LATER
from pbem.mail.transport.smtp_server import Listener
from tests.mail.caller import MAIL, OURS, PATIENCE_SECONDS, FakeMailStore, running_listener


@pytest.fixture
def games_by_key() -> FakeMailStore:
    return FakeMailStore()


@pytest.fixture
def smtp(games_by_key: FakeMailStore) -> Iterator[smtplib.SMTP]:
    with (
        running_listener(games_by_key) as listener,
        smtplib.SMTP("127.0.0.1", listener.port, timeout=PATIENCE_SECONDS) as smtp,
    ):
        smtp.ehlo("client.example.org")
        yield smtp


def start(smtp: smtplib.SMTP, recipient: str, sender: str = "bill@example.org") -> tuple[int, bytes]:
    smtp.mail(sender)
    return smtp.rcpt(recipient)


def test_a_mail_for_us_is_kept_byte_for_byte_before_it_is_acknowledged(
    games_by_key: FakeMailStore, smtp: smtplib.SMTP
) -> None:
    start(smtp, "play@pbem.example.org")
    assert (250, b"2.0.0 Kept as m1.0") == smtp.data(MAIL)
    (mail,) = games_by_key.kept
    assert (MAIL, "bill@example.org", ("play@pbem.example.org",)) == (mail.raw, mail.sender, mail.recipients)


def test_a_bounce_with_the_null_sender_is_taken(games_by_key: FakeMailStore, smtp: smtplib.SMTP) -> None:
    start(smtp, OURS.return_path(7), sender="")
    assert 250 == smtp.data(MAIL)[0]
    assert "" == games_by_key.kept[0].sender


@pytest.mark.parametrize(
    "recipient",
    ["bill@pbem.example.org", "play@elsewhere.example.org", "play+aaaaaaaaaaaaaaaaaaaaaaaa@pbem.example.org"],
)
def test_an_unknown_mailbox_or_a_forged_token_is_refused_at_rcpt(smtp: smtplib.SMTP, recipient: str) -> None:
    assert (550, b"5.1.1 No such mailbox here") == start(smtp, recipient)


@pytest.mark.parametrize("sender", ["a\x01b@example.org", "a\x7fb@example.org", "a" * 400 + "@example.org"])
def test_a_sender_that_no_mail_has_is_refused(smtp: smtplib.SMTP, sender: str) -> None:
    code, _ = smtp.docmd("MAIL", f"FROM:<{sender}>".encode("latin-1").decode("latin-1"))
    assert code in (500, 501, 553)


def test_a_token_in_capitals_is_taken(smtp: smtplib.SMTP) -> None:
    assert 250 == start(smtp, OURS.reply(Token("game", (42, 1, 7, 0))).upper())[0]


def test_the_same_recipient_twice_is_one_mail(games_by_key: FakeMailStore, smtp: smtplib.SMTP) -> None:
    start(smtp, "play@pbem.example.org")
    smtp.rcpt("play@pbem.example.org")
    smtp.data(MAIL)
    assert ("play@pbem.example.org",) == games_by_key.kept[0].recipients


def test_a_mail_that_is_too_large_is_refused(games_by_key: FakeMailStore, smtp: smtplib.SMTP) -> None:
    start(smtp, "play@pbem.example.org")
    assert 552 == smtp.data(MAIL + b"many words\r\n" * 7000)[0]
    assert 552 == smtp.mail("bill@example.org", ["SIZE=70000"])[0]
    assert [] == games_by_key.kept


@pytest.mark.parametrize(
    "trouble", [RuntimeError("the secret is xyzzy"), OSError("disk full"), KeyError("x")]
)
def test_an_error_of_ours_is_a_constant_451_that_tells_nothing(
    games_by_key: FakeMailStore, smtp: smtplib.SMTP, trouble: Exception
) -> None:
    games_by_key.trouble = trouble
    start(smtp, "play@pbem.example.org")
    code, text = smtp.data(MAIL)
    assert TRY_LATER == f"{code} {text.decode()}"


def test_a_look_up_that_fails_at_rcpt_is_a_451_too(games_by_key: FakeMailStore, smtp: smtplib.SMTP) -> None:
    games_by_key.trouble_at_the_door = RuntimeError("no database")
    code, text = start(smtp, "play@pbem.example.org")
    assert TRY_LATER == f"{code} {text.decode()}"


def test_after_an_error_the_next_mail_is_taken(games_by_key: FakeMailStore, smtp: smtplib.SMTP) -> None:
    games_by_key.trouble = RuntimeError()
    start(smtp, "play@pbem.example.org")
    smtp.data(MAIL)
    games_by_key.trouble = None
    smtp.rset()
    start(smtp, "play@pbem.example.org")
    assert 250 == smtp.data(MAIL)[0]


def test_mail_to_many_recipients_is_cut_off(smtp: smtplib.SMTP) -> None:
    smtp.mail("bill@example.org")
    codes = [smtp.rcpt(OURS.reply(Token("game", (n, 0, 1, 0))))[0] for n in range(51)]
    assert [250] * 50 + [452] == codes


@pytest.mark.parametrize("end", [b"\n.\n", b"\r.\r", b"\n.\r\n", b"\r\n.\n"])
def test_a_false_end_of_data_does_not_smuggle_a_second_mail(games_by_key: FakeMailStore, end: bytes) -> None:
    inner = b"MAIL FROM:<joao@example.net>\r\nRCPT TO:<play@pbem.example.org>\r\nDATA\r\nresign\r\n.\r\n"
    with (
        running_listener(games_by_key) as listener,
        socket.create_connection(("127.0.0.1", listener.port), timeout=PATIENCE_SECONDS) as connection,
    ):
        replies = connection.makefile("rb")
        replies.readline()
        for line in (
            b"HELO client.example.org",
            b"MAIL FROM:<bill@example.org>",
            b"RCPT TO:<play@pbem.example.org>",
            b"DATA",
        ):
            connection.sendall(line + b"\r\n")
            replies.readline()
        connection.sendall(MAIL + b"hello" + end + inner)
        replies.readline()
        connection.sendall(b"QUIT\r\n")
        replies.read()
        replies.close()
    assert "joao@example.net" not in [mail.sender for mail in games_by_key.kept]


def test_a_taken_port_is_an_os_error() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        shelf = FakeMailStore()
        port = other.getsockname()[1]
        listener = Listener(shelf.known, shelf.keep_all, Listen("127.0.0.1", port))
        with pytest.raises(OSError):
            listener.start()


def test_what_is_unknown_raises_bad_address_here_too() -> None:
    with pytest.raises(BadAddress):
        OURS.read("nobody@pbem.example.org")
