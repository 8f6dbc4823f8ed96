"""Clients that send slowly or never finish, against the real web server."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from pbem.cli.web_server import THREADS, WebServer, limit_concurrency
from pbem.web import FORM_BYTES
from tests.amount import some
from tests.cli.program import forks, migrate
from tests.cli.slow_pages import HastyPages, NarrowPages, serve
from tests.cli.test_serve import PATIENCE_SECONDS, env
from tests.ports import free_port

pytestmark = pytest.mark.whole

__all__ = ["env"]

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
BODY = b"POST /study HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000\r\n\r\nrecord=a"
ALL = b"GET /static/base.css HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20
"""Requests pages and reads no answer."""
LAST = b"GET /robots.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
"""Reads its answer, and never closes the connection."""
SOON = 8.0
"""Seconds allowed for a page, which takes a tenth of one.

It took 20 before; the rest is for a busy machine.
"""
PIECES = b"POST /study HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nrec"


@pytest.fixture
def port(env: dict[str, str], tmp_path: Path) -> Iterator[int]:
    """Pages that wait a second for a request; their log is `log`."""
    yield from pages(HastyPages, env, tmp_path)


@pytest.fixture
def steady(env: dict[str, str], tmp_path: Path) -> Iterator[int]:
    """The usual pages, over connections with small buffers."""
    yield from pages(NarrowPages, env, tmp_path)


def pages(kind: type[WebServer], env: dict[str, str], folder: Path) -> Iterator[int]:
    migrate(env)
    port = free_port()
    given = env | {"PBEM_WEB_LISTEN": f"127.0.0.1:{port}"}
    server = forks.Process(target=serve, args=(kind, given, folder / "log"))
    server.start()
    try:
        _wait_for(port)
        yield port
    finally:
        server.terminate()
        server.join(PATIENCE_SECONDS)


def _wait_for(port: int) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        try:
            return socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the pages never came")


def slow(port: int, begun: bytes) -> socket.socket:
    """A client that sends this much, with little room for an answer."""
    visitor = socket.socket()
    visitor.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    visitor.settimeout(PATIENCE_SECONDS)
    visitor.connect(("127.0.0.1", port))
    visitor.sendall(begun)
    return visitor


def said(port: int, request: bytes) -> bytes:
    with slow(port, request) as visitor:
        visitor.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: visitor.recv(65536), b""))


def seconds_for_a_page(port: int) -> float:
    begun = time.monotonic()
    with urlopen(f"http://127.0.0.1:{port}/rules", timeout=PATIENCE_SECONDS) as answer:
        assert 200 == answer.status
    return time.monotonic() - begun


WAYS = {"head": HEAD, "body": BODY, "pieces": PIECES, "all": ALL, "last": LAST, "nothing": b""}


def test_a_crowd_of_slow_visitors_of_one_address_keeps_nobody_waiting(steady: int) -> None:
    """Slow senders, slow readers and silent clients, more than threads."""
    seconds_for_a_page(steady)
    waited = {}
    for way, begun in some(WAYS.items(), 3):
        with ExitStack() as crowd:
            for _ in range(THREADS + 50):
                crowd.enter_context(slow(steady, begun))
            time.sleep(1)
            waited[way] = seconds_for_a_page(steady)
    assert {} == {way: seconds for way, seconds in waited.items() if seconds > SOON}


@pytest.mark.slow
def test_visitors_who_never_end_keep_nobody_waiting_and_nothing_of_them_is_logged(
    port: int, tmp_path: Path
) -> None:
    crowd = [slow(port, begun) for begun in (HEAD, BODY, PIECES) for _ in range(THREADS)]
    with urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE_SECONDS) as answer:
        assert 200 == answer.status
    for visitor in crowd:
        assert visitor.recv(100)[:10] in (b"", b"HTTP/1.1 4")
        visitor.close()

    token = b"k7qxw2mzr4tn6pdvb3ysh5cfj"
    page = b"/games/1/compose/" + token + b" HTTP/1.1"
    for request in (
        b"GET " + page + b" HTTP/1.1\r\n\r\n",
        b"GET " + page + b"\r\nCookie: pbem_session=" + token + b"\x00\r\n\r\n",
        b"POST /games/1/compose/"
        + token
        + b" HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        + token
        + b"\r\n",
        b"POST " + page + b"\r\nContent-Length: 50\r\n\r\nmove=f2",
    ):
        assert said(port, request).startswith((b"HTTP/1.1 400", b"HTTP/1.1 404"))
    log = (tmp_path / "log").read_bytes()
    assert (False, False) == (token in log, b"Traceback" in log)


@pytest.mark.parametrize("name", some([b"SCRIPT_NAME", b"Script_Name", b"PATH_INFO", b"Script-Name"], 1))
def test_no_header_of_a_visitor_says_where_the_pages_are(port: int, name: bytes) -> None:
    """A local proxy forwards visitors, whose headers are not trusted."""
    for place in (b"/rules", b"/elsewhere"):
        request = (
            b"GET /rules/bipod HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + name + b": " + place
        )
        assert said(port, request + b"\r\n\r\n").startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(("path", "most"), [("/study", FORM_BYTES), ("/mail/signed", 900_000)])
def test_a_body_is_at_hand_before_its_page_is_made_unless_it_is_too_long(path: str, most: int) -> None:
    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        seen.append((type(environ["wsgi.input"]), environ["CONTENT_LENGTH"]))
        return []

    seen: list[tuple[type, str]] = []
    answer = limit_concurrency(app, 1, 900_000)
    for stated, sent in ((str(most), most), (str(most + 1), most + 1), ("", most), ("", 2 * most)):
        line = BufferedReader(BytesIO(b"x" * sent))  # type: ignore[arg-type]
        answer({"PATH_INFO": path, "CONTENT_LENGTH": stated, "wsgi.input": line}, None)
    at_hand = [(BytesIO, str(most)), (BufferedReader, str(most + 1))]
    assert [*at_hand, (BytesIO, str(most)), (BytesIO, str(most + 1))] == seen
