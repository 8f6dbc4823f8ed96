"""Letters to a real relay: accepted, refused for now, refused for good, disconnected."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier, Thread
from time import monotonic, sleep

import pytest
from aiosmtpd.smtp import AuthResult, LoginPassword

from pbem.config.parsers import Relay
from pbem.mail.outbound.relay import (
    LetterRefused,
    Mailroom,
    RelayDeniesUs,
    RelayHangs,
    RelaySender,
    RelayShutsUs,
    RelayUnreachable,
    SendFailure,
    SendRate,
    TemporaryFailure,
    UnclearRefusal,
    make_sender,
    retry_delay,
)
from pbem.mail.transport.smtp_server import BoundController
from tests.e2e.relays import ScriptedServer, scripted_server
from tests.e2e.town import Sink, sink_server
from tests.mail.doctor.test_certificates import certificate

RAW = b"From: play@localhost\r\nTo: bill@example.org\r\nSubject: x\r\n\r\n.dot\r\nTsch\xc3\xbcs\r\n"


@pytest.fixture
def relay() -> Iterator[tuple[Sink, RelaySender]]:
    with sink_server() as (sink, port):
        sender = RelaySender(Relay("127.0.0.1", port, tls=False))
        yield sink, sender
        sender.close()


def test_a_letter_arrives_byte_for_byte_with_its_envelope(relay: tuple[Sink, RelaySender]) -> None:
    sink, sender = relay
    sender.send("bounce+00@localhost", "bill@example.org", RAW)
    assert [("bounce+00@localhost", "bill@example.org", RAW)] == sink.taken


def test_many_letters_go_over_one_connection(relay: tuple[Sink, RelaySender]) -> None:
    sink, sender = relay
    for _ in range(20):
        sender.send("b@localhost", "bill@example.org", RAW)
    assert 20 == len(sink.taken)


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ("451 busy", TemporaryFailure),
        ("421 closing", TemporaryFailure),
        ("550 5.6.1 no", LetterRefused),
        ("552 too large", LetterRefused),
    ],
)
def test_what_the_relay_says_is_now_or_never(
    relay: tuple[Sink, RelaySender], reply: str, error: type[Exception]
) -> None:
    sink, sender = relay
    sink.answer = lambda recipient, before: reply if recipient == "bill@example.org" else None
    with pytest.raises(error):
        sender.send("b@localhost", "bill@example.org", RAW)
    sender.send("b@localhost", "joao@example.net", RAW)  # the next letter is not delayed
    assert 1 == len(sink.taken)


def test_an_answer_to_the_text_is_told_from_one_to_the_recipient(
    scripted: tuple[ScriptedServer, RelaySender],
) -> None:
    server, sender = scripted
    server.script["text"] = "550 5.6.0 no such words here"
    with pytest.raises(LetterRefused, match=r"^after the text: 550 5.6.0 no such words"):
        sender.send("b@localhost", "bill@example.org", RAW)
    server.script = {"RCPT": "550 5.1.1 no such user"}
    with pytest.raises(LetterRefused, match=r"^550 5.1.1 no such user"):
        sender.send("b@localhost", "bill@example.org", RAW)


def test_a_relay_that_hung_up_is_called_again(relay: tuple[Sink, RelaySender]) -> None:
    sink, sender = relay
    sender.send("b@localhost", "bill@example.org", RAW)
    sink.hang_up()
    sender.send("b@localhost", "bill@example.org", RAW)
    assert 2 == len(sink.taken)


def test_a_relay_that_is_not_there_is_not_now() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens there
        port = taken.getsockname()[1]
        with pytest.raises(TemporaryFailure, match="refused"):
            RelaySender(Relay("127.0.0.1", port, tls=False)).send("b@localhost", "bill@example.org", RAW)


def test_a_relay_that_answers_nonsense_is_not_now() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def nonsense() -> None:
            connection, _ = server.accept()
            connection.sendall(b"hello?\r\n")
            connection.close()

        thread = Thread(target=nonsense)
        thread.start()
        with pytest.raises(TemporaryFailure):
            RelaySender(Relay("127.0.0.1", server.getsockname()[1], tls=False)).send("b@x", "c@x", RAW)
        thread.join()


@pytest.fixture(params=[False, True], ids=["one by one", "pipelining"])
def scripted(request: pytest.FixtureRequest) -> Iterator[tuple[ScriptedServer, RelaySender]]:
    """Return a scripted relay, and a sender to it."""
    with scripted_sender(60, pipelining=request.param) as both:
        yield both


@pytest.fixture
def impatient() -> Iterator[tuple[ScriptedServer, RelaySender]]:
    """Return a scripted relay, and a sender with a half-second timeout."""
    with scripted_sender(0.5) as both:
        yield both


@contextmanager
def scripted_sender(
    timeout: float, *, pipelining: bool = False, lines: int = 1
) -> Iterator[tuple[ScriptedServer, RelaySender]]:
    with scripted_server(pipelining=pipelining) as server:
        relay = Relay("127.0.0.1", server.server_address[1], tls=False)
        sender = RelaySender(relay, timeout=timeout, lines=lines)
        yield server, sender
        sender.close()


@pytest.mark.parametrize(
    ("verb", "reply", "error"),
    [
        ("greeting", "554 no service here", RelayShutsUs),
        ("EHLO", "550 5.7.1 not you", RelayShutsUs),
        ("MAIL", "550 your address is not known", RelayDeniesUs),
        ("MAIL", "530 5.7.0 a password first", RelayDeniesUs),
        ("MAIL", "552 5.3.4 too large", LetterRefused),
        ("MAIL", "451 busy", TemporaryFailure),
        ("RCPT", "450 greylisted", TemporaryFailure),
        ("RCPT", "550 5.1.1 no such user", LetterRefused),
        ("RCPT", "550 5.2.1 closed", LetterRefused),
        ("RCPT", "556 5.1.10 takes no mail", LetterRefused),
        ("RCPT", "554 5.7.1 denied", RelayDeniesUs),
        ("RCPT", "550 5.7.54 not in an accepted domain", RelayDeniesUs),
        ("RCPT", "553 not allowed (#5.7.1)", RelayDeniesUs),
        ("RCPT", "535 5.7.8 wrong password", RelayDeniesUs),
        ("RCPT", "504 5.5.2 a fuller name, please", RelayDeniesUs),
        ("RCPT", "550 5.1.8 no such domain of the sender", RelayDeniesUs),
        ("RCPT", "554 denied", UnclearRefusal),
        ("RCPT", "550 no such user", UnclearRefusal),
        ("RCPT", "550 5.1.0 somebody is unknown", UnclearRefusal),
        ("DATA", "554 no", UnclearRefusal),
        ("text", "554 5.6.0 not such words", LetterRefused),
        ("text", "554 spam", UnclearRefusal),
        ("text", "550 5.7.1 a policy of ours, or spam", UnclearRefusal),
        ("text", "530 5.7.0 a password first", RelayDeniesUs),
        ("text", "452 full", TemporaryFailure),
    ],
)
def test_the_code_and_when_it_comes_say_whom_an_answer_is_about(
    scripted: tuple[ScriptedServer, RelaySender], verb: str, reply: str, error: type[Exception]
) -> None:
    server, sender = scripted
    server.script[verb] = reply
    if verb == "EHLO":
        server.script["HELO"] = reply
    with pytest.raises(SendFailure, match=reply[:3]) as caught:
        sender.send("b@localhost", "bill@example.org", RAW)
    assert error is caught.type
    server.script.clear()
    sender.send("b@localhost", "bill@example.org", RAW)


@pytest.mark.parametrize("data", ["354 go on", "554 5.5.1 no valid recipients", "503 5.5.1 RCPT first"])
def test_with_pipelining_the_first_refusal_counts(data: str) -> None:
    with scripted_sender(60, pipelining=True) as (server, sender):
        server.script |= {"RCPT": "550 5.1.1 no such user", "DATA": data}
        if data.startswith("354"):
            del server.script["DATA"]  # it reads the text then
        with pytest.raises(LetterRefused, match=r"^550 5.1.1"):
            sender.send("b@localhost", "bill@example.org", RAW)
        server.script.clear()
        sender.send("b@localhost", "bill@example.org", RAW)
        assert 1 == server.calls


@pytest.mark.parametrize("verb", ["MAIL", "RCPT", "text"])
def test_a_relay_that_hangs_over_a_letter_is_not_away(verb: str) -> None:
    with scripted_sender(0.5, pipelining=True) as (server, sender):
        server.script[verb] = ""
        with pytest.raises(RelayHangs):
            sender.send("b@localhost", "bill@example.org", RAW)
        assert {"bill@example.org"} == sender.slow()
        server.script.clear()
        for who in ("joao@example.net", "bill@example.org"):
            sender.send("b@localhost", who, RAW)
        assert set() == sender.slow()


def test_as_many_letters_go_at_once_as_there_are_lines() -> None:
    met, several = Barrier(3), ThreadPoolExecutor(3)
    with scripted_sender(60, lines=3) as (server, sender), several:

        def send(number: int) -> None:
            met.wait(60)
            sender.send("b@localhost", f"p{number}@example.org", RAW)

        list(several.map(send, range(3)))
        assert 1 <= server.calls <= 3
        server.script["text"] = ""
        hanging = several.submit(send_quietly, sender, "hangs@example.org")
        assert server.fell_silent.wait(60)
        server.script.clear()
        sender.send("b@localhost", "bill@example.org", RAW)
        assert not hanging.done()
        sender.hang_up()
        assert isinstance(hanging.result(60), RelayUnreachable)


def send_quietly(sender: RelaySender, recipient: str) -> Exception | None:
    try:
        sender.send("b@localhost", recipient, RAW)
    except SendFailure as trouble:
        return trouble
    return None


def test_where_the_relay_refuses_one_more_line_letters_wait_for_the_others() -> None:
    with scripted_sender(60, lines=2) as (server, sender), ThreadPoolExecutor(2) as several:
        sender.send("b@localhost", "p@example.org", RAW)
        server.script["text"] = ""
        first = several.submit(send_quietly, sender, "bill@example.org")
        assert server.fell_silent.wait(60)
        server.script = {"greeting": "421 too many connections"}
        second = several.submit(send_quietly, sender, "joao@example.net")
        while server.calls < 2:
            sleep(0.01)
        server.script = {}
        server.speak_again()
        assert [None, None] == [first.result(60), second.result(60)]
        assert 2 == server.calls


def test_a_relay_that_refuses_ehlo_and_helo_is_not_now(scripted: tuple[ScriptedServer, RelaySender]) -> None:
    server, sender = scripted
    server.script |= {"EHLO": "550 not you", "HELO": "550 not you"}
    with pytest.raises(TemporaryFailure, match="550 not you"):
        sender.send("b@localhost", "bill@example.org", RAW)


@pytest.mark.parametrize("verb", ["greeting", "MAIL", "text"])
def test_a_relay_that_says_nothing_is_called_once_a_letter(
    impatient: tuple[ScriptedServer, RelaySender], verb: str
) -> None:
    server, sender = impatient
    server.script[verb] = ""
    with pytest.raises(TemporaryFailure):
        sender.send("b@localhost", "bill@example.org", RAW)
    assert 1 == server.calls


def test_a_kept_line_on_which_nothing_is_said_any_more_is_not_waited_for_twice(
    impatient: tuple[ScriptedServer, RelaySender],
) -> None:
    server, sender = impatient
    sent_at_last(sender)
    calls = server.calls
    server.script["MAIL"] = ""
    with pytest.raises(TemporaryFailure):
        sender.send("b@localhost", "bill@example.org", RAW)
    assert calls == server.calls


def sent_at_last(sender: RelaySender) -> None:
    """Send a letter and keep the connection, even on a slow machine."""
    for _ in range(100):
        with suppress(TemporaryFailure):
            return sender.send("b@localhost", "bill@example.org", RAW)
    raise AssertionError("never")


def test_an_address_beyond_ascii_is_sent_where_the_relay_takes_such(relay: tuple[Sink, RelaySender]) -> None:
    sink, sender = relay
    sender.send("b@localhost", "jo\u00e3o@example.net", RAW)
    assert ["jo\u00e3o@example.net"] == [recipient for _sender, recipient, _raw in sink.taken]


def test_a_password_is_not_sent_in_the_clear() -> None:
    with sink_server() as (sink, port):
        sender = RelaySender(Relay("127.0.0.1", port, tls=False, user="u", password="p"))
        with pytest.raises(TemporaryFailure, match="no STARTTLS"):
            sender.send("b@localhost", "bill@example.org", RAW)
    assert [] == sink.taken


def test_the_waits_between_tries_grow_to_an_hour() -> None:
    seconds = [retry_delay(attempt).total_seconds() for attempt in range(1, 8)]
    assert [5, 30, 120, 600, 3600, 3600, 3600] == seconds
    assert timedelta(hours=1) == retry_delay(500)


def test_without_a_relay_letters_stay_in_the_mailroom() -> None:
    assert isinstance(make_sender(None), Mailroom)


@pytest.mark.parametrize(
    ("verb", "reply", "away"),
    [
        ("greeting", "421 closing", True),
        ("MAIL", "451 busy", False),
        ("RCPT", "450 greylisted", False),
        ("text", "452 full", False),
    ],
)
def test_a_relay_is_away_only_where_there_is_no_talking_to_it(
    scripted: tuple[ScriptedServer, RelaySender], verb: str, reply: str, away: bool
) -> None:
    server, sender = scripted
    server.script[verb] = reply
    with pytest.raises(TemporaryFailure) as caught:
        sender.send("b@localhost", "bill@example.org", RAW)
    assert away == isinstance(caught.value, RelayUnreachable)


def test_closing_the_lines_of_a_relay_that_hangs_takes_two_seconds_in_all() -> None:
    with scripted_sender(600, lines=4) as (server, sender), ThreadPoolExecutor(4) as several:
        server.script["text"] = ""
        sending = [several.submit(send_quietly, sender, f"p{n}@example.org") for n in range(4)]
        while len(server.unsaid) < 4:
            sleep(0.01)
        server.script = {"QUIT": ""}
        server.speak_again()
        assert [None] * 4 == [each.result(60) for each in sending]
        begun = monotonic()
        sender.close()
        assert monotonic() - begun < 3.5


@pytest.mark.parametrize("verb", ["greeting", "MAIL"])
def test_a_relay_that_says_nothing_is_away(impatient: tuple[ScriptedServer, RelaySender], verb: str) -> None:
    server, sender = impatient
    server.script[verb] = ""
    with pytest.raises(RelayUnreachable):
        sender.send("b@localhost", "bill@example.org", RAW)


def test_a_line_that_was_cut_stays_cut(relay: tuple[Sink, RelaySender]) -> None:
    sink, sender = relay
    sender.send("b@localhost", "bill@example.org", RAW)
    sender.hang_up()
    for _ in range(2):
        with pytest.raises(RelayUnreachable):
            sender.send("b@localhost", "bill@example.org", RAW)
    assert 1 == len(sink.taken)


def test_a_line_that_is_cut_while_it_is_called_is_not_waited_on() -> None:
    """Fill the relay's backlog; a cut connection then says nothing when accepted."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server, ThreadPoolExecutor(1) as pool:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            sender = RelaySender(Relay("127.0.0.1", port, tls=False), timeout=600)
            sending = pool.submit(sender.send, "b@localhost", "bill@example.org", RAW)
            until_somebody_calls(port)
            sender.hang_up()
            server.accept()[0].close()
        silent, _ = server.accept()
        with silent, pytest.raises(RelayUnreachable, match="the line was cut"):
            sending.result(60)


SYN_SENT = "02"


def until_somebody_calls(port: int) -> None:
    """Wait for a half-open connection to this port, by /proc (proc(5))."""
    wanted = (f"0100007F:{port:04X}", SYN_SENT)
    end = monotonic() + 60
    while wanted not in [tuple(line.split()[2:4]) for line in Path("/proc/net/tcp").read_text().splitlines()]:
        assert monotonic() < end
        sleep(0.01)


def test_a_look_at_the_relay_sends_no_letter(relay: tuple[Sink, RelaySender]) -> None:
    sink, sender = relay
    assert not sender.try_connection()
    assert [] == sink.taken


@contextmanager
def relay_under_tls(folder: Path, *, password: bytes = b"xyzzy") -> Iterator[tuple[Sink, int]]:
    """Return a relay with STARTTLS, an untrusted certificate, and a password."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(folder, "mail.example.org", datetime.now(UTC) + timedelta(days=9)))

    def known(
        _server: object, _session: object, _envelope: object, _how: str, data: LoginPassword
    ) -> AuthResult:
        return AuthResult(success=data.password == password, handled=data.password == password)

    sink = Sink()
    server = BoundController(
        sink, hostname="127.0.0.1", port=0, tls_context=context, authenticator=known, auth_required=True
    )
    server.start()
    try:
        yield sink, server.port
    finally:
        server.stop()


def test_letters_go_under_tls_with_the_password_to_a_relay_on_this_machine(tmp_path: Path) -> None:
    with relay_under_tls(tmp_path) as (sink, port):
        sender = RelaySender(Relay("127.0.0.1", port, tls=False, user="u", password="xyzzy"))
        assert sender.try_connection()
        sender.send("b@localhost", "bill@example.org", RAW)
        sender.close()
    assert 1 == len(sink.taken)


@pytest.mark.parametrize("password", ["xyzzy", "geheim\N{LATIN SMALL LETTER U WITH DIAERESIS}\u20ac"])
def test_a_user_and_password_may_have_letters_beyond_ascii(tmp_path: Path, password: str) -> None:
    with relay_under_tls(tmp_path, password=password.encode()) as (sink, port):
        sender = RelaySender(Relay("127.0.0.1", port, tls=False, user="jo\u00e3o", password=password))
        sender.send("b@localhost", "bill@example.org", RAW)
        sender.close()
    assert 1 == len(sink.taken)


def test_a_wrong_password_is_for_the_operator_to_mend_and_no_fault_of_a_letter(tmp_path: Path) -> None:
    with relay_under_tls(tmp_path) as (sink, port):
        sender = RelaySender(Relay("127.0.0.1", port, tls=False, user="u", password="guess"))
        with pytest.raises(RelayUnreachable, match="535"):
            sender.send("b@localhost", "bill@example.org", RAW)
    assert [] == sink.taken


def test_the_certificate_of_a_relay_elsewhere_is_checked(tmp_path: Path) -> None:
    with relay_under_tls(tmp_path) as (sink, port):
        elsewhere = Relay("0.0.0.0", port, tls=False)  # leads here, by an address that is not loopback
        with pytest.raises(RelayUnreachable, match="certificate verify failed"):
            RelaySender(elsewhere).send("b@localhost", "bill@example.org", RAW)
    assert [] == sink.taken


NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def test_a_pace_lets_so_many_go_in_any_sixty_seconds() -> None:
    send_rate, gone = SendRate(10), []
    for second in range(600):
        now = NOON + timedelta(seconds=second)
        for _ in range(send_rate.room(now, 3)):
            send_rate.count(now)
            gone.append(now)
    in_a_minute = [sum(at <= other < at + timedelta(minutes=1) for other in gone) for at in gone]
    assert (100, 10) == (len(gone), max(in_a_minute))


def test_a_clock_that_is_put_back_does_not_stop_the_letters() -> None:
    send_rate = SendRate(1)
    send_rate.count(NOON)
    assert 0 == send_rate.room(NOON, 5)
    assert 1 == send_rate.room(NOON - timedelta(hours=1), 5)


def test_without_a_pace_all_may_go() -> None:
    send_rate = SendRate()
    send_rate.count(NOON)
    assert 16 == send_rate.room(NOON, 16)


@pytest.mark.parametrize(
    "recipient",
    ['"victim@target.example, "@evil.example', '"x <v@target.example>"@evil.example', '"a(c)"@b.c', ""],
)
def test_nothing_is_sent_to_what_smtplib_would_take_for_another_address(
    relay: tuple[Sink, RelaySender], recipient: str
) -> None:
    sink, sender = relay
    with pytest.raises(LetterRefused):
        sender.send("b@localhost", recipient, RAW)
    sender.send("b@localhost", "bill@example.org", RAW)
    assert ["bill@example.org"] == [to for _, to, _ in sink.taken]
