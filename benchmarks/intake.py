"""Mail through the LMTP door: 16 connections, each sends the next when its 250 has come; against its floor.

The floor is the same listener and the same senders with a handler that keeps nothing. The senders run
in a process of their own.
"""

from __future__ import annotations

import multiprocessing
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median

from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.inbox.receive import receive_all
from pbem.mail.addresses import Token
from pbem.mail.transport.smtp_server import Listener, ReceivedMail, StoreMails
from pbem.store import inbox
from pbem.store.migrate import migrate

CONNECTIONS = 16
MAILS = 100
"""Of each connection, in each round."""
ROUNDS = 5
TEXT = "> Quoted words of the letter that this answers, a usual line of them.\r\n" * 40


def measure() -> Iterator[tuple[str, str, str]]:
    """Rows of the table: figure, measured, against what."""
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder:
        environ = {"PBEM_VAR": folder, "PBEM_DATABASE": f"sqlite:///{Path(folder) / 'bench.sqlite'}"}
        app = open_app(config_from(environ))
        migrate(app.store)
        ours, floors = [], []
        for n in range(ROUNDS):
            floors.append(_rate(app, n, _keep_nothing))
            ours.append(_rate(app, n, partial(receive_all, app)))
        with app.store.read() as db:
            kept = inbox.count_by_state(db)["mail in"]
        assert {"new": ROUNDS * CONNECTIONS * MAILS} == kept, kept
        app.close()
    rate, floor = median(ours), median(floors)
    yield f"LMTP, {CONNECTIONS} connections, SQLite FULL", f"{rate:.0f} a second", "250 after the commit"
    yield "its floor", f"{floor:.0f} a second", "a handler that keeps nothing"
    yield "intake / floor (goal: at least 0.4)", f"{rate / floor:.2f}", f"median of {ROUNDS} rounds"


def _keep_nothing(mails: Sequence[ReceivedMail]) -> list[list[str] | Exception]:
    return [["m1"] for _mail in mails]


def _rate(app: App, number: int, store: StoreMails) -> float:
    """Mails a second."""
    config = app.config
    listener = Listener(
        app.addressing.read,
        store,
        lmtp=True,
        server_hostname=config.host,
        data_size_limit=config.max_mail,
    )
    listener.start()
    recipient = app.addressing.reply(Token("game", (42, 1, 7, 0)))
    ours, theirs = multiprocessing.Pipe()
    sender = multiprocessing.get_context("spawn").Process(
        target=_senders, args=(theirs, listener.port, recipient, number)
    )
    sender.start()
    spent = float(ours.recv())
    sender.join()
    listener.stop()
    return CONNECTIONS * MAILS / spent


def _senders(pipe: multiprocessing.connection.Connection, port: int, recipient: str, number: int) -> None:
    """All connections at once; tells the seconds from the first mail to the last 250."""
    ready = threading.Barrier(CONNECTIONS + 1)
    threads = [
        threading.Thread(target=_sender, args=(port, recipient, f"{number}.{n}", ready.wait))
        for n in range(CONNECTIONS)
    ]
    for thread in threads:
        thread.start()
    ready.wait()
    begin = time.perf_counter()
    for thread in threads:
        thread.join()
    pipe.send(time.perf_counter() - begin)


def _sender(port: int, recipient: str, name: str, ready: Callable[[], object]) -> None:
    """One connection, pipelining each mail's envelope as Postfix does."""
    envelope = f"MAIL FROM:<bill@example.org>\r\nRCPT TO:<{recipient}>\r\nDATA\r\n".encode()
    mails = [_mail(recipient, f"{name}.{n}") + b".\r\n" for n in range(MAILS)]
    with socket.create_connection(("127.0.0.1", port)) as connection, connection.makefile("rb") as replies:
        replies.readline()
        connection.sendall(b"LHLO client\r\n")
        while replies.readline()[3:4] == b"-":
            pass
        ready()
        for mail in mails:
            connection.sendall(envelope)
            answers = [replies.readline()[:3] for _ in range(3)]
            assert [b"250", b"250", b"354"] == answers, answers
            connection.sendall(mail)
            assert replies.readline().startswith(b"250 "), name


def _mail(recipient: str, id: str) -> bytes:
    return (
        f"From: Bill <bill@example.org>\r\nTo: {recipient}\r\nSubject: Re: Bipod #42: Bill - Joao\r\n"
        f"Message-ID: <{id}@example.org>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\nf2\r\n{TEXT}"
    ).encode()
