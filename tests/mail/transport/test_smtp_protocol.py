"""Dialogues with the real listeners over sockets: every answer, and every stored mail."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from errno import ENOSPC
from itertools import product
from operator import itemgetter
from typing import Any

import pytest

from pbem.config.logs import QuietFilter, Redacted
from pbem.mail.addresses import Token
from pbem.mail.transport.smtp_server import Listener, ReceivedMail, StoreQueue, StoreUnavailable
from tests.amount import some
from tests.mail.caller import (
    MAIL,
    OURS,
    PATIENCE_SECONDS,
    PLAY,
    FakeMailStore,
    SmtpClient,
    connect_client,
    running_listener,
)

TURN = OURS.reply(Token("game", (42, 1, 7, 0)))
FORGED = TURN.replace(TURN[6], "b" if TURN[6] == "a" else "a", 1)
LATER = b"451 4.3.0 Not now; please try again later\r\n"
UNKNOWN = b"550 5.1.1 No such mailbox here\r\n"


# LMTP: RFC 2033.


def test_lmtp_greets_with_lhlo_alone_and_offers_what_rfc_2033_wants(
    games_by_key: FakeMailStore, stack: ExitStack
) -> None:
    caller = connect_client(stack, stack.enter_context(running_listener(games_by_key, lmtp=True)))
    assert b"220 pbem.example.org pbem\r\n" == caller.read_answer()
    for word in (b"HELO", b"EHLO"):
        assert caller.says(word + b" client").startswith(b"502 5.5.1 ")
    assert b"503 5.5.1 Error: send LHLO first\r\n" == caller.says(b"MAIL FROM:<bill@example.org>")
    assert {
        b"pbem.example.org",
        b"PIPELINING",
        b"ENHANCEDSTATUSCODES",
        b"SIZE 65536",
        b"8BITMIME",
        b"SMTPUTF8",
        b"HELP",
    } == {line[4:] for line in caller.says(b"LHLO client").splitlines()}


def test_smtp_does_not_know_lhlo(smtp: SmtpClient) -> None:
    assert smtp.says(b"LHLO client").startswith(b"500 5.5.2 ")


def test_lmtp_answers_once_for_each_recipient_it_took_in_their_order(
    games_by_key: FakeMailStore, lmtp: SmtpClient
) -> None:
    lmtp.says(b"MAIL FROM:<bill@example.org>")
    assert b"250 2.1.5 Recipient OK\r\n" == lmtp.says(f"RCPT TO:<{TURN}>".encode())
    assert UNKNOWN == lmtp.says(b"RCPT TO:<nobody@pbem.example.org>")
    lmtp.says(f"RCPT TO:<{PLAY}>".encode())
    lmtp.says(f"RCPT TO:<{TURN}>".encode())
    answers = [lmtp.data(MAIL), lmtp.read_answer(), lmtp.read_answer()]
    keys = [b"m1.0", b"m1.1", b"m1.0"]
    assert [b"250 2.0.0 Kept as " + key + b"\r\n" for key in keys] == answers
    assert [ReceivedMail(MAIL, "bill@example.org", (TURN, PLAY), client="127.0.0.1")] == games_by_key.kept
    assert lmtp.says(b"NOOP").startswith(b"250 ")


def test_lmtp_says_what_is_wrong_with_the_data_once_for_each_recipient(
    games_by_key: FakeMailStore, lmtp: SmtpClient
) -> None:
    for content, answer in (
        (MAIL + b"many words\r\n" * 7000, b"552 5.3.4 Error: Too much mail data\r\n"),
        (MAIL + b"bare\nline\r\n", b"550 5.6.11 "),
    ):
        lmtp.send_envelope(TURN, PLAY)
        assert lmtp.data(content).startswith(answer)
        assert lmtp.read_answer().startswith(answer)
        assert lmtp.says(b"RSET").startswith(b"250 ")
    assert [] == games_by_key.kept


def test_a_line_without_end_is_refused_once_for_each_recipient(
    games_by_key: FakeMailStore, stack: ExitStack
) -> None:
    lmtp = connect_client(
        stack, stack.enter_context(running_listener(games_by_key, lmtp=True, data_size_limit=1024**2))
    ).send_greeting(b"LHLO")
    lmtp.send_envelope(TURN, PLAY)
    assert lmtp.data(MAIL + b"x" * 70_000 + b"\r\n").startswith(b"500 5.5.2 Line too long")
    assert lmtp.read_answer().startswith(b"500 5.5.2 Line too long")
    assert lmtp.says(b"NOOP").startswith(b"250 ")


def test_lmtp_says_try_again_once_for_each_recipient(games_by_key: FakeMailStore, lmtp: SmtpClient) -> None:
    games_by_key.trouble = RuntimeError("the secret is xyzzy")
    lmtp.send_envelope(TURN, PLAY)
    assert [LATER, LATER] == [lmtp.data(MAIL), lmtp.read_answer()]
    assert lmtp.says(b"NOOP").startswith(b"250 ")


def test_lmtp_without_a_recipient_answers_data_once(lmtp: SmtpClient) -> None:
    lmtp.send_envelope("nobody@pbem.example.org")
    assert b"503 5.5.1 Error: need RCPT command\r\n" == lmtp.says(b"DATA")
    assert lmtp.says(b"NOOP").startswith(b"250 ")


# Answers at RCPT, and errors on our side.


@pytest.mark.parametrize(
    ("recipient", "answer"),
    [
        (TURN, b"250 2.1.5 Recipient OK\r\n"),
        (PLAY, b"250 2.1.5 Recipient OK\r\n"),
        (OURS.return_path(7), b"250 2.1.5 Recipient OK\r\n"),
        (FORGED, UNKNOWN),
        ("play+@pbem.example.org", UNKNOWN),
        ("play+notatoken@pbem.example.org", UNKNOWN),
        ("bill@pbem.example.org", UNKNOWN),
        ("play@elsewhere.example.org", UNKNOWN),
    ],
)
def test_at_rcpt_ours_is_taken_however_old_and_all_else_refused_for_good(
    smtp: SmtpClient, recipient: str, answer: bytes
) -> None:
    smtp.says(b"MAIL FROM:<>")
    assert answer == smtp.says(f"RCPT TO:<{recipient}>".encode())


def test_a_look_up_that_fails_says_exactly_try_again(games_by_key: FakeMailStore, smtp: SmtpClient) -> None:
    games_by_key.trouble_at_the_door = RuntimeError("the secret is xyzzy")
    smtp.says(b"MAIL FROM:<bill@example.org>")
    assert LATER == smtp.says(f"RCPT TO:<{PLAY}>".encode())
    games_by_key.trouble_at_the_door = None
    assert smtp.says(f"RCPT TO:<{PLAY}>".encode()).startswith(b"250 ")


@pytest.mark.parametrize("hook", ["EHLO", "MAIL", "RCPT", "DATA"])
def test_an_error_in_any_of_our_answers_is_exactly_the_constant(
    games_by_key: FakeMailStore, stack: ExitStack, hook: str
) -> None:
    class Faulty(Listener):
        """A listener with one answer that always fails."""

        def factory(self) -> Any:
            async def fail(server: Any, session: Any, envelope: Any, word: Any = "", more: Any = ()) -> str:
                raise RuntimeError("the secret is xyzzy")

            setattr(self.handler, f"handle_{hook}", fail)
            return super().factory()

    listener = Faulty(games_by_key.known, games_by_key.keep_all, server_hostname="x", data_size_limit=1000)
    listener.start()
    stack.callback(listener.stop)
    caller = connect_client(stack, listener)
    caller.read_answer()
    lines = [
        b"EHLO client",
        b"MAIL FROM:<bill@example.org>",
        f"RCPT TO:<{PLAY}>".encode(),
        b"DATA",
        MAIL + b".",
    ]
    if hook == "EHLO":
        assert LATER == caller.says(lines[0])
        lines[0] = b"HELO client"
    answers = [caller.says(line) for line in lines]
    assert (LATER in answers) is (hook != "EHLO")
    assert b"xyzzy" not in b"".join(answers)


def test_one_mail_that_cannot_be_kept_does_not_keep_the_others_out(
    games_by_key: FakeMailStore, stack: ExitStack
) -> None:
    listener = stack.enter_context(running_listener(games_by_key))
    games_by_key.gate = threading.Event()
    callers = [connect_client(stack, listener).send_greeting().send_envelope() for _ in range(5)]
    for caller in callers:
        caller.says(b"DATA")
    for number, caller in enumerate(callers):
        caller.socket.sendall(MAIL + (b"poison" if number == 3 else b"%d" % number) + b"\r\n.\r\n")
    games_by_key.gate.set()
    answers = [caller.read_answer()[:3] for caller in callers]
    assert [b"250", b"250", b"250", b"451", b"250"] == answers
    assert 4 == len(games_by_key.kept)


def test_what_waits_while_another_is_kept_is_kept_together(games_by_key: FakeMailStore) -> None:
    async def offer() -> list[object]:
        queue = StoreQueue(games_by_key.keep_all)
        offered = [asyncio.create_task(queue.keep(ReceivedMail(MAIL, "", (PLAY,))))]
        assert await asyncio.to_thread(games_by_key.asked.wait, PATIENCE_SECONDS)
        offered += [asyncio.create_task(queue.keep(ReceivedMail(MAIL, "", (PLAY,)))) for _ in range(4)]
        await asyncio.sleep(0)  # now they wait
        games_by_key.gate.set()
        keys = await asyncio.gather(*offered)
        queue.close()
        return keys

    games_by_key.gate = threading.Event()
    with ThreadPoolExecutor() as pool:  # the browser of other tests runs a loop in this thread
        done = pool.submit(asyncio.run, offer()).result()
    assert [[f"m{n}.0"] for n in range(1, 6)] == done
    assert [1, 4] == games_by_key.together


# End of a mail: RFC 5321 2.3.8 and 4.1.1.4.

ENDS = [b"\r\n", b"\n", b"\r", b"\r\r\n", b"\n\r", b"\r\r", b"\n\n", b"\r\0\n", b"\0\r\n"]


@pytest.mark.parametrize(
    ("protocol", "before", "after"),
    some(product(("smtp", "lmtp"), ENDS, ENDS), 32, itemgetter(0), itemgetter(1), itemgetter(2)),
)
def test_only_crlf_dot_crlf_ends_a_mail(
    request: pytest.FixtureRequest, games_by_key: FakeMailStore, protocol: str, before: bytes, after: bytes
) -> None:
    if (before[-2:], after[:2]) == (b"\r\n", b"\r\n"):
        return  # the true end
    caller: SmtpClient = request.getfixturevalue(protocol)
    inner = b"MAIL FROM:<joao@example.net>\r\nRCPT TO:<%s>\r\nDATA\r\nresign\r\n" % PLAY.encode()
    answer = caller.send_envelope().data(MAIL + b"hello" + before + b"." + after + inner)
    assert answer[:3] in (b"250", b"550")
    assert b"250 2.0.0 " == caller.says(b"NOOP")[:10]
    assert ["bill@example.org"][: len(games_by_key.kept)] == [mail.sender for mail in games_by_key.kept]
    assert len(games_by_key.kept) == (answer[:3] == b"250")


@pytest.mark.parametrize("end", [b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\r.\r", b"\r.\r\n", b"\r\n.\r", b"a\nb"])
def test_line_ends_that_some_servers_take_for_the_end_are_refused(
    games_by_key: FakeMailStore, smtp: SmtpClient, end: bytes
) -> None:
    assert (
        smtp.send_envelope()
        .data(MAIL + b"hello" + end + b"x\r\n")
        .startswith(b"550 5.6.11 A line ends in a bare ")
    )
    assert [] == games_by_key.kept


def test_a_cr_within_a_line_and_other_odd_bytes_are_kept_as_they_came(
    games_by_key: FakeMailStore, smtp: SmtpClient
) -> None:
    odd = MAIL + b"a\rb \0 \x80\xff\xfe\r\n..\r\n" + b"long " * 1000 + b"\r\n"
    assert smtp.send_envelope().data(odd).startswith(b"250 ")
    assert odd.replace(b"\r\n..\r\n", b"\r\n.\r\n") == games_by_key.kept[0].raw


def test_two_mails_sent_in_one_breath_are_two_mails(games_by_key: FakeMailStore, smtp: SmtpClient) -> None:
    one = b"MAIL FROM:<%s>\r\nRCPT TO:<play@pbem.example.org>\r\nDATA\r\n"
    first, second = one % b"bill@example.org", one % b"joao@example.net"
    smtp.socket.sendall(first + MAIL + b".\r\n" + second + MAIL + b".\r\nQUIT\r\n")
    codes = [smtp.read_answer()[:3] for _ in range(9)]
    assert b"250 250 354 250 250 250 354 250 221".split() == codes
    assert ["bill@example.org", "joao@example.net"] == [mail.sender for mail in games_by_key.kept]


def test_a_mail_cut_off_in_the_middle_is_not_kept(games_by_key: FakeMailStore, stack: ExitStack) -> None:
    listener = stack.enter_context(running_listener(games_by_key))
    caller = connect_client(stack, listener).send_greeting().send_envelope()
    caller.says(b"DATA")
    caller.socket.sendall(MAIL)
    caller.socket.shutdown(socket.SHUT_WR)
    assert b"" == caller.read_answer()
    assert [] == games_by_key.kept


# Odd commands.


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b"VRFY bill", b"252 2.5.2 "),
        (b"EXPN list", b"502 5.5.1 "),
        (b"HELP", b"250 2.0.0 Supported commands: "),
        (b"AUTH PLAIN AGJpbGwAcGFzcw==", b"502 5.5.1 "),
        (b"STARTTLS", b"454 4.7.0 "),
        (b"", b"500 5.5.2 "),
        (b"\0\0\0", b"500 5.5.2 "),
        (b"\xff\xfe", b"500 5.5.2 "),
        (b"x" * 600, b"500 5.5.2 "),
        (b"MAIL FROM:<" + b"x" * 700 + b"@example.org>", b"500 5.5.2 "),
        (b"x" * 200_000, b"500 5.5.2 "),
        (b"MAIL FROM:<a\0b@example.org>", b"553 5.1.7 "),
        (b"MAIL FROM:<\xff@example.org>", b"553 5.1.7 "),
        (b"MAIL FROM:<bill@example.org> SIZE=70000", b"552 5.3.4 "),
        (b"MAIL FROM:<bill@example.org> SIZE=huge", b"501 5.5.4 "),
        (b"MAIL FROM:<bill@example.org> X=Y", b"555 5.5.4 "),
        (b"RCPT TO:<play@pbem.example.org>", b"503 5.5.1 "),
        (b"DATA", b"503 5.5.1 "),
    ],
    ids=lambda value: value[:24].decode("latin-1") if isinstance(value, bytes) else None,
)
def test_a_command_that_cannot_be_is_answered_and_the_next_is_heard(
    games_by_key: FakeMailStore, smtp: SmtpClient, line: bytes, answer: bytes
) -> None:
    assert smtp.says(line).startswith(answer)
    assert b"250 2.0.0 OK\r\n" == smtp.says(b"NOOP")
    assert smtp.send_envelope().data(MAIL).startswith(b"250 ")


def test_who_talks_nonsense_is_sent_away(smtp: SmtpClient) -> None:
    answers = [smtp.says(b"GET / HTTP/1.1") for _ in range(5)]
    assert b"502 5.5.1 Too many unrecognized commands, goodbye.\r\n" == answers[-1]
    assert b"" == smtp.read_answer()


def test_auth_is_never_offered(smtp: SmtpClient) -> None:
    assert b"AUTH" not in smtp.says(b"EHLO client")


# Logs.


def test_no_token_is_in_any_log_line_at_the_most_talkative_level(
    games_by_key: FakeMailStore, stack: ExitStack, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.DEBUG, logger="mail.log")
    token = TURN.partition("+")[2].partition("@")[0]
    mail = f"To: {TURN}\r\n\r\nf2\r\n".encode()
    for protocol, word in ((False, b"EHLO"), (True, b"LHLO")):
        listener = stack.enter_context(running_listener(games_by_key, lmtp=protocol))
        caller = connect_client(stack, listener).send_greeting(word)
        assert caller.send_envelope(TURN, FORGED).data(mail).startswith(b"250 ")
        for odd in (TURN, f"VRFY {TURN}", f"RCPT TO:{TURN} x", f"MAIL FROM:<{TURN}>", "x" * 99 + TURN):
            caller.says(odd.encode())
        games_by_key.trouble = RuntimeError("no database")
        caller.says(b"RSET")
        caller.send_envelope(TURN).data(mail)
        games_by_key.trouble = None
    assert "could not be taken" in caplog.text
    forged = FORGED.partition("+")[2].partition("@")[0]
    for secret in (token, forged):
        assert secret.lower() not in caplog.text.lower()


def test_while_the_database_is_away_mails_are_put_off_and_one_line_says_so(
    games_by_key: FakeMailStore, stack: ExitStack, caplog: pytest.LogCaptureFixture
) -> None:
    games_by_key.trouble = StoreUnavailable()
    games_by_key.trouble.__cause__ = OSError(ENOSPC, "No space left on device")
    listener = stack.enter_context(running_listener(games_by_key))
    caller = connect_client(stack, listener).send_greeting(b"EHLO")
    for _ in range(3):
        assert caller.send_envelope(TURN).data(b"To: x\r\n\r\nf2\r\n").startswith(b"451 ")
    quiet = QuietFilter()
    (told,) = [each for each in caplog.records if quiet.filter(each)]
    line = Redacted().format(told)
    assert line.endswith("no mail can be taken: the database does not answer (OSError): the disk is full")
