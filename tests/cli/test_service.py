"""A service manager: readiness, the watchdog, a port that it holds, certificates that are read again."""

from __future__ import annotations

import os
import signal
import smtplib
import socket
import ssl
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread
from urllib.request import urlopen

import pytest
from sqlalchemy import select

from pbem.app import App, open_app
from pbem.cli.service import Service
from pbem.config.load import config_from
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import new_mail
from pbem.store.tables import messages_in
from pbem.web import create_app
from pbem.worker.worker import Worker
from tests.backup.test_upgrade import as_it_was
from tests.cli.program import migrate, started
from tests.cli.test_serve import env, pbem
from tests.mail.doctor.test_certificates import NOW, certificate
from tests.soak.pairs import offer

pytestmark = pytest.mark.whole

__all__ = ["env"]

PATIENCE_SECONDS = 90


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
    told = {"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "2000000"}
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
    stuck_at: list[float] = []
    assert "NOTIFY_SOCKET" not in os.environ

    def stick(name: str) -> None:
        stuck_at.append(time.monotonic())
        reached.set()
        go_on.wait(PATIENCE_SECONDS)

    worker = Worker(replace(app, step=stick))
    receive(app, new_mail("b@example.org", "play@localhost", "help"), "b@example.org", ["play@localhost"])
    worker.start()
    try:
        assert reached.wait(PATIENCE_SECONDS)
        for _ in range(20):  # the other threads go on
            worker.wake()
            time.sleep(0.01)
            assert worker.progress() <= stuck_at[0]
        service.feed(stuck := worker.progress())
        assert ["WATCHDOG=1"] == hear(manager, "WATCHDOG=1")
        service.feed(stuck)
        service.tell("STATUS=next")
        assert ["STATUS=next"] == hear(manager, "STATUS=next")
        go_on.set()
        end = time.monotonic() + PATIENCE_SECONDS
        while worker.progress() <= stuck_at[0] and time.monotonic() < end:
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


@pytest.mark.slow
def test_pages_and_mail_wait_while_a_server_of_the_first_release_is_upgraded_and_started_again(
    env: dict[str, str], tmp_path: Path
) -> None:
    as_it_was({**env, "PBEM_DATABASE": f"sqlite:///{tmp_path / 'var' / 'pbem.sqlite'}"})
    host, _, port = env["PBEM_WEB_LISTEN"].partition(":")
    answers: list[int] = []
    sent: list[str] = []
    asked_all = Event()
    smtp_port = int(env["PBEM_SMTP_LISTEN"].rpartition(":")[2])

    def write() -> None:
        while not asked_all.is_set():
            sender = f"v{len(sent)}@example.org"
            raw = new_mail(sender, "play@localhost", "games")
            while not offer(smtp_port, sender, "play@localhost", raw) and not asked_all.is_set():
                time.sleep(0.1)
            if not asked_all.is_set():
                sent.append(sender)

    def visit() -> None:
        while not asked_all.is_set():
            answers.append(urlopen(f"http://{host}:{port}/rules", timeout=PATIENCE_SECONDS).status)
            asked_all.wait(0.05)

    with socket.create_server((host, int(port))) as held:
        visitor, writer = Thread(target=visit), Thread(target=write)
        visitor.start()
        writer.start()
        try:
            for last in (False, True):
                before, written = len(answers), len(sent)
                with started(["serve"], {**env, "PBEM_BOTS": "off"}, held):
                    end = time.monotonic() + PATIENCE_SECONDS
                    while (len(answers) < before + 5 or len(sent) < written + 3) and time.monotonic() < end:
                        time.sleep(0.05)
                    if last:
                        asked_all.set()
                        visitor.join(PATIENCE_SECONDS)
                        writer.join(PATIENCE_SECONDS)
                    else:
                        assert 0 == pbem(env, "backup", str(tmp_path / "b.tar.gz")).returncode
                assert before + 5 <= len(answers)
                assert written + 3 <= len(sent)
        finally:
            asked_all.set()
    assert {200} == set(answers)
    assert set(sent) <= set(senders(env))


def senders(env: dict[str, str]) -> list[str]:
    """Who wrote the mails that are kept; none is there twice."""
    app = open_app(config_from(env))
    with app.store.read() as db:
        found = list(db.scalars(select(messages_in.c.sender).where(messages_in.c.sender.like("v%"))))
    app.close()
    assert len(set(found)) == len(found)
    return found


def test_a_killed_worker_is_missed_within_a_minute(env: dict[str, str]) -> None:
    migrate(env)
    app = open_app(config_from(env))
    with started(["work"], env) as worker:
        end = time.monotonic() + PATIENCE_SECONDS
        while _needs(app, 0) is None and time.monotonic() < end:
            time.sleep(0.1)
        worker.kill()
        worker.wait(PATIENCE_SECONDS)
    assert [] == _needs(app, 0)
    assert ["worker_silent"] == _needs(app, 60)
    app.close()


def _needs(app: App, seconds: float) -> list[str] | None:
    """What `/status` says so many seconds from now that it needs; None before a worker was heard of."""
    later = replace(app, clock=lambda: app.clock() + timedelta(seconds=seconds), free_bytes=lambda _: 1 << 40)
    told = create_app(later).test_client().get("/status").json
    assert told is not None
    return None if told["worker_silent_s"] is None else told["needs"]


def test_a_new_certificate_is_read_at_sighup_and_a_wrong_one_is_not(
    env: dict[str, str], tmp_path: Path, manager: socket.socket
) -> None:
    old, new = (certificate(tmp_path, name, NOW + timedelta(days=9)) for name in ("old.test", "new.test"))
    (used := tmp_path / "used.pem").write_bytes(old.read_bytes())
    migrate(env)
    more = {"PBEM_TLS_CERT": str(used), "PBEM_TLS_KEY": str(used), "NOTIFY_SOCKET": manager.getsockname()}
    with started(["mail"], {**env, **more}) as server:
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
