"""Errors as a server that speaks Sentry's protocol gets them."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from pbem.config.load import SettingsError, config_from
from tests.serving import serving

TOKEN = "abcdefghijklmnopqrstuvwx"
PROGRAM = """
import logging, sys
from pbem.config.load import config_from
from pbem.config.logs import set_up_logs, trouble

set_up_logs(config_from({"PBEM_SENTRY_DSN": sys.argv[1], "PBEM_VAR": sys.argv[2]}))
log = logging.getLogger("pbem.mail")
mail = "the words of a player"
try:
    raise KeyError("play+%s@localhost" % sys.argv[3])
except KeyError:
    log.exception("m17 failed")
log.warning("only a warning")
error = UnicodeDecodeError("ascii", mail.encode(), 0, 1, "no letter")
for _ in range(5):
    log.error("no database", extra=trouble("database", error))
"""


class Server(HTTPServer):
    """Keeps what it is sent."""

    got: list[str]


class Request(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        zipped = self.headers.get("Content-Encoding") == "gzip"
        self.server.got.append((gzip.decompress(body) if zipped else body).decode())
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture
def sentry() -> Iterator[Server]:
    with serving(Server(("127.0.0.1", 0), Request)) as server:
        server.got = []
        yield server


def test_errors_are_sent_with_their_traceback_and_without_mails_and_secrets(
    sentry: Server, tmp_path: object
) -> None:
    dsn = f"http://key@127.0.0.1:{sentry.server_port}/1"
    subprocess.run([sys.executable, "-c", PROGRAM, dsn, str(tmp_path), TOKEN], check=True, timeout=90)
    sent = "\n".join(sentry.got)
    assert "m17 failed" in sent
    assert "KeyError" in sent
    assert "play+***@localhost" in sent
    assert 1 == sent.count('"no database"') or 1 == sent.count('"formatted":"no database"')
    for secret in (TOKEN, "the words of a player", "only a warning", "PROGRAM"):
        assert secret not in sent


@pytest.mark.parametrize(
    "wrong", ["sentry.example.org/1", "https://sentry.example.org/1", "ftp://key@host/1", "https://key@host"]
)
def test_a_wrong_dsn_is_named(wrong: str) -> None:
    with pytest.raises(SettingsError, match="PBEM_SENTRY_DSN"):
        config_from({"PBEM_SENTRY_DSN": wrong})
