"""The whole server, for real: a listener on a port, a worker, and a mail server that accepts the letters."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from socket import SHUT_RDWR
from threading import Lock
from typing import Any

from pbem.app import App, open_app, utc_now
from pbem.config.load import config_from
from pbem.inbox.receive import receive_all
from pbem.mail.person.mailbox import MailUser, ReceivedLetter
from pbem.mail.transport.smtp_server import BoundController, Listener
from pbem.worker.worker import Worker
from tests.apps import SERVER, proven

HOST = "pbem.example.org"
PATIENCE_SECONDS = 90


@dataclass
class Sink:
    """A mail server that stores all mail, in order of arrival.

    `answer` may be set to refuse: it gets (recipient, how many came before) and gives an SMTP reply, or None
    to accept the letter.
    """

    taken: list[tuple[str, str, bytes]] = field(default_factory=list)
    answer: Callable[[str, int], str | None] = lambda recipient, before: None
    _lock: Lock = field(default_factory=Lock)
    _lines: set[Any] = field(default_factory=set)

    def hang_up(self) -> None:
        """Close every connection, as a relay does that has waited too long."""
        for transport in self._lines:
            transport.get_extra_info("socket").shutdown(SHUT_RDWR)
        self._lines.clear()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self._lines.add(server.transport)
        with self._lock:
            (recipient,) = envelope.rcpt_tos  # one recipient a message
            refusal = self.answer(recipient, len(self.taken))
            if refusal is not None:
                return refusal
            self.taken.append((envelope.mail_from, recipient, envelope.original_content))
        return "250 2.0.0 Taken"

    def letters(self, address: str) -> list[ReceivedLetter]:
        with self._lock:
            return [ReceivedLetter(raw) for _sender, recipient, raw in self.taken if recipient == address]


@contextmanager
def sink_server() -> Iterator[tuple[Sink, int]]:
    """A sink and the port it listens on."""
    sink = Sink()
    controller = BoundController(sink, hostname="127.0.0.1", port=0)
    controller.start()
    try:
        yield sink, controller.port
    finally:
        controller.stop()


class FirstIsFirst(Random):
    """A random generator that always gives the challenger the first seat."""

    def random(self) -> float:
        return 0.0


class Resident(MailUser):
    """A person whose mail server proves who they are, where its word counts (`PBEM_AUTHSERV`)."""

    def send(self, raw: bytes, recipient: str) -> None:
        to_a_letter = not recipient.startswith("play@")
        super().send(proven(raw, self.address, datetime.now(UTC)) if to_a_letter else raw, recipient)


@dataclass
class Town:
    """A running server and the people around it."""

    app: App
    sink: Sink
    port: int

    @property
    def play(self) -> str:
        return self.app.addressing.plain()

    def resident(self, address: str) -> MailUser:
        return Resident(address, self.port, self.sink.letters)

    def next_letters(self, resident: MailUser, count: int = 1) -> list[ReceivedLetter]:
        """The next letters to a person; waits for them."""
        end = time.monotonic() + PATIENCE_SECONDS
        found: list[ReceivedLetter] = []
        while len(found) < count:
            assert time.monotonic() < end, f"{resident.address} waits in vain; {len(found)} of {count} came"
            found += resident.unread()
            time.sleep(0.01)
        assert len(found) == count, [letter.header("Message-ID") for letter in found]
        return found

    def next_letter(self, resident: MailUser) -> ReceivedLetter:
        return self.next_letters(resident)[0]

    def quiet(self) -> None:
        """Wait until every mail is filed and every letter sent."""
        from pbem.store import inbox

        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            with self.app.store.read() as db:
                if inbox.oldest_waiting_times(db) == (None, None):
                    return
            time.sleep(0.02)
        raise AssertionError("mail or letters still wait")


def environ(folder: Path, database_url: str, relay_port: int, **more: str) -> dict[str, str]:
    """Settings of a server at HOST whose relay is a sink."""
    return {
        "PBEM_HOST": HOST,
        "PBEM_SITE": f"https://{HOST}",
        "PBEM_VAR": str(folder),
        "PBEM_DATABASE": database_url,
        "PBEM_SECRET": "s" * 32,
        "PBEM_SMTP_LISTEN": "127.0.0.1:0",
        "PBEM_AUTHSERV": SERVER,
        "PBEM_UNDO_MINUTES": "0",
        "PBEM_RELAY": f"smtp://127.0.0.1:{relay_port}",
        **more,
    }


@contextmanager
def running_town(
    folder: Path,
    database_url: str,
    *,
    clock: Callable[[], datetime] = utc_now,
    lmtp: bool = False,
    **more: str,
) -> Iterator[Town]:
    """A server with listener and worker, on a migrated database."""
    with ExitStack() as stack:
        sink, relay_port = stack.enter_context(sink_server())
        config = config_from(environ(folder, database_url, relay_port, **more))
        app = replace(open_app(config, clock=clock), rng=FirstIsFirst())
        stack.callback(app.close)
        worker = Worker(app)
        worker.start()
        stack.callback(worker.stop)
        app = replace(app, wake=worker.wake)
        listener = Listener(
            app.addressing.read,
            partial(receive_all, app),
            server_hostname=config.host,
            data_size_limit=config.max_mail,
            lmtp=lmtp,
        )
        listener.start()
        stack.callback(listener.stop)
        yield Town(app, sink, listener.port)
