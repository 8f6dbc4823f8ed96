"""`pbem check` on the mail set-up, as an operator runs it: against a name server and a relay of our own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.mail.signing import read_key, record
from pbem.store import tallies
from pbem.store.engine import open_store
from tests.commands.test_running import env, pbem
from tests.e2e.relays import scripted_server
from tests.e2e.town import sink_server
from tests.mail.zones import SERVFAIL, Zone, name_server
from tests.ports import free_port

__all__ = ["env"]

HOST = "games.example.org"


@pytest.fixture
def public(env: dict[str, str]) -> Iterator[dict[str, str]]:
    """The settings of a server with a public name, a key and a relay that answers."""
    with sink_server() as (_sink, port):
        settings = {
            **env,
            "PBEM_HOST": HOST,
            "PBEM_SITE": "http://192.0.2.80",
            "PBEM_RELAY": f"smtp://127.0.0.1:{port}",
            "PBEM_DKIM_KEY": str(Path(env["PBEM_VAR"]) / "dkim.pem"),
        }
        pbem({**settings, "PBEM_DKIM_KEY": ""}, "dkim")
        pbem(settings, "migrate")
        yield settings


def zone(settings: dict[str, str]) -> Zone:
    """What DNS should say; its mail server is this machine, where nobody answers on port 25."""
    return {
        (HOST, "MX"): ["10 localhost"],
        ("localhost", "A"): ["203.0.113.25"],
        (HOST, "TXT"): ["v=spf1 mx -all"],
        (f"pbem._domainkey.{HOST}", "TXT"): [record(read_key(Path(settings["PBEM_DKIM_KEY"])))],
        (f"_dmarc.{HOST}", "TXT"): ["v=DMARC1; p=reject"],
        ("25.113.0.203.in-addr.arpa", "PTR"): ["localhost"],
    }


def levels(done: str) -> dict[str, str]:
    return {finding["about"]: finding["level"] for finding in json.loads(done)["mail"]}


def test_where_nothing_is_wrong_the_exit_code_is_0_hints_or_not(public: dict[str, str]) -> None:
    with name_server(zone(public)) as port:
        done = pbem(public, "check", "--json", "--nameserver", f"127.0.0.1:{port}")
    told = levels(done.stdout)
    assert {"relay", "MX", "SPF", "DKIM", "DMARC", "PTR"} <= {
        about for about, each in told.items() if each == "ok"
    }
    assert {"MTA-STS", "TLS-RPT", "web site"} <= {about for about, each in told.items() if each == "hint"}
    assert 0 == done.returncode


def test_what_is_wrong_is_told_with_the_record_to_publish_and_exit_code_1(public: dict[str, str]) -> None:
    broken = {**zone(public), (f"pbem._domainkey.{HOST}", "TXT"): [], (HOST, "TXT"): SERVFAIL}
    with name_server(broken) as port:
        done = pbem(public, "check", "--nameserver", f"127.0.0.1:{port}")
    key = record(read_key(Path(public["PBEM_DKIM_KEY"])))
    assert 1 == done.returncode
    assert f"wrong  DKIM      nothing at pbem._domainkey.{HOST}" in done.stdout
    assert key[:200] in done.stdout
    assert "hint   SPF       DNS did not say: every name server failed (SERVFAIL)" in done.stdout
    assert done.stdout.endswith("Something is wrong.\n")


def test_offline_nobody_is_asked(public: dict[str, str]) -> None:
    done = pbem({**public, "PBEM_RELAY": f"smtp://127.0.0.1:{free_port()}"}, "check", "--json", "--offline")
    assert (0, []) == (done.returncode, json.loads(done.stdout)["mail"])


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ({"greeting": "554 no service"}, "554 no service"),
        ({"EHLO": "550 x", "HELO": "550 not you"}, "550 not you"),
    ],
)
def test_a_relay_that_does_not_take_us_is_wrong(
    env: dict[str, str], script: dict[str, str], words: str
) -> None:
    pbem(env, "migrate")
    with scripted_server() as server:
        server.script |= script
        relay = f"smtp://127.0.0.1:{server.server_address[1]}"
        done = pbem({**env, "PBEM_RELAY": relay}, "check")
    assert 1 == done.returncode
    assert f"wrong  relay     {relay}: {words}" in done.stdout


def test_a_password_is_not_shown_and_not_sent_in_the_clear(env: dict[str, str]) -> None:
    pbem(env, "migrate")
    with scripted_server() as server:
        port = server.server_address[1]
        done = pbem({**env, "PBEM_RELAY": f"smtp://bill:xyzzy@127.0.0.1:{port}"}, "check")
    assert f"smtp://bill:***@127.0.0.1:{port}: 127.0.0.1 offers no STARTTLS" in done.stdout
    assert "xyzzy" not in done.stdout + done.stderr


def test_a_key_that_others_can_read_is_wrong(public: dict[str, str]) -> None:
    Path(public["PBEM_DKIM_KEY"]).chmod(0o644)
    with name_server(zone(public)) as port:
        done = pbem(public, "check", "--nameserver", f"127.0.0.1:{port}")
    assert 1 == done.returncode
    assert f"chmod 600 {public['PBEM_DKIM_KEY']}" in done.stdout


def test_a_name_server_that_is_misspelt_is_wrong_usage(env: dict[str, str]) -> None:
    assert 2 == pbem(env, "check", "--nameserver", "here:there").returncode


def test_games_counted_wrongly_are_said_and_counted_anew(public: dict[str, str]) -> None:
    store = open_store(f"sqlite:///{Path(public['PBEM_VAR']) / 'pbem.sqlite'}")
    with store.write() as db:
        tallies.note(db, "bipod", None, "running")
    store.close()
    done = pbem(public, "check", "--offline")
    assert 1 == done.returncode
    assert "pbem check --recount" in done.stdout
    assert 0 == pbem(public, "check", "--offline", "--recount").returncode
    assert 0 == pbem(public, "check", "--offline").returncode
