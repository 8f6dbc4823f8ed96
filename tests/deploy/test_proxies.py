"""Caddy with our configuration: the visitor's address arrives, and no forged one."""

from __future__ import annotations

import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from time import monotonic, sleep
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

from tests.ports import free_port
from tests.serving import serving

DEPLOY = Path(__file__).parents[2] / "deploy"
PATIENCE_SECONDS = 60


class Seen(BaseHTTPRequestHandler):
    """Answers with the addresses that the proxy brings."""

    def do_GET(self) -> None:
        body = ",".join(self.headers.get_all("X-Forwarded-For", [])).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        return


@contextmanager
def pages() -> Iterator[int]:
    with serving(HTTPServer(("127.0.0.1", 0), Seen)) as server:
        yield server.server_port


def forged(port: int) -> str:
    """The addresses that arrive of a visitor who wrote one of their own."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    asked = Request(f"https://localhost:{port}/", headers={"X-Forwarded-For": "198.51.100.9"})
    end = monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return str(urlopen(asked, timeout=PATIENCE_SECONDS, context=context).read().decode())
        except URLError:
            assert monotonic() < end
            sleep(0.1)


@contextmanager
def running(*words: str, **more: dict[str, str]) -> Iterator[None]:
    with subprocess.Popen(words, stderr=subprocess.DEVNULL, **more) as process:  # type: ignore[call-overload]
        try:
            yield
        finally:
            process.terminate()


@pytest.mark.caddy
def test_caddy_brings_the_visitors_address_alone(tmp_path: Path) -> None:
    https = free_port()
    with pages() as port:
        text = (DEPLOY / "caddy" / "Caddyfile").read_text()
        name = "{$PBEM_HOST:games.example.org} {\n"
        assert 2 == text.count(name)
        text = text.replace(name, f"localhost:{https} {{\n\ttls internal\n")
        own = tmp_path / "Caddyfile"
        head = f"{{\n\tadmin off\n\tskip_install_trust\n\thttp_port {free_port()}\n}}\n"
        own.write_text(head + text)
        env = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
        env["PBEM_PAGES"] = f"127.0.0.1:{port}"
        with running("/usr/bin/caddy", "run", "--config", str(own), "--adapter", "caddyfile", env=env):
            assert forged(https) in ("127.0.0.1", "::1")
