"""Broken set-ups of mail: `pbem check` names each by one finding, and finds nothing in a whole one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.cli import check
from pbem.mail.doctor import certificates
from pbem.mail.doctor.lookups import DnsAnswer
from pbem.mail.outbound.dkim_sign import Key, dkim_record, new_key, pem, zone_line
from pbem.mail.transport.smtp_server import BoundController, tls_context
from pbem.store import outages
from pbem.store.engine import open_store
from tests.cli.program import migrate
from tests.cli.test_serve import env
from tests.e2e.town import sink_server
from tests.mail.doctor.test_certificates import certificate, site, trusting
from tests.mail.zones import name_server

__all__ = ["env"]

HOST, OUT, PTR = "games.example.org", "203.0.113.25", "25.113.0.203.in-addr.arpa"
SELECTOR, DMARC = f"pbem._domainkey.{HOST}", f"_dmarc.{HOST}"
POLICY = "version: STSv1\nmode: enforce\nmx: localhost\nmax_age: 604800\n"
LATER, BEFORE = (datetime.now(UTC) + timedelta(days=days) for days in (90, -1))


@cache
def key(number: int) -> Key:
    return new_key("rsa")


class Door:
    """A mail server's answer to RCPT."""

    def __init__(self, answer: str) -> None:
        self.answer = answer

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _: Any) -> str:
        envelope.rcpt_tos.append(address)
        return self.answer


@dataclass
class Setup:
    """A server's settings and files, its DNS, and what answers at its mail server's name."""

    folder: Path
    settings: dict[str, str]
    zone: dict[tuple[str, str], list[str]]
    site_name: str = "localhost"
    site_until: datetime = LATER
    door: str = "250 taken"
    files: list[Path] = field(default_factory=list)

    def certificate(self, name: str, until: datetime) -> Path:
        folder = self.folder / f"c{len(self.files)}"
        folder.mkdir()
        self.files.append(certificate(folder, name, until))
        return self.files[-1]

    def own(self, name: str, until: datetime = LATER) -> None:
        file = str(self.certificate(name, until))
        self.settings |= {"PBEM_TLS_CERT": file, "PBEM_TLS_KEY": file}

    def texts(self, name: str, *records: str) -> None:
        self.zone[(name, "TXT")] = list(records)


def whole(folder: Path, env: dict[str, str]) -> Setup:
    (file := folder / "dkim.pem").write_bytes(pem(key(0)))
    file.chmod(0o600)
    settings = {
        **env,
        "PBEM_HOST": HOST,
        "PBEM_GAMES": "bipod",
        "PBEM_DKIM_KEY": str(file),
        "PBEM_AUTHSERV": "mail.example.org",
    }
    zone = {
        (HOST, "MX"): ["10 localhost"],
        ("localhost", "A"): [OUT],
        (HOST, "TXT"): ["v=spf1 mx -all"],
        (SELECTOR, "TXT"): [dkim_record(key(0))],
        (DMARC, "TXT"): ["v=DMARC1; p=reject; rua=mailto:op@example.net"],
        (f"{HOST}._report._dmarc.example.net", "TXT"): ["v=DMARC1"],
        (PTR, "PTR"): ["localhost"],
        (f"_mta-sts.{HOST}", "TXT"): ["v=STSv1; id=1"],
        (f"mta-sts.{HOST}", "A"): [OUT],
        (f"_smtp._tls.{HOST}", "TXT"): ["v=TLSRPTv1; rua=mailto:op@example.org"],
    }
    setup = Setup(folder, settings, zone)
    setup.own("localhost")
    return setup


@contextmanager
def mail_server(setup: Setup, file: Path) -> Iterator[int]:
    server = BoundController(
        Door(setup.door), hostname="127.0.0.1", port=0, tls_context=tls_context(file, file)
    )
    server.start()
    try:
        yield server.port
    finally:
        server.stop()


def faults(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, str]]:
    """Run `pbem check` and return each problem, hint and wrong thing: (about, found, mend)."""
    of_site = setup.certificate(setup.site_name, setup.site_until)
    of_mail = setup.certificate("localhost", LATER)
    with ExitStack() as stack:
        _sink, relay = stack.enter_context(sink_server())
        web = stack.enter_context(site(of_site))
        smtp = stack.enter_context(mail_server(setup, of_mail))
        names = stack.enter_context(name_server(setup.zone))
        setup.settings |= {"PBEM_RELAY": f"smtp://127.0.0.1:{relay}", "PBEM_SITE": f"https://{HOST}"}
        for name, value in setup.settings.items():
            monkeypatch.setenv(name, value)
        ask_site = partial(certificates.site_validity, "localhost", web, trusting(of_site))
        ask_mail = partial(certificates.mail_server_validity, port=smtp, context=trusting(of_mail))
        refusal = partial(certificates.mail_server_refusal, port=smtp)
        monkeypatch.setattr(check, "site_validity", lambda _host, _port: ask_site())
        monkeypatch.setattr(check, "mail_server_validity", ask_mail)
        monkeypatch.setattr(check, "mail_server_refusal", refusal)
        monkeypatch.setattr(check.lookups, "read_page", lambda url: DnsAnswer((POLICY,)))
        said = CliRunner().invoke(check.check_command, ["--json", "--nameserver", f"127.0.0.1:{names}"])
    assert said.stdout, (said.output, said.exception)
    found = json.loads(said.stdout)
    named = [("", problem, problem) for problem in found["problems"]]
    groups = [*found["offer"], *found["backup"], *found["database"], *found["mail"]]
    return named + [(each["about"], each["found"], each["mend"]) for each in groups if each["level"] != "ok"]


@pytest.fixture
def setup(tmp_path: Path, env: dict[str, str]) -> Setup:
    migrate(env)
    store = open_store(f"sqlite:///{env['PBEM_VAR']}/pbem.sqlite")
    with store.write() as db:
        outages.record_heartbeat(db, outages.BACKUP_HEARTBEAT, datetime.now(UTC))
    store.close()
    return whole(tmp_path, env)


def only(named: list[tuple[str, str, str]]) -> tuple[str, str, str]:
    assert 1 == len(named), named
    return named[0]


Break = Callable[[Setup], object]
SETUPS: dict[str, tuple[Break, str, str, str]] = {
    "no DKIM key set": (
        lambda setup: setup.settings.pop("PBEM_DKIM_KEY"),
        "DKIM",
        "letters are not signed here",
        "pbem dkim, and set PBEM_DKIM_KEY",
    ),
    "wrong selector": (
        lambda setup: setup.settings.update(PBEM_DKIM_SELECTOR="autumn"),
        "DKIM",
        f"our key is at {SELECTOR}, but our letters name the selector autumn",
        "Set PBEM_DKIM_SELECTOR=pbem",
    ),
    "key not published": (
        lambda setup: setup.texts(SELECTOR),
        "DKIM",
        f"nothing at {SELECTOR}: no signature of ours is believed",
        zone_line(SELECTOR, dkim_record(key(0))),
    ),
    "key published under its name twice": (
        lambda setup: (setup.texts(SELECTOR), setup.texts(f"{SELECTOR}.{HOST}", dkim_record(key(0)))),
        "DKIM",
        f"our key is at {SELECTOR}.{HOST}, and nothing at {SELECTOR}",
        zone_line(SELECTOR, dkim_record(key(0))),
    ),
    "another key published": (
        lambda setup: setup.texts(SELECTOR, dkim_record(key(1))),
        "DKIM",
        f"{SELECTOR} holds another key than PBEM_DKIM_KEY",
        zone_line(SELECTOR, dkim_record(key(0))),
    ),
    "no PTR": (
        lambda setup: setup.zone.pop((PTR, "PTR")),
        "PTR",
        f"{OUT} has no name",
        "Ask who gave you the address for a PTR record.",
    ),
    "PTR that does not lead back": (
        lambda setup: setup.zone.update({(PTR, "PTR"): ["host7.isp.example"]}),
        "PTR",
        f"{OUT} is host7.isp.example, but host7.isp.example is not {OUT}",
        f"host7.isp.example. IN A {OUT}",
    ),
    "no SPF": (
        lambda setup: setup.texts(HOST, "some-site-verification=x"),
        "SPF",
        "no record: our letters look like anyone's",
        f'{HOST}. IN TXT "v=spf1 ip4:{OUT} -all"',
    ),
    "SPF without our address": (
        lambda setup: setup.texts(HOST, "v=spf1 ip4:198.51.100.7 -all"),
        "SPF",
        f"{OUT} gets fail, and letters seem to leave from there",
        f"Add ip4:{OUT} before the all",
    ),
    "no DMARC": (
        lambda setup: setup.zone.pop((DMARC, "TXT")),
        "DMARC",
        f"nothing at {DMARC}; large receivers ask for it",
        f'{DMARC}. IN TXT "v=DMARC1; p=quarantine',
    ),
    "DMARC reports that another domain does not take": (
        lambda setup: setup.zone.pop((f"{HOST}._report._dmarc.example.net", "TXT")),
        "reports",
        "none about our mail come to example.net until it publishes a record",
        f'{HOST}._report._dmarc.example.net. IN TXT "v=DMARC1"',
    ),
    "expired certificate of the site": (
        lambda setup: setattr(setup, "site_until", BEFORE),
        "web site",
        f"{HOST}: certificate has expired",
        f"A certificate for {HOST}",
    ),
    "expired certificate of the listeners": (
        lambda setup: setup.own("localhost", BEFORE),
        "",
        f"was good until {BEFORE:%Y-%m-%d}",
        "get a new one",
    ),
    "the site's certificate is for another name": (
        lambda setup: setattr(setup, "site_name", "other.example.org"),
        "web site",
        f"{HOST}: Hostname mismatch",
        f"A certificate for {HOST}",
    ),
    "the listeners' certificate is for another name": (
        lambda setup: setup.own("other.example.org"),
        "STARTTLS",
        "PBEM_TLS_CERT is for other.example.org, not for localhost",
        "A certificate for localhost",
    ),
    "MX missing": (
        lambda setup: setup.zone.pop((HOST, "MX")),
        "MX",
        "none: no mail can come in",
        f"{HOST}. IN MX 10 mail.{HOST}.",
    ),
    "MX elsewhere": (
        lambda setup: setattr(setup, "door", "554 5.7.1 relay access denied"),
        "MX",
        f"localhost takes no mail for play@{HOST}: 554 5.7.1 relay access denied",
        "Name your own mail server in the MX record",
    ),
    "nothing judges incoming mail": (
        lambda setup: setup.settings.pop("PBEM_AUTHSERV"),
        "From",
        "nothing of From is checked",
        "PBEM_AUTHSERV=NAME",
    ),
}  # fmt: skip


def test_a_whole_setup_has_no_fault(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [] == faults(setup, monkeypatch)


@pytest.mark.parametrize("broken", SETUPS)
def test_each_broken_setup_is_named_alone_with_what_to_do(
    broken: str, setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil, about, words, mend = SETUPS[broken]
    spoil(setup)
    named, found, advice = only(faults(setup, monkeypatch))
    assert (about, True, True) == (named, words in found, mend in advice), (found, advice)
