"""Relays for tests of faults: they answer by a script, or not at all."""

from __future__ import annotations

import socketserver
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

from tests.serving import serving


class Scripted(socketserver.StreamRequestHandler):
    """A relay that answers each command by the server's script, else with yes; "" is no answer any more.

    With `pipelining` it says nothing about MAIL and RCPT before it has DATA.
    """

    server: ScriptedServer

    def handle(self) -> None:
        self.server.calls += 1
        self.held: list[str] = []
        self.silent = False
        self.say("greeting", "220 here")
        for line in self.rfile:
            verb = line.split()[0].decode().upper()
            if verb == "EHLO" and self.server.pipelining:
                self.say(verb, "250-here\r\n250 PIPELINING")
                continue
            if verb == "RCPT" and self.server.hangs.encode() in line:
                self.silent = True
            self.say(verb, {"DATA": "354 go on", "QUIT": "221 bye"}.get(verb, "250 yes"))
            if verb == "DATA" and "DATA" not in self.server.script:
                while self.rfile.readline() not in (b".\r\n", b""):
                    pass
                self.say("text", "250 taken")

    def say(self, verb: str, usual: str) -> None:
        reply = self.server.script.get(verb, usual)
        if not reply or self.silent:
            self.silent = True
            self.server.unsaid.append((self, usual))
            self.server.fell_silent.set()
        else:
            self.held.append(f"{reply}\r\n")
        if not self.server.pipelining or verb not in ("MAIL", "RCPT"):
            self.wfile.write("".join(self.held).encode())
            self.held.clear()


class ScriptedServer(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self, *, pipelining: bool = False) -> None:
        super().__init__(("127.0.0.1", 0), Scripted)
        self.pipelining = pipelining
        self.script: dict[str, str] = {}
        self.hangs = "nobody"
        """The recipient about whom it says nothing."""
        self.calls = 0
        self.fell_silent = Event()
        self.unsaid: list[tuple[Scripted, str]] = []

    def speak_again(self) -> None:
        """Say what was left unsaid, if it is one answer a line."""
        for line, reply in self.unsaid:
            line.silent = False
            line.wfile.write(f"{reply}\r\n".encode())
        self.unsaid.clear()


@contextmanager
def scripted_server(*, pipelining: bool = False) -> Iterator[ScriptedServer]:
    """Run a scripted relay."""
    with serving(ScriptedServer(pipelining=pipelining)) as server:
        yield server
