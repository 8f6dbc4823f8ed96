"""A service manager: readiness, the watchdog, a port that it holds, certificates that are read again."""

from __future__ import annotations

import os
import signal
import smtplib
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread
from urllib.request import urlopen

import pytest

from pbem.app import App
from pbem.cli.service import Service
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import new_mail
from pbem.worker.worker import Worker
from tests.cli.program import started
from tests.cli.test_serve import env, pbem
from tests.mail.doctor.test_certificates import NOW, certificate

__all__ = ["env"]

PATIENCE_SECONDS = 90
HANDED = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execv(sys.executable, [sys.executable, "-m", "pbem", "serve"])
"""
"""Starts a server as systemd does: its listening socket is file 3."""


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """The socket at which a service manager hears of its services."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(str(tmp_path / "notify"))
        heard.settimeout(PATIENCE_SECONDS)
        yield heard


def hear(manager: socket.socket, wanted: str) -> list[str]:
    """The states that are told up to the wanted one."""
    told: list[str] = []
    while wanted not in told:
        told += manager.recv(4096).decode().splitlines()
    return told


def test_a_server_says_that_it_is_ready_goes_on_and_stops(
    env: dict[str, str], manager: socket.socket
) -> None:
    told = {"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "4000000"}
    with started(["serve"], {**env, **told, "PBEM_BOTS": "off"}) as server:
        assert f"MAINPID={server.pid}" in hear(manager, "READY=1")
        assert urlopen(f"http://{env['PBEM_WEB_LISTEN']}/rules").status == 200
        for _ in range(3):
            assert ["WATCHDOG=1"] == hear(manager, "WATCHDOG=1")
        server.terminate()
        hear(manager, "STOPPING=1")


def test_a_worker_that_is_stuck_does_not_feed_the_watchdog(
    app: App, manager: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", manager.getsockname())
    monkeypatch.setenv("WATCHDOG_USEC", "4")
    service, reached, go_on = Service(), Event(), Event()
    assert "NOTIFY_SOCKET" not in os.environ

    def stick(name: str) -> None:
        reached.set()
        go_on.wait(PATIENCE_SECONDS)

    worker = Worker(replace(app, step=stick))
    receive(app, new_mail("b@example.org", "play@localhost", "help"), "b@example.org", ["play@localhost"])
    worker.start()
    try:
        assert reached.wait(PATIENCE_SECONDS)
        service.feed(stuck := worker.progress())
        assert ["WATCHDOG=1"] == hear(manager, "WATCHDOG=1")
        worker.wake()  # the other threads go on
        assert stuck == worker.progress()
        service.feed(worker.progress())
        service.tell("STATUS=next")
        assert ["STATUS=next"] == hear(manager, "STATUS=next")
        go_on.set()
        end = time.monotonic() + PATIENCE_SECONDS
        while worker.progress() == stuck and time.monotonic() < end:
            worker.wake()
            time.sleep(0.01)
        service.feed(worker.progress())
        assert ["WATCHDOG=1"] == hear(manager, "WATCHDOG=1")
    finally:
        go_on.set()
        worker.stop()


def test_another_process_is_watched_and_a_deaf_manager_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere/notify")
    monkeypatch.setenv("WATCHDOG_USEC", "4000000")
    monkeypatch.setenv("WATCHDOG_PID", "1")
    service = Service()
    assert 0 == service.watchdog_seconds
    service.ready()


def test_visitors_wait_while_a_server_is_started_again(env: dict[str, str]) -> None:
    host, _, port = env["PBEM_WEB_LISTEN"].partition(":")
    answers: list[int] = []
    asked_all = Event()

    def visit() -> None:
        while not asked_all.is_set():
            answers.append(urlopen(f"http://{host}:{port}/rules", timeout=PATIENCE_SECONDS).status)

    with socket.create_server((host, int(port))) as held:
        visitor = Thread(target=visit)
        visitor.start()
        try:
            for last in (False, True):
                before = len(answers)
                with subprocess.Popen(
                    [sys.executable, "-c", HANDED, str(held.fileno())],
                    env={**env, "PBEM_BOTS": "off"},
                    pass_fds=[held.fileno()],
                ) as server:
                    end = time.monotonic() + PATIENCE_SECONDS
                    while len(answers) < before + 5 and time.monotonic() < end:
                        time.sleep(0.05)
                    if last:
                        asked_all.set()
                        visitor.join(PATIENCE_SECONDS)
                    server.terminate()
                assert before + 5 <= len(answers)
        finally:
            asked_all.set()
    assert {200} == set(answers)


def test_a_new_certificate_is_read_at_sighup_and_a_wrong_one_is_not(
    env: dict[str, str], tmp_path: Path, manager: socket.socket
) -> None:
    old, new = (certificate(tmp_path, name, NOW + timedelta(days=9)) for name in ("old.test", "new.test"))
    (used := tmp_path / "used.pem").write_bytes(old.read_bytes())
    pbem(env, "migrate")
    more = {"PBEM_TLS_CERT": str(used), "PBEM_TLS_KEY": str(used), "NOTIFY_SOCKET": manager.getsockname()}
    with started(["mail"], {**env, **more}, stdin=subprocess.DEVNULL) as server:
        hear(manager, "READY=1")
        for put, expected in ((old, old), (new, new), (Path(__file__), new), (old, old)):
            used.write_bytes(put.read_bytes())
            server.send_signal(signal.SIGHUP)
            hear(manager, "RELOADING=1")
            hear(manager, "READY=1")
            assert ssl.PEM_cert_to_DER_cert(_pem(expected)) == shown_certificate(env)


def _pem(path: Path) -> str:
    text = path.read_text()
    return text[text.index("-----BEGIN CERTIFICATE") :]


def shown_certificate(env: dict[str, str]) -> bytes | None:
    host, _, port = env["PBEM_SMTP_LISTEN"].partition(":")
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with smtplib.SMTP(host, int(port), timeout=PATIENCE_SECONDS) as client:
        client.starttls(context=context)
        assert isinstance(client.sock, ssl.SSLSocket)
        return client.sock.getpeercert(binary_form=True)
