"""The container images and compose.yaml: built, run, and played through by mail from another machine."""

from __future__ import annotations

import os
import re
import smtplib
import socket
import socketserver
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.request import Request, urlopen

import pytest
import yaml

from pbem.config.load import config_from
from pbem.mail.person.mailbox import MailUser
from pbem.mail.transport.smtp_server import BoundController
from tests.databases import Postgres
from tests.deploy.engine import Engine, Service, container_engine
from tests.deploy.namespaces import Machine, two_machines
from tests.e2e.town import PATIENCE_SECONDS, Sink
from tests.mail.doctor.test_certificates import certificate
from tests.mail.zones import name_server

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
HERE = DEPLOY / "container"
HOST, HOME, PLAY = "games.example.org", "players.example.net", "play@games.example.org"
VALUES = {
    "PBEM_HOST": HOST,
    "PBEM_OPERATOR": f"anna@{HOME}",
    "PBEM_SECRET": "s" * 64,
    "POSTGRES_PASSWORD": "p" * 64,
}


def services() -> dict[str, Service]:
    """The services of compose.yaml with the values of a .env beside it."""
    text = re.sub(
        r"\$\{(\w+)(?::\?[^}]*)?\}", lambda found: VALUES[found[1]], (HERE / "compose.yaml").read_text()
    )
    return yaml.safe_load(text)["services"]


def test_the_settings_in_compose_are_ones_of_a_public_server(tmp_path: Path) -> None:
    (key := tmp_path / "dkim.pem").write_text("")
    environ = services()["pbem"]["environment"] | {"PBEM_VAR": str(tmp_path), "PBEM_DKIM_KEY": str(key)}
    config = config_from(environ)
    assert (f"https://{HOST}", 1) == (config.site, config.proxies)


def test_env_example_names_all_that_compose_wants() -> None:
    wanted = set(re.findall(r"\$\{(\w+)", (HERE / "compose.yaml").read_text()))
    assert set(VALUES) == wanted == set(re.findall(r"^(\w+)=$", (HERE / "env.example").read_text(), re.M))


def test_the_server_has_no_more_rights_than_it_needs() -> None:
    pbem = services()["pbem"]
    assert (True, ["ALL"], ["no-new-privileges:true"]) == (
        pbem["read_only"],
        pbem["cap_drop"],
        pbem["security_opt"],
    )
    assert re.search(r"^USER 10001:10001$", (HERE / "Dockerfile").read_text(), re.M)


def test_only_postfix_and_caddy_are_reached_from_outside() -> None:
    published = {name: service["ports"] for name, service in services().items() if "ports" in service}
    assert {"postfix": ["25:25"], "caddy": ["80:80", "443:443", "443:443/udp"]} == published


def test_every_file_that_is_copied_into_an_image_is_there() -> None:
    contexts = {HERE / "Dockerfile": ROOT, HERE / "postfix" / "Dockerfile": DEPLOY}
    for file, context in contexts.items():
        for source in re.findall(r"^COPY (?!--)(\S+)", file.read_text(), re.M):
            assert (context / source).exists()
    assert os.access(HERE / "postfix" / "start", os.X_OK)


@dataclass
class Traveller(MailUser):
    """A person whose mail comes from the other machine."""

    ours: Machine | None = None
    theirs: Machine | None = None

    def send(self, raw: bytes, recipient: str) -> None:
        assert self.ours is not None
        assert self.theirs is not None
        with self.theirs.inside(), smtplib.SMTP(self.ours.address, 25, timeout=60) as smtp:
            smtp.sendmail(self.address, [recipient], raw)

    def letter(self) -> Any:
        """Wait for the next letter."""
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            if found := self.unread():
                return found[-1]
            time.sleep(0.1)
        raise AssertionError(f"no letter for {self.address}")


class _Forward(socketserver.BaseRequestHandler):
    """Passes a connection on to the socket of a PostgreSQL."""

    def handle(self) -> None:
        with socket.socket(socket.AF_UNIX) as there:
            there.connect(self.server.place)  # type: ignore[attr-defined]
            back = Thread(target=_pass_on, args=(there, self.request))
            back.start()
            _pass_on(self.request, there)
            back.join()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    try:
        while part := source.recv(1 << 16):
            target.sendall(part)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # one of them is gone, and so is the connection


@contextmanager
def database_at_5432(postgres: Postgres, machine: Machine) -> Iterator[None]:
    """Offer a PostgreSQL with a role and a database `pbem` at the usual port of a machine."""
    postgres.run("CREATE ROLE pbem SUPERUSER LOGIN")
    postgres.run("CREATE DATABASE pbem OWNER pbem")
    with machine.inside():
        server = socketserver.ThreadingTCPServer(("127.0.0.1", 5432), _Forward)
        server.daemon_threads = True
        server.place = str(postgres.socket / ".s.PGSQL.5432")  # type: ignore[attr-defined]
        Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        postgres.drop("pbem")
        postgres.run("DROP ROLE pbem")


@contextmanager
def mail_of_the_world(machine: Machine) -> Iterator[Sink]:
    """The players' mail server at port 25, and a name server that leads to it."""
    zone = {
        (HOME, "MX"): [f"10 mail.{HOME}"],
        (f"mail.{HOME}", "A"): [machine.address],
        (HOST, "A"): ["10.77.0.1"],
    }
    sink = Sink()
    with ExitStack() as stack:
        with machine.inside():
            stack.enter_context(name_server(zone, (machine.address, 53)))
            controller = BoundController(sink, hostname=machine.address, port=25)
            controller.start()
            stack.callback(controller.stop)
        yield sink


@contextmanager
def caddy(service: Service, machine: Machine, folder: Path) -> Iterator[None]:
    """Caddy with our Caddyfile on a machine, without https."""
    environ = service["environment"] | {"PBEM_PAGES": "127.0.0.1:8000"}
    text = (HERE / service["volumes"][0].partition(":")[0]).read_text()
    (own := folder / "Caddyfile").write_text(re.sub(r"(?m)^(.*\{\$PBEM_HOST)", r"http://\1", text))
    command = ["/usr/bin/caddy", "run", "--config", str(own), "--adapter", "caddyfile"]
    environ |= {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with machine.inside(), subprocess.Popen(command, env=environ, stderr=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.terminate()


def page(machine: Machine, path: str) -> str:
    """A page, asked for by Caddy's name on its own machine."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            with machine.inside():
                asked = Request(f"http://127.0.0.1{path}", headers={"Host": HOST})
                return str(urlopen(asked, timeout=30).read().decode())
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.2)


def build(engine: Engine, folder: Path) -> None:
    """Build both images as compose.yaml does, of a fresh clone."""
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder / "clone")], check=True)
    engine.make_base("base")
    clone, base = folder / "clone", {"BASE": "localhost/base"}
    for name, own in (("pbem", {"EXTRAS": "postgres"}), ("postfix", {})):
        how = services()[name]["build"]
        context = (clone / "deploy" / "container" / how["context"]).resolve()
        engine.build(services()[name]["image"], context / how["dockerfile"], context, **base, **own)


@pytest.mark.podman
@pytest.mark.caddy
def test_a_game_begins_by_mail_through_all_containers(postgres: Postgres, tmp_path: Path) -> None:
    parts = services()
    with ExitStack() as stack:
        engine = stack.enter_context(container_engine())
        build(engine, tmp_path)
        ours, theirs = stack.enter_context(two_machines())
        sink = stack.enter_context(mail_of_the_world(theirs))
        stack.enter_context(database_at_5432(postgres, ours))
        dkim = engine.run("dkim", parts["pbem"], ours, theirs.address, "dkim")
        engine.podman("wait", dkim)
        assert "v=DKIM1" in engine.logs(dkim)
        server = engine.run("pbem", parts["pbem"], ours, theirs.address)
        pem = certificate(tmp_path, HOST, datetime.now(UTC) + timedelta(days=9)).read_text()
        certificates = engine.volume("caddy")
        for ending in ("crt", "key"):
            (certificates / f"{HOST}.{ending}").write_text(pem)
        parts["postfix"]["environment"]["CERTIFICATES"] = "/data/caddy"
        parts["postfix"]["environment"]["PBEM_LMTP"] = "127.0.0.1:2526"
        engine.run("postfix", parts["postfix"], ours, theirs.address)
        stack.enter_context(caddy(parts["caddy"], ours, tmp_path))
        assert engine.healthy(server), engine.logs(server)
        assert "10001" == engine.execute(server, "id", "-u").stdout.strip()
        assert 0 != engine.execute(server, "touch", "/opt/pbem/file").returncode
        boxes = (f"bill@{HOME}", f"joao@{HOME}")
        bill, joao = (Traveller(box, 25, sink.letters, 0, ours, theirs) for box in boxes)
        for player, name in ((joao, "Joao"), (bill, "Bill")):
            player.write(PLAY, f"register {name}")
            player.reply(player.letter(), "yes")
            welcome = player.letter()
            assert "DKIM-Signature" in welcome.message
        bill.reply(welcome, "challenge Joao bipod first")
        joao.reply(joao.letter(), "accept")
        assert "Joao" in bill.letter().text
        assert "Joao" in page(ours, "/games/1")
        with theirs.inside():
            assert offers_tls(ours)
            assert 250 == answer(ours, PLAY)
            assert 554 == answer(ours, "somebody@elsewhere.example.com")
            assert 550 == answer(ours, f"nobody@{HOST}")
        assert 0 == engine.stop(server)
        with theirs.inside():
            assert 450 == answer(ours, f"play+later@{HOST}")
        again = engine.run("again", parts["pbem"], ours, theirs.address)
        assert engine.healthy(again), engine.logs(again)
        assert "Joao" in page(ours, "/games/1")


def offers_tls(machine: Machine) -> bool:
    with smtplib.SMTP(machine.address, 25, timeout=60) as smtp:
        smtp.ehlo()
        return smtp.has_extn("starttls")


def answer(machine: Machine, recipient: str) -> int:
    """What a machine's port 25 says about a recipient."""
    with smtplib.SMTP(machine.address, 25, timeout=60) as smtp:
        smtp.ehlo()
        smtp.mail(f"anna@{HOME}")
        return smtp.rcpt(recipient)[0]


def test_postfix_finds_the_server_by_an_address_that_stays_when_it_is_stopped() -> None:
    parts = services()
    address = parts["pbem"]["networks"]["mail"]["ipv4_address"]
    assert f"{address}:2526" == parts["postfix"]["environment"]["PBEM_LMTP"]
    assert address != parts["postfix"]["networks"]["mail"]["ipv4_address"]
