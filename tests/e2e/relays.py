"""Relays for tests of faults: they answer by a script, or not at all."""

from __future__ import annotations

import socketserver
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread


class Scripted(socketserver.StreamRequestHandler):
    """A relay that answers each command by the server's script, else with yes; "" is no answer."""

    server: ScriptedServer

    def handle(self) -> None:
        self.server.calls += 1
        self.say("greeting", "220 here")
        for line in self.rfile:
            verb = line.split()[0].decode().upper()
            self.say(verb, {"DATA": "354 go on", "QUIT": "221 bye"}.get(verb, "250 yes"))
            if verb == "DATA" and "DATA" not in self.server.script:
                while self.rfile.readline() not in (b".\r\n", b""):
                    pass
                self.say("text", "250 taken")

    def say(self, verb: str, usual: str) -> None:
        reply = self.server.script.get(verb, usual)
        if reply:
            self.wfile.write(f"{reply}\r\n".encode())
        else:
            self.server.fell_silent.set()


class ScriptedServer(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Scripted)
        self.script: dict[str, str] = {}
        self.calls = 0
        self.fell_silent = Event()


@contextmanager
def scripted_server() -> Iterator[ScriptedServer]:
    """Run a scripted relay."""
    with ScriptedServer() as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
