"""Access to the real listeners: connection limits, TLS, Unix sockets, and stopping."""

from __future__ import annotations

import logging
import os
import socket
import ssl
import stat
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.config.parsers import Listen
from pbem.mail.transport.smtp_protocol import ConnectionLimiter
from pbem.mail.transport.smtp_server import Listener, tls_context, unix_socket
from tests.mail.caller import (
    MAIL,
    PATIENCE_SECONDS,
    PLAY,
    FakeMailStore,
    SmtpClient,
    connect_client,
    running_listener,
)
from tests.mail.doctor.test_certificates import certificate


def test_who_says_nothing_for_too_long_is_cut_off(games_by_key: FakeMailStore, stack: ExitStack) -> None:
    caller = connect_client(stack, stack.enter_context(running_listener(games_by_key, timeout=0.2)))
    assert [b"220 pbem.example.org pbem\r\n", b""] == [caller.read_answer(), caller.read_answer()]


def test_one_connection_too_many_is_asked_to_come_again(
    games_by_key: FakeMailStore, stack: ExitStack
) -> None:
    listener = stack.enter_context(
        running_listener(games_by_key, connections=ConnectionLimiter(most=9, most_from_one=2))
    )
    callers = [connect_client(stack, listener).send_greeting() for _ in range(2)]
    third = connect_client(stack, listener)
    assert b"421 4.3.2 Too many connections; please try again later\r\n" == third.read_answer()
    assert b"" == third.read_answer()
    callers[0].says(b"QUIT")
    assert b"" == callers[0].read_answer()
    assert _let_in(stack, listener).send_envelope().data(MAIL).startswith(b"250 ")


def _from(stack: ExitStack, listener: Listener, address: str) -> SmtpClient:
    made = socket.create_connection(("127.0.0.1", listener.port), PATIENCE_SECONDS, (address, 0))
    caller = SmtpClient(made)
    stack.callback(caller.close)
    return caller


def test_lines_that_are_held_open_keep_no_mail_server_out(
    games_by_key: FakeMailStore, stack: ExitStack
) -> None:
    """Ten places: two addresses hold eight, a server that delivers mail holds two."""
    listener = stack.enter_context(
        running_listener(games_by_key, connections=ConnectionLimiter(most=10, most_from_one=4))
    )
    own = [_from(stack, listener, "127.0.0.9").send_greeting() for _ in range(2)]
    held = [_from(stack, listener, f"127.0.0.{n}") for n in (2, 3) for _ in range(4)]
    assert [b"220"] * 8 == [line.read_answer()[:3] for line in held]
    for n in range(4, 8):  # four others come, each with a mail
        line = _from(stack, listener, f"127.0.0.{n}").send_greeting().send_envelope()
        assert line.data(MAIL).startswith(b"250 ")
    assert 4 == len(games_by_key.kept)
    gone = [held[0], held[4], held[1], held[5]]
    assert [(b"421", b"")] * 4 == [(line.read_answer()[:3], line.read_answer()) for line in gone]
    assert [True] * 2 == [line.send_envelope().data(MAIL).startswith(b"250 ") for line in own]


def test_who_brings_mail_stays_longer_than_who_brings_none(
    games_by_key: FakeMailStore, stack: ExitStack
) -> None:
    listener = stack.enter_context(
        running_listener(games_by_key, connections=ConnectionLimiter(most=2, most_from_one=9))
    )
    busy = _from(stack, listener, "127.0.0.2").send_greeting()
    idle = _from(stack, listener, "127.0.0.3").send_greeting()
    assert busy.send_envelope().data(MAIL).startswith(b"250 ")
    _from(stack, listener, "127.0.0.4").send_greeting()
    assert idle.read_answer().startswith(b"421 ")
    assert busy.send_envelope().data(MAIL).startswith(b"250 ")


def _let_in(stack: ExitStack, listener: Listener) -> SmtpClient:
    """Connect a new client, once the listener has noticed that another left."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        caller = connect_client(stack, listener)
        if caller.read_answer().startswith(b"220 "):
            caller.says(b"EHLO client")
            return caller
    raise AssertionError("never let in again")


def test_a_mail_in_hand_is_kept_and_answered_when_the_listener_stops(
    games_by_key: FakeMailStore, stack: ExitStack
) -> None:
    games_by_key.gate = threading.Event()
    listener = stack.enter_context(running_listener(games_by_key))
    caller = connect_client(stack, listener).send_greeting().send_envelope()
    caller.says(b"DATA")
    caller.socket.sendall(MAIL + b".\r\n")
    assert games_by_key.asked.wait(PATIENCE_SECONDS)
    stopping = threading.Thread(target=listener.stop)
    stopping.start()
    games_by_key.gate.set()
    assert caller.read_answer().startswith(b"250 ")
    stopping.join()
    assert 1 == len(games_by_key.kept)


def test_starttls_is_offered_and_what_was_slipped_in_before_it_is_forgotten(
    games_by_key: FakeMailStore, stack: ExitStack, tmp_path: Path
) -> None:
    path = certificate(tmp_path, "pbem.example.org", datetime.now(UTC) + timedelta(days=9))
    listener = stack.enter_context(running_listener(games_by_key, tls_context=tls_context(path, path)))
    caller = connect_client(stack, listener)
    caller.read_answer()
    assert b"250-STARTTLS\r\n" in caller.says(b"EHLO client")
    caller.socket.sendall(b"STARTTLS\r\nMAIL FROM:<mallory@example.net>\r\n")
    assert caller.read_answer().startswith(b"220 ")
    trusting = ssl.create_default_context(cafile=path)
    caller.replies.close()
    inner = SmtpClient(trusting.wrap_socket(caller.socket, server_hostname="pbem.example.org"))
    stack.callback(inner.close)
    greeting = inner.says(b"EHLO client")
    assert b"STARTTLS" not in greeting and b"AUTH" not in greeting
    assert inner.says(f"RCPT TO:<{PLAY}>".encode()).startswith(b"503 ")
    assert inner.send_envelope().data(MAIL).startswith(b"250 ")
    assert ["bill@example.org"] == [mail.sender for mail in games_by_key.kept]


def test_garbage_in_the_place_of_tls_is_no_error_of_ours(
    games_by_key: FakeMailStore, stack: ExitStack, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = certificate(tmp_path, "pbem.example.org", datetime.now(UTC) + timedelta(days=9))
    listener = stack.enter_context(running_listener(games_by_key, tls_context=tls_context(path, path)))
    with caplog.at_level(logging.WARNING):
        for garbage in (b"EHLO again\r\nMAIL FROM:<x@example.net>\r\n", b"\x16\x03\x01\xff\xff" * 9, b""):
            caller = connect_client(stack, listener)
            caller.read_answer()
            caller.says(b"EHLO client")
            assert caller.says(b"STARTTLS").startswith(b"220 ")
            caller.socket.sendall(garbage)
            caller.socket.shutdown(socket.SHUT_WR)
            while caller.socket.recv(1024):
                pass
        assert connect_client(stack, listener).send_greeting().send_envelope().data(MAIL).startswith(b"250 ")
    assert [] == [
        each.getMessage() for each in caplog.records if each.exc_info or each.levelno > logging.INFO
    ]


def test_a_unix_socket_takes_mail_and_is_for_its_owner_and_group(
    games_by_key: FakeMailStore, stack: ExitStack, tmp_path: Path
) -> None:
    path = str(tmp_path / "lmtp")
    with running_listener(games_by_key, place=Listen(path=path), lmtp=True):
        assert 0o660 == stat.S_IMODE(os.stat(path).st_mode)
        wire = socket.socket(socket.AF_UNIX)
        wire.connect(path)
        caller = SmtpClient(wire)
        stack.callback(caller.close)
        assert caller.send_greeting(b"LHLO").send_envelope().data(MAIL).startswith(b"250 ")
    assert not os.path.exists(path)


def test_a_socket_that_a_dead_process_left_is_replaced(games_by_key: FakeMailStore, tmp_path: Path) -> None:
    path = str(tmp_path / "lmtp")
    script = (
        f"import os, socket; s = socket.socket(socket.AF_UNIX); s.bind({path!r}); s.listen(); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    assert os.path.exists(path)
    with running_listener(games_by_key, place=Listen(path=path), lmtp=True):
        pass


def test_a_socket_at_which_somebody_listens_is_refused_and_stays(
    games_by_key: FakeMailStore, tmp_path: Path
) -> None:
    path = str(tmp_path / "lmtp")
    with running_listener(games_by_key, place=Listen(path=path), lmtp=True):
        with pytest.raises(OSError, match="in use"):
            unix_socket(path)
        assert os.path.exists(path)
        with socket.socket(socket.AF_UNIX) as client:  # the one that tried has been taken by then
            client.connect(path)
            assert client.recv(3) == b"220"


def test_a_file_that_is_no_socket_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "lmtp").write_text("precious")
    with pytest.raises(FileExistsError):
        unix_socket(str(tmp_path / "lmtp"))
    assert "precious" == (tmp_path / "lmtp").read_text()
