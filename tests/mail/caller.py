"""A socket client for a real listener, with a fake store behind."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from pbem.mail.addresses import Addressing
from pbem.mail.transport.smtp_server import Listener, ReceivedMail

OURS = Addressing("pbem.example.org", (b"k" * 32,))


PLAY = "play@pbem.example.org"
PATIENCE_SECONDS = 60
"""Generous wait for an instant event, for a busy machine."""
MAIL = b"From: bill@example.org\r\nSubject: x\r\n\r\nf2 f4 g3\r\n"


@dataclass
class FakeMailStore:
    """Stores mails, all or none, or raises `trouble`; waits for `gate` if given."""

    kept: list[ReceivedMail] = field(default_factory=list)
    together: list[int] = field(default_factory=list)
    trouble: Exception | None = None
    trouble_at_the_door: Exception | None = None
    gate: threading.Event | None = None
    asked: threading.Event = field(default_factory=threading.Event)

    def known(self, address: str) -> None:
        if self.trouble_at_the_door:
            raise self.trouble_at_the_door
        OURS.read(address)

    def keep_all(self, mails: Sequence[ReceivedMail]) -> list[list[str] | Exception]:
        self.together.append(len(mails))
        self.asked.set()
        if self.gate:
            self.gate.wait(PATIENCE_SECONDS)
        if self.trouble:
            raise self.trouble
        return [self._one(mail) for mail in mails]

    def _one(self, mail: ReceivedMail) -> list[str] | Exception:
        if b"poison" in mail.raw:
            return ValueError("this one alone")
        self.kept.append(mail)
        return [f"m{len(self.kept)}.{n}" for n, _name in enumerate(mail.recipients)]


@contextmanager
def running_listener(shelf: FakeMailStore, **more: Any) -> Iterator[Listener]:
    settings: dict[str, Any] = {
        "server_hostname": "pbem.example.org",
        "data_size_limit": 64 * 1024,
        **more,
    }
    listener = Listener(shelf.known, shelf.keep_all, **settings)
    listener.start()
    try:
        yield listener
    finally:
        listener.stop()


@dataclass
class SmtpClient:
    """A client at the other end of the connection."""

    socket: socket.socket
    replies: Any = None

    def __post_init__(self) -> None:
        self.socket.settimeout(PATIENCE_SECONDS)
        self.replies = self.socket.makefile("rb")

    def read_answer(self) -> bytes:
        """Read one answer with all its lines."""
        lines = [self.replies.readline()]
        while lines[-1][3:4] == b"-":
            lines.append(self.replies.readline())
        return b"".join(lines)

    def says(self, line: bytes) -> bytes:
        self.socket.sendall(line + b"\r\n")
        return self.read_answer()

    def send_greeting(self, word: bytes = b"EHLO") -> SmtpClient:
        self.read_answer()
        self.says(word + b" client.example.org")
        return self

    def send_envelope(self, *recipients: str) -> SmtpClient:
        self.says(b"MAIL FROM:<bill@example.org>")
        for recipient in recipients or (PLAY,):
            self.says(f"RCPT TO:<{recipient}>".encode())
        return self

    def data(self, content: bytes) -> bytes:
        assert self.says(b"DATA").startswith(b"354 ")
        return self.says(content + b".")

    def close(self) -> None:
        self.replies.close()
        self.socket.close()


def connect_client(stack: ExitStack, listener: Listener) -> SmtpClient:
    caller = SmtpClient(socket.create_connection(("127.0.0.1", listener.port), timeout=PATIENCE_SECONDS))
    stack.callback(caller.close)
    return caller
