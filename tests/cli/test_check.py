"""`pbem check` on mail, with our own name server and relay."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.app import open_app
from pbem.cli import check
from pbem.cli.locks import single_instance
from pbem.config.load import config_from
from pbem.duties.outages import WORKER_HEARTBEAT, record_heartbeat
from pbem.mail.doctor.dns import Finding
from pbem.mail.outbound.dkim_sign import dkim_record, read_key
from pbem.mail.person.mailbox import new_mail
from pbem.store import game_counts, outages, outbox, outbox_delivery
from pbem.store.engine import open_store
from pbem.store.outbox import OutboundLetter
from tests.cli.program import migrate, started
from tests.cli.test_serve import env, pbem
from tests.databases import Postgres
from tests.e2e.relays import scripted_server
from tests.e2e.town import sink_server
from tests.mail.doctor.test_certificates import certificate
from tests.mail.zones import SERVFAIL, Zone, name_server
from tests.ports import free_port

__all__ = ["env"]

HOST = "games.example.org"


@pytest.fixture
def public(env: dict[str, str]) -> Iterator[dict[str, str]]:
    """Settings of a public server with a key and a working relay."""
    with sink_server() as (_sink, port):
        settings = {
            **env,
            "PBEM_HOST": HOST,
            "PBEM_SITE": "http://192.0.2.80",
            "PBEM_RELAY": f"smtp://127.0.0.1:{port}",
            "PBEM_DKIM_KEY": str(Path(env["PBEM_VAR"]) / "dkim.pem"),
        }
        pbem({**settings, "PBEM_DKIM_KEY": ""}, "dkim")
        migrate(settings)
        yield settings


def zone(settings: dict[str, str]) -> Zone:
    """Correct DNS records; the mail server is here, without a listener.

    Nobody answers on port 25 of this machine.
    """
    return {
        (HOST, "MX"): ["10 localhost"],
        ("localhost", "A"): ["203.0.113.25"],
        (HOST, "TXT"): ["v=spf1 mx -all"],
        (f"pbem._domainkey.{HOST}", "TXT"): [dkim_record(read_key(Path(settings["PBEM_DKIM_KEY"])))],
        (f"_dmarc.{HOST}", "TXT"): ["v=DMARC1; p=reject"],
        ("25.113.0.203.in-addr.arpa", "PTR"): ["localhost"],
    }


def levels(done: str) -> dict[str, str]:
    return {finding["about"]: finding["level"] for finding in json.loads(done)["mail"]}


@pytest.mark.parametrize("command", [["check"], ["games"], ["migrate"], ["backup", "b.tar.gz"], ["serve"]])
@pytest.mark.parametrize("spoiled", ["none", "torn"])
def test_a_damaged_database_is_named_with_what_to_do(
    env: dict[str, str], command: list[str], spoiled: str
) -> None:
    migrate(env)
    file = Path(env["PBEM_VAR"], "pbem.sqlite")
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = file.read_bytes()
    file.write_bytes(
        b"no database\n" * 99 if spoiled == "none" else whole[:100] + b"\xff" * (len(whole) - 100)
    )
    done = pbem(env, *command)
    assert (1, "") == (done.returncode, done.stdout)
    assert done.stderr.splitlines()[-1].startswith(f"{file} is damaged") and "Traceback" not in done.stderr
    assert "pbem restore FILE" in done.stderr


def test_where_nothing_is_wrong_the_exit_code_is_0_hints_or_not(public: dict[str, str]) -> None:
    with name_server(zone(public)) as port:
        done = pbem(public, "check", "--json", "--nameserver", f"127.0.0.1:{port}")
    told = levels(done.stdout)
    assert {"relay", "MX", "SPF", "DKIM", "DMARC", "PTR"} <= {
        about for about, each in told.items() if each == "ok"
    }
    assert {"MTA-STS", "TLS-RPT", "web site"} <= {about for about, each in told.items() if each == "hint"}
    assert 0 == done.returncode


@pytest.mark.parametrize(
    ("setting", "level", "words"),
    [
        ({}, "hint", "nothing of From is checked"),
        ({"PBEM_CHECK_DKIM": "on"}, "ok", "is checked here by DKIM and DMARC, not by SPF"),
        ({"PBEM_AUTHSERV": "mail.example.org"}, "ok", "is checked by mail.example.org"),
    ],
)
def test_whether_anything_of_from_is_checked_is_said_and_what_to_set(
    public: dict[str, str], setting: dict[str, str], level: str, words: str
) -> None:
    with name_server(zone(public)) as port:
        done = pbem(public | setting, "check", "--json", "--nameserver", f"127.0.0.1:{port}")
    (found,) = [finding for finding in json.loads(done.stdout)["mail"] if finding["about"] == "From"]
    assert level == found["level"]
    assert words in found["found"]
    assert ("PBEM_AUTHSERV" in found["mend"] and "PBEM_CHECK_DKIM=on" in found["mend"]) == (level == "hint")


def test_what_is_wrong_is_told_with_the_record_to_publish_and_exit_code_1(public: dict[str, str]) -> None:
    broken = {**zone(public), (f"pbem._domainkey.{HOST}", "TXT"): [], (HOST, "TXT"): SERVFAIL}
    with name_server(broken) as port:
        done = pbem(public, "check", "--nameserver", f"127.0.0.1:{port}")
    key = dkim_record(read_key(Path(public["PBEM_DKIM_KEY"])))
    assert 1 == done.returncode
    assert f"wrong  DKIM      nothing at pbem._domainkey.{HOST}" in done.stdout
    assert key[:200] in done.stdout
    assert "hint   SPF       DNS did not say: every name server failed (SERVFAIL)" in done.stdout
    assert done.stdout.endswith("Something is wrong.\n")


def test_on_a_terminal_the_findings_are_a_table_with_the_remedies_below_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "dumb")
    mend = f"{HOST}. IN TXT " + "v=spf1 mx -all " * 9
    wrong, good = Finding("wrong", "SPF", "no record", mend), Finding("ok", "MX", "10 mail", "")
    check._print_report({"games": 2, "queues": {}, "problems": []}, [wrong, good], True)
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "2 games played through again." and said[-1] == "Something is wrong."
    assert said[2].split("┃")[1:4] == ["       ", " Mail ", " Found     "]
    assert [line.split() for line in said[4:6]] == [
        ["│", "wrong", "│", "SPF", "│", "no", "record", "│"],
        ["│", "ok", "│", "MX", "│", "10", "mail", "│"],
    ]
    assert said[7:9] == ["SPF:", mend]


def test_offline_nobody_is_asked(public: dict[str, str]) -> None:
    done = pbem({**public, "PBEM_RELAY": f"smtp://127.0.0.1:{free_port()}"}, "check", "--json", "--offline")
    assert (0, []) == (done.returncode, json.loads(done.stdout)["mail"])


def test_check_says_why_a_game_is_not_offered_in_public_and_what_to_do(public: dict[str, str]) -> None:
    told = pbem(public, "check", "--offline").stdout
    assert "Bagel is not offered to the public. Phil Leduc keeps all rights" in " ".join(told.split())
    assert "Ask Phil Leduc; then set PBEM_GAMES=" in told and ",bagel" in told
    assert "Bagel" not in pbem({**public, "PBEM_GAMES": "bipod,bagel"}, "check", "--offline").stdout
    assert "Bagel" not in pbem({**public, "PBEM_GAMES": "bipod"}, "check", "--offline").stdout


def test_a_public_server_without_a_backup_of_the_last_eight_days_is_hinted_to_make_one(
    public: dict[str, str], tmp_path: Path
) -> None:
    def backup(settings: dict[str, str] = public) -> list[tuple[str, str]]:
        done = pbem(settings, "check", "--offline", "--json")
        assert 0 == done.returncode
        return [(found["level"], found["found"]) for found in json.loads(done.stdout)["backup"]]

    def made(days: int) -> datetime:
        moment = datetime.now(UTC).replace(microsecond=0) - timedelta(days=days)
        store = open_store(f"sqlite:///{public['PBEM_VAR']}/pbem.sqlite")
        with store.write() as db:
            outages.delete_heartbeats(db, {outages.BACKUP_HEARTBEAT})
            outages.record_heartbeat(db, outages.BACKUP_HEARTBEAT, moment)
        store.close()
        return moment

    assert [("hint", "none was made yet")] == backup()
    assert 0 == pbem(public, "backup", str(tmp_path / "b.tar.gz")).returncode
    assert ["ok"] == [level for level, _ in backup()]
    assert [("ok", f"the last is of {made(7):%Y-%m-%d %H:%M} UTC")] == backup()
    assert [("hint", f"the last is of {made(8):%Y-%m-%d}")] == backup()
    assert [] == backup({**public, "PBEM_HOST": "localhost", "PBEM_SITE": "http://localhost"})


def failing_letters(settings: dict[str, str]) -> None:
    """Three letters: refused by the relay, given up, and bounced."""
    store, now = open_store(f"sqlite:///{settings['PBEM_VAR']}/pbem.sqlite"), datetime.now(UTC)
    found = [
        OutboundLetter(f"k{n}", "chat", *(None,) * 4, "b@x", f"p{n}@x", f"<{n}@x>", b"raw") for n in range(3)
    ]
    with store.write() as db:
        outbox.put_in_outbox(db, found, now)
        outbox_delivery.record_delay(
            db, 1, now + timedelta(hours=1), "554 5.7.1 denied", outbox_delivery.RELAY
        )
        outbox_delivery.record_final_failure(db, 2, "451 later", outbox_delivery.LATE)
        outbox_delivery.record_final_failure(db, 3, "550 5.1.1 no such mailbox")
    store.close()


@pytest.mark.parametrize("what", ["--shunted", "--failed", "--bots"])
def test_where_there_is_nothing_to_retry_it_says_so(env: dict[str, str], what: str) -> None:
    migrate(env)
    done = pbem(env, "retry", what)
    assert (0, "There is nothing to retry.\n") == (done.returncode, done.stdout)


def test_letters_that_somebody_has_to_see_to_are_wrong_until_somebody_did(env: dict[str, str]) -> None:
    migrate(env)
    failing_letters(env)
    done = pbem(env, "check", "--offline")
    assert 1 == done.returncode
    assert "o2 was given up (451 later): pbem retry o2, or pbem retry --drop o2" in done.stdout
    assert "the relay refuses us, 1 letter waits: 554 5.7.1 denied: mend PBEM_RELAY" in done.stdout
    assert "o3" not in done.stdout
    assert "o2: dropped" in pbem(env, "retry", "--drop", "o2").stdout
    sent = pbem(env, "retry", "--failed")
    assert (0, "o1: sent\no3: sent\n") == (sent.returncode, sent.stdout)
    done = pbem(env, "check", "--offline")
    assert (0, True) == (done.returncode, done.stdout.endswith("All is well.\n"))


def test_a_letter_that_cannot_be_sent_again_is_told_from_one_that_can(env: dict[str, str]) -> None:
    migrate(env)
    failing_letters(env)
    pbem(env, "retry", "o2")
    for args, words in (
        (("o2",), "o2 was sent; there is nothing to do for it."),
        (("o9",), "There is no letter o9."),
        (("--drop", "m1"), "--drop is for no others"),
        (("x9",), "is no key of a mail, letter or game"),
        ((), "say --shunted, --failed or --bots"),
    ):
        done = pbem(env, "retry", *args)
        assert 0 != done.returncode
        assert words in done.stderr


def test_a_database_that_others_can_read_is_wrong(env: dict[str, str]) -> None:
    pbem(env, "migrate")
    path = Path(env["PBEM_VAR"]) / "pbem.sqlite"
    assert 0o600 == path.stat().st_mode & 0o777
    path.chmod(0o644)
    done = pbem(env, "check", "--offline")
    assert 1 == done.returncode
    assert f"others on this machine can read {path}: chmod 600 {path}*" in done.stdout


def test_a_secret_that_others_can_read_and_a_damaged_key_of_records_are_wrong(env: dict[str, str]) -> None:
    pbem(env, "migrate")
    (secret := Path(env["PBEM_VAR"]) / "secret").chmod(0o644)
    (key := Path(env["PBEM_VAR"]) / "record.key").write_text("nothing")
    done = pbem(env, "check", "--offline")
    assert 1 == done.returncode
    assert f"others on this machine can read {secret}: chmod 600 {secret}" in done.stdout
    assert f"{key} holds no Ed25519 key in PEM: bring it back from a backup." in done.stdout


@pytest.mark.parametrize(
    ("days", "other_key", "told"),
    [
        (9, False, ""),
        (-1, False, "was good until "),
        (9, True, "PBEM_TLS_CERT and PBEM_TLS_KEY cannot be used"),
    ],
)
def test_a_certificate_of_our_own_that_nobody_can_use_is_wrong(
    env: dict[str, str], tmp_path: Path, days: int, other_key: bool, told: str
) -> None:
    migrate(env)
    until = datetime.now(UTC) + timedelta(days=days)
    cert, other = (certificate(tmp_path, name, until) for name in ("one.test", "two.test"))
    more = {"PBEM_TLS_CERT": str(cert), "PBEM_TLS_KEY": str(other if other_key else cert)}
    done = pbem({**env, **more}, "check", "--offline")
    assert (1 if told else 0) == done.returncode, done.stdout
    assert told in " ".join(done.stdout.split())
    if other_key:
        assert 2 == pbem({**env, **more}, "mail").returncode


def test_a_restore_that_is_told_of_begins_an_epoch(env: dict[str, str]) -> None:
    migrate(env)
    first, second = (pbem(env, "restored").stdout for _ in range(2))
    assert "Letters bear the epoch" in first
    assert first != second


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
    migrate(env)
    with scripted_server() as server:
        server.script |= script
        relay = f"smtp://127.0.0.1:{server.server_address[1]}"
        done = pbem({**env, "PBEM_RELAY": relay}, "check")
    assert 1 == done.returncode
    assert f"wrong  relay     {relay}: {words}" in done.stdout


def test_a_password_is_not_shown_and_not_sent_in_the_clear(env: dict[str, str]) -> None:
    migrate(env)
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
    for wrong in ("here:there", "nonsense", "nonsense:53", ""):
        done = pbem(env, "check", "--nameserver", wrong)
        assert (2, True) == (done.returncode, "write an address such as 192.0.2.53" in done.stderr)


@pytest.mark.parametrize(
    ("text", "server"),
    [("192.0.2.53", ("192.0.2.53", 53)), ("2001:db8::1", ("2001:db8::1", 53)), ("[::1]:5353", ("::1", 5353))],
)
def test_a_name_server_has_an_address_and_may_have_a_port(text: str, server: tuple[str, int]) -> None:
    found = check._name_server(text)
    assert server == (found.host, found.port)


def test_games_counted_wrongly_are_said_and_counted_anew(public: dict[str, str]) -> None:
    store = open_store(f"sqlite:///{Path(public['PBEM_VAR']) / 'pbem.sqlite'}")
    with store.write() as db:
        game_counts.record_outcome(db, "bipod", None, "running")
    store.close()
    done = pbem(public, "check", "--offline")
    assert 1 == done.returncode
    assert "pbem check --recount" in done.stdout
    assert 0 == pbem(public, "check", "--offline", "--recount").returncode
    assert 0 == pbem(public, "check", "--offline").returncode


def test_check_and_the_log_name_an_own_html_template_that_cannot_be_used(
    public: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "turn.html").write_text('{% include "mail/_board.html" %}')
    done = pbem({**public, "PBEM_TEMPLATES": str(tmp_path)}, "check", "--offline", "--json")
    fault = (
        f"{tmp_path}/mail/turn.html is not used: there is no mail/_board.html (docs/build/letters.md, Looks)"
    )
    assert [fault] == json.loads(done.stdout)["problems"]
    assert fault in done.stderr
    assert 1 == done.returncode


def test_a_worker_that_stopped_two_minutes_ago_is_missed(env: dict[str, str]) -> None:
    migrate(env)
    assert "no worker" not in pbem(env, "check", "--offline").stdout
    store = open_store(f"sqlite:///{Path(env['PBEM_VAR']) / 'pbem.sqlite'}")
    with store.write() as db:
        outages.record_heartbeat(db, WORKER_HEARTBEAT, datetime.now(UTC) - timedelta(minutes=2))
    store.close()
    done = pbem(env, "check", "--offline")
    assert (1, 1) == (done.returncode, done.stdout.count("no worker is at work since"))


def findings(env: dict[str, str], about: str) -> list[str]:
    """What `pbem check` finds on the database, of one kind."""
    found = json.loads(pbem(env, "check", "--offline", "--json").stdout)["database"]
    assert {each["level"] for each in found if each["about"] == about} <= {"hint"}
    return [each["found"] for each in found if each["about"] == about]


def test_another_secret_than_that_of_the_newest_letter_is_said(env: dict[str, str]) -> None:
    migrate(env)
    assert "secret" not in pbem(env, "check", "--offline").stdout, "no letter yet"
    mail = new_mail("bill@example.org", "play@localhost", "register Bill")
    pbem(env, "receive", "-f", "bill@example.org", "play@localhost", stdin=mail)
    pbem(env, "retry", "m1")
    assert 0 == pbem(env, "check", "--offline").returncode
    assert 0 == pbem({**env, "PBEM_DELIMITER": "-"}, "check", "--offline").returncode
    pbem(env, "rotate")
    assert 0 == pbem(env, "check", "--offline").returncode, "the secret before signed it"
    done = pbem({**env, "PBEM_SECRET": "x" * 32}, "check", "--offline")
    assert (1, True) == (done.returncode, "signed with another secret" in done.stdout)
    assert "PBEM_SECRET as it was" in done.stdout
    for _ in range(3):
        pbem(env, "rotate")
    done = pbem(env, "check", "--offline")
    assert (0, True) == (done.returncode, "Three rotations do that" in done.stdout), "it was meant"


def test_a_worker_apart_on_sqlite_is_hinted_at_and_one_of_serve_is_not(env: dict[str, str]) -> None:
    migrate(env)
    app = open_app(config_from(env))
    assert [] == findings(env, "processes")
    record_heartbeat(app)
    assert [] == findings(env, "processes"), "a heartbeat of a server that has stopped"
    with started(["work"], env) as worker:
        assert worker.stdout.readline().startswith("Working.")
        (found,) = findings(env, "processes")
        assert "pbem work runs without pbem serve on SQLite" in found
        with single_instance(app.config):
            assert [] == findings(env, "processes")
    app.close()


def test_a_postgresql_that_may_lose_acknowledged_mail_is_hinted_at(
    env: dict[str, str], postgresql_url: str, postgres: Postgres
) -> None:
    env |= {"PBEM_DATABASE": postgresql_url, "PBEM_SECRET": "s" * 32}
    found = findings(env, "commits")
    assert ["fsync", "full_page_writes", "synchronous_commit"] == [words.split()[0] for words in found]
    assert [] == findings(env, "processes")
    durable = f"{postgresql_url}&options=-csynchronous_commit%3Don"
    assert 2 == len(findings(env | {"PBEM_DATABASE": durable}, "commits"))
