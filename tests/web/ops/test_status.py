"""`/status`, `/healthz` and `/readyz`, for monitoring."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from flask.testing import FlaskClient
from sqlalchemy import text

from pbem.app import App
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import new_mail
from pbem.outbox.send import send_due
from pbem.web import create_app


def test_all_is_well_where_nothing_waits(client: FlaskClient) -> None:
    answer = client.get("/status")
    assert (200, "no-store") == (answer.status_code, answer.headers["Cache-Control"])
    assert answer.json == {
        "status": "ok",
        "database": "ok",
        "oldest_unfiled_mail_s": None,
        "oldest_unsent_letter_s": None,
        "mails": {"new": 0, "shunted": 0},
        "letters": {"queued": 0, "failed": 0, "refused": 0, "given_up": 0},
        "bots": {"games_put_aside": 0, "jobs_failed": 0},
    }


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


# /healthz and /readyz.


def test_a_process_answers_while_its_database_is_missing_or_old(app: App, client: FlaskClient) -> None:
    assert [200, 200] == [client.get(path).status_code for path in ("/healthz", "/readyz")]
    with app.store.write() as db:
        db.execute(text("UPDATE alembic_version SET version_num = '0030'"))
    old = client.get("/readyz")
    assert (503, True) == (old.status_code, "run pbem migrate" in old.text)
    assert (200, "ok\n") == (client.get("/healthz").status_code, client.get("/healthz").text)
