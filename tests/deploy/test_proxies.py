"""Proxies with our configurations: the visitor's address arrives, and no forged one."""

from __future__ import annotations

import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from time import monotonic, sleep
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

from tests.mail.doctor.test_certificates import NOW, certificate
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


@pytest.mark.nginx
def test_nginx_brings_the_visitors_address_alone(tmp_path: Path) -> None:
    file, (http, https) = (
        certificate(tmp_path, "localhost", NOW + timedelta(days=9)),
        (free_port(), free_port()),
    )
    with pages() as port:
        text = (DEPLOY / "nginx" / "games.conf").read_text()
        for old, new in {
            "[::]:80": f"[::1]:{http}",
            "listen 80": f"listen 127.0.0.1:{http}",
            "[::]:443": f"[::1]:{https}",
            "listen 443": f"listen 127.0.0.1:{https}",
            "games.example.org;": "localhost;",
            "/etc/letsencrypt/live/games.example.org/fullchain.pem": str(file),
            "/etc/letsencrypt/live/games.example.org/privkey.pem": str(file),
            "127.0.0.1:8000": f"127.0.0.1:{port}",
        }.items():
            assert old in text
            text = text.replace(old, new)
        own = tmp_path / "nginx.conf"
        places = "".join(
            f"{kind}_temp_path {tmp_path}/{kind};"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        own.write_text(
            f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/log;\nevents {{}}\n"
            f"http {{ access_log off; {places}\n{text}\n}}\n"
        )
        with running("/usr/sbin/nginx", "-c", str(own), "-p", str(tmp_path)):
            assert "127.0.0.1" == forged(https)


@pytest.mark.caddy
def test_caddy_brings_the_visitors_address_alone(tmp_path: Path) -> None:
    https = free_port()
    with pages() as port:
        text = (DEPLOY / "caddy" / "Caddyfile").read_text()
        assert "games.example.org {\n" in text
        assert "127.0.0.1:8000" in text
        text = text.replace("games.example.org {", f"localhost:{https} {{\n\ttls internal")
        own = tmp_path / "Caddyfile"
        head = f"{{\n\tadmin off\n\tskip_install_trust\n\thttp_port {free_port()}\n}}\n"
        own.write_text(head + text.replace("127.0.0.1:8000", f"127.0.0.1:{port}"))
        env = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
        with running("/usr/bin/caddy", "run", "--config", str(own), "--adapter", "caddyfile", env=env):
            assert forged(https) in ("127.0.0.1", "::1")
