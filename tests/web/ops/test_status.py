"""`/status`, `/healthz` and `/readyz`, for monitoring."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from flask.testing import FlaskClient
from sqlalchemy import text

from pbem.app import App
from pbem.duties import health
from pbem.duties.outages import record_heartbeat
from pbem.inbox.process import work_through
from pbem.inbox.put_aside import put_aside
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import new_mail
from pbem.outbox.send import send_due
from pbem.store import games, restores
from pbem.web import create_app
from tests.backup.servers import save
from tests.web.library import begin


def test_all_is_well_where_nothing_waits(client: FlaskClient) -> None:
    answer = client.get("/status")
    assert (200, "no-store") == (answer.status_code, answer.headers["Cache-Control"])
    assert answer.json == {
        "status": "ok",
        "needs": [],
        "database": "ok",
        "worker_silent_s": None,
        "oldest_unfiled_mail_s": None,
        "oldest_unsent_letter_s": None,
        "backup_age_s": None,
        "mails": {"new": 0, "shunted": 0},
        "letters": {"queued": 0, "failed": 0, "refused": 0, "given_up": 0},
        "refused_by_policy": 0,
        "put_off": {},
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


def status(app: App, **named: object) -> tuple[int, str, list[str]]:
    answer = create_app(replace(app, **named)).test_client().get("/status")  # type: ignore[arg-type]
    assert answer.json is not None
    return answer.status_code, answer.json["status"], answer.json["needs"]


def test_a_worker_that_is_silent_for_a_minute_turns_it_red(app: App) -> None:
    record_heartbeat(app)
    for seconds, expected in ((55, (200, "ok", [])), (56, (503, "failing", ["worker_silent"]))):
        later = app.clock() + timedelta(seconds=seconds)
        assert expected == status(app, clock=lambda later=later: later)


def test_a_worker_is_not_missed_before_it_began_nor_after_a_restore(app: App) -> None:
    record_heartbeat(app)
    a_day_later = replace(app, clock=lambda: app.clock() + timedelta(days=1))
    assert ["worker_silent"] == status(a_day_later)[2]
    with app.store.write() as db:
        restores.record_restore(db, a_day_later.now())
    assert [] == status(a_day_later)[2]


def test_a_disk_that_is_nearly_full_turns_it_red(app: App) -> None:
    for free, needs in ((health.LOW_DISK, []), (health.LOW_DISK - 1, ["disk_low"])):
        assert needs == status(app, free_bytes=lambda _, free=free: free)[2]


def test_a_game_that_the_clock_does_not_look_at_turns_it_red(app: App) -> None:
    game = begin(app)
    record_heartbeat(app)
    with app.store.write() as db:
        games.set_next_check(db, game.id, app.now() - timedelta(minutes=10))
    assert (200, "ok", []) == status(app)
    with app.store.write() as db:
        games.set_next_check(db, game.id, app.now() - timedelta(minutes=11))
    assert (503, "late", ["clock_late"]) == status(app)


def test_a_mail_that_was_put_aside_turns_it_red(app: App) -> None:
    raw = new_mail("bill@example.org", "play@pbem.example.org", "help")
    (key,) = receive(app, raw, "bill@example.org", ["play@pbem.example.org"])
    put_aside(app, int(str(key).lstrip("m")), "a fault")
    assert (503, "failing", ["mails_put_aside"]) == status(app)


# /healthz and /readyz.


def test_a_process_answers_while_its_database_is_missing_or_old(app: App, client: FlaskClient) -> None:
    assert [200, 200] == [client.get(path).status_code for path in ("/healthz", "/readyz")]
    with app.store.write() as db:
        db.execute(text("UPDATE alembic_version SET version_num = '0036'"))
    old = client.get("/readyz")
    assert (503, True) == (old.status_code, "run pbem migrate" in old.text)
    assert (200, "ok\n") == (client.get("/healthz").status_code, client.get("/healthz").text)
