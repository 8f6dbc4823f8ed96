"""An IMAP server that fails for some mails, like a broken index."""

from __future__ import annotations

import re
import socketserver
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.serving import serving

GREETING = b"* OK [CAPABILITY IMAP4rev1] ready\r\n"
DATE = b"01-Mar-2026 12:00:00 +0000"


@dataclass
class Imap:
    """Mails by UID, their seen flags, and failures (see `ANSWERS`)."""

    mails: dict[int, bytes] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)
    broken: dict[int, str] = field(default_factory=dict)
    asked: list[int] = field(default_factory=list)
    hung_up: bool = False
    port: int = 0


ANSWERS = {
    "no": b"{tag} NO [SERVERBUG] Internal error\r\n",
    "nil": b"* 1 FETCH (UID {uid} BODY[] NIL)\r\n{tag} OK done\r\n",
    "nothing": b"{tag} OK done\r\n",
    "bad": b"{tag} BAD what?\r\n",
    "garbled": b"\x00\xff)))(\r\n",
    "hangs up": b"",
    "half": b"* 1 FETCH (UID {uid} BODY[] {{900000}}\r\nFrom: b",
}
LINE_ENDS = ("hangs up", "half")


class _Line(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        server: Imap = self.server.imap  # type: ignore[attr-defined]
        self.wfile.write(GREETING)
        for line in self.rfile:
            tag, _, words = line.strip().partition(b" ")
            answer = _answer(server, tag, words)
            self.wfile.write(answer)
            if server.hung_up:
                server.hung_up = False
                return


def _answer(server: Imap, tag: bytes, words: bytes) -> bytes:
    done = tag + b" OK done\r\n"
    command = words.upper()
    if command.startswith(b"CAPABILITY"):
        return b"* CAPABILITY IMAP4rev1\r\n" + done
    if command.startswith(b"SELECT"):
        return b"* %d EXISTS\r\n* OK [UIDVALIDITY 17] valid\r\n" % len(server.mails) + done
    if command.startswith(b"UID SEARCH"):
        unseen = " ".join(str(uid) for uid in sorted(server.mails) if uid not in server.seen)
        return f"* SEARCH {unseen}\r\n".encode() + done
    if (about := re.match(rb"UID (FETCH|STORE) (\d+)", command)) is None:
        return done
    uid = int(about[2])
    if about[1] == b"STORE":
        server.seen.add(uid)
        return done
    if b"BODY" in command:
        server.asked.append(uid)
        return _body(server, uid, tag, done)
    sizes = b'* 1 FETCH (UID %d RFC822.SIZE %d INTERNALDATE "%s")\r\n'
    return sizes % (uid, len(server.mails[uid]), DATE) + done


def _body(server: Imap, uid: int, tag: bytes, done: bytes) -> bytes:
    how = server.broken.get(uid)
    server.hung_up = how in LINE_ENDS
    if how is not None:
        told = ANSWERS[how].replace(b"{tag}", tag).replace(b"{uid}", b"%d" % uid)
        return told.replace(b"{{", b"{").replace(b"}}", b"}")
    raw = server.mails[uid]
    return b"* 1 FETCH (UID %d BODY[] {%d}\r\n" % (uid, len(raw)) + raw + b")\r\n" + done


@contextmanager
def imap_server() -> Iterator[Imap]:
    """Start a server on a loopback port; stop it at the end."""
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Line)
    server.daemon_threads = True
    server.imap = imap = Imap(port=server.server_address[1])  # type: ignore[attr-defined]
    with serving(server):
        yield imap
