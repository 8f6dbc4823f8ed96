"""`/status` and `/metrics`, for monitoring."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from flask.testing import FlaskClient

from pbem import __version__
from pbem.actions.outages import record_heartbeat
from pbem.app import App
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import new_mail
from pbem.outbox.send import send_due
from pbem.store import games
from pbem.web import create_app
from tests.backup.servers import save
from tests.web.library import a_short_game, begin


def test_all_is_well_where_nothing_waits(client: FlaskClient) -> None:
    answer = client.get("/status")
    assert (200, "no-store") == (answer.status_code, answer.headers["Cache-Control"])
    assert answer.json == {
        "status": "ok",
        "database": "ok",
        "oldest_unfiled_mail_s": None,
        "oldest_unsent_letter_s": None,
        "backup_age_s": None,
        "mails": {"new": 0, "shunted": 0},
        "letters": {"queued": 0, "failed": 0, "refused": 0, "given_up": 0},
        "bots": {"games_put_aside": 0, "jobs_failed": 0},
    }


def test_the_age_of_the_last_backup_is_told(app: App, client: FlaskClient, tmp_path: Path) -> None:
    save(replace(app, clock=lambda: app.clock() - timedelta(hours=2)), {}, tmp_path / "b.tar.gz")
    assert 7200 == (client.get("/status").json or {})["backup_age_s"]


def test_a_browser_can_ask_what_time_it_is_here(client: FlaskClient) -> None:
    answer = client.get("/now")
    assert ("2026-03-31T12:00:00Z", "no-store") == (answer.text, answer.headers["Cache-Control"])


def test_a_mail_that_waits_longer_than_ten_minutes_turns_it_red(app: App) -> None:
    receive(
        app,
        new_mail("bill@example.org", "play@pbem.example.org", "help"),
        "bill@example.org",
        ["play@pbem.example.org"],
    )
    for minutes, expected in ((10, (200, "ok", 600)), (11, (503, "late", 660))):
        later = app.clock() + timedelta(minutes=minutes)
        answer = create_app(replace(app, clock=lambda later=later: later)).test_client().get("/status")  # type: ignore[misc]
        facts = answer.json or {}
        assert expected == (answer.status_code, facts["status"], facts["oldest_unfiled_mail_s"])


def test_only_what_is_not_done_with_is_counted(at_home: App, home: FlaskClient) -> None:
    def write(words: str) -> None:
        receive(
            at_home,
            new_mail("new@example.org", "play@localhost", words),
            "new@example.org",
            ["play@localhost"],
        )

    write("register Nina")
    work_through(at_home)
    write("help")
    facts = home.get("/status").json or {}
    none = {"queued": 0, "failed": 0, "refused": 0, "given_up": 0}
    assert ({"new": 1, "shunted": 0}, {**none, "queued": 1}) == (facts["mails"], facts["letters"])
    send_due(at_home)
    assert none == (home.get("/status").json or {})["letters"]


# /metrics.


def metrics(client: FlaskClient) -> dict[str, float]:
    """Samples by name and labels, each announced first (Prometheus's text format)."""
    answer = client.get("/metrics")
    assert (200, "no-store") == (answer.status_code, answer.headers["Cache-Control"])
    assert "text/plain; version=0.0.4; charset=utf-8" == answer.headers["Content-Type"]
    found, announced = {}, set()
    for line in answer.text.splitlines():
        if kind := re.fullmatch(r"# TYPE (\w+) (?:gauge|counter)", line):
            announced.add(kind[1])
        elif not re.fullmatch(r"# HELP \w+ [^\\]+", line):
            sample = re.fullmatch(r'((\w+)(?:\{\w+="[^"\\]*"\})?) (\d+)', line)
            assert sample is not None and sample[2] in announced, line
            found[sample[1]] = float(sample[3])
    return found


def test_an_empty_server_counts_nothing(client: FlaskClient) -> None:
    found = metrics(client)
    assert 1 == found.pop(f'pbem_version_info{{version="{__version__}"}}')
    assert {0} == set(found.values())
    assert "pbem_clock_age_seconds" not in found  # no clock has ever run


def test_what_becomes_of_mails_is_counted_and_what_waits_is_aged(at_home: App, home: FlaskClient) -> None:
    door = "play@localhost"
    for words in ("register Nina", "hello there"):
        receive(at_home, new_mail("new@example.org", door, words), "new@example.org", [door])
    work_through(at_home)
    record_heartbeat(at_home)
    raw = new_mail("other@example.org", door, "help")
    for _ in range(2):  # the second is a duplicate
        receive(at_home, raw, "other@example.org", [door])
    app = replace(at_home, clock=lambda: at_home.clock() + timedelta(minutes=11))
    found = metrics(create_app(app).test_client())
    assert (1, 660) == (found['pbem_mails{state="new"}'], found["pbem_oldest_unfiled_mail_seconds"])
    outcomes = {name: n for name, n in found.items() if name.startswith("pbem_newest_mails") and n}
    seen = {
        f'pbem_newest_mails{{outcome="{state}"}}': 1 for state in ("new", "done", "stranger", "duplicate")
    }
    assert seen == outcomes
    assert 4 <= found["pbem_mails_total"] <= 5  # databases may skip a number
    assert 660 == found["pbem_clock_age_seconds"]
    assert (1, 660) == (found['pbem_letters{state="queued"}'], found["pbem_oldest_unsent_letter_seconds"])


def test_games_that_wait_for_the_clock_are_counted(app: App, client: FlaskClient) -> None:
    game = begin(app)
    a_short_game(app)
    assert 0 == metrics(client)["pbem_due_games"]
    with app.store.write() as db:
        games.set_next_check(db, game.id, app.now())
    found = metrics(client)
    assert (1, 1, 1, 2) == (
        found["pbem_due_games"],
        found['pbem_games{state="running"}'],
        found['pbem_games{state="finished"}'],
        found["pbem_games_total"],
    )
