"""A relay that takes letters, and fails in every way that relays do."""

from __future__ import annotations

import re
import socketserver
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Literal

from pbem.mail.person.mailbox import ReceivedLetter
from tests.serving import serving

Mood = Literal["well", "busy", "refusing", "hanging", "dropping", "away"]
"""`busy` says 451, `refusing` 554 5.7.1 about us, `hanging` nothing after the text. `dropping` takes the
letter and hangs up before its answer, `away` hangs up at once."""
MOODS: tuple[Mood, ...] = ("busy", "refusing", "hanging", "dropping", "away")
MESSAGE_ID = re.compile(rb"^Message-ID: *(<[^>]+>)", re.IGNORECASE | re.MULTILINE)
REPLIES = {b"EHLO": "250-relay\r\n250 PIPELINING", b"DATA": "503 5.5.1 No recipient", b"QUIT": "221 Bye"}
REFUSALS = {"busy": "451 4.3.2 Busy", "refusing": "554 5.7.1 Relay access denied"}
HANG_SECONDS = 600.0
NAP_SECONDS = 0.05


class Line(socketserver.StreamRequestHandler):
    """One connection."""

    server: Relay

    def handle(self) -> None:
        if self.server.mood == "away":
            return
        self.say("220 relay")
        sender, recipient = False, ""
        for line in self.rfile:
            verb = line[:4].upper()
            if verb == b"MAIL":
                sender, recipient = self.answer_mail(), ""
            elif verb == b"RCPT":
                recipient = line.decode().split("<", 1)[1].split(">", 1)[0] if sender else ""
                self.say("250 2.1.5 Yes" if recipient else "503 5.5.1 No sender")
            elif verb == b"DATA" and recipient:
                self.say("354 Go on")
                if not self.take(recipient):
                    return
            else:
                self.say(REPLIES.get(verb, "250 Yes"))

    def answer_mail(self) -> bool:
        """Answer MAIL FROM; True if the sender may go on."""
        reply = REFUSALS.get(self.server.mood, "250 2.1.0 Yes")
        self.say(reply)
        return reply.startswith("250")

    def take(self, recipient: str) -> bool:
        """Take a text; False if this connection ends by it."""
        lines = list(iter(self.rfile.readline, b".\r\n"))
        if not lines or not lines[-1]:
            return False
        raw = b"".join(line.removeprefix(b".") if line.startswith(b"..") else line for line in lines)
        mood, until = self.server.mood, time.monotonic() + HANG_SECONDS
        if mood == "hanging":
            while self.server.mood == "hanging" and time.monotonic() < until:
                time.sleep(NAP_SECONDS)
            return False
        self.server.keep(recipient, raw)
        if mood == "dropping":
            return False
        self.say("250 2.0.0 Taken")
        return True

    def say(self, reply: str) -> None:
        self.wfile.write(f"{reply}\r\n".encode())


class Relay(socketserver.ThreadingTCPServer):
    """The relay's `mood` may be set at any time. All letters that it took are kept."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Line)
        self.mood: Mood = "well"
        self.counts: Counter[str] = Counter()
        """Deliveries of each letter, by its Message-ID."""
        self._lock = Lock()
        self._to: dict[str, list[ReceivedLetter]] = defaultdict(list)

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def keep(self, recipient: str, raw: bytes) -> None:
        found = MESSAGE_ID.search(raw)
        assert found is not None, raw[:500]
        id = found[1].decode()
        with self._lock:
            self.counts[id] += 1
            if self.counts[id] == 1:
                self._to[recipient].append(ReceivedLetter(raw))

    def letters(self, recipient: str, after: int) -> list[ReceivedLetter]:
        """The letters to somebody in the order they came, without copies and the first `after` ones."""
        with self._lock:
            return self._to[recipient][after:]

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that was killed is no fault of the relay's."""


@contextmanager
def running_relay() -> Iterator[Relay]:
    with serving(Relay()) as relay:
        yield relay
