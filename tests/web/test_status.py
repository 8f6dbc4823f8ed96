"""`/status`: what machines that watch are told."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from flask.testing import FlaskClient

from pbem.office import Office
from pbem.postoffice import receive, send_due, work_through
from pbem.town import fresh
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
        "letters": {"queued": 0, "failed": 0},
    }


def test_a_mail_that_waits_longer_than_ten_minutes_turns_it_red(office: Office) -> None:
    receive(
        office,
        fresh("bill@example.org", "play@pbem.example.org", "help"),
        "bill@example.org",
        ["play@pbem.example.org"],
    )
    for minutes, expected in ((10, (200, "ok", 600)), (11, (503, "late", 660))):
        later = office.clock() + timedelta(minutes=minutes)
        answer = create_app(replace(office, clock=lambda later=later: later)).test_client().get("/status")  # type: ignore[misc]
        facts = answer.json or {}
        assert expected == (answer.status_code, facts["status"], facts["oldest_unfiled_mail_s"])


def test_only_what_is_not_done_with_is_counted(at_home: Office, home: FlaskClient) -> None:
    def write(words: str) -> None:
        receive(
            at_home, fresh("new@example.org", "play@localhost", words), "new@example.org", ["play@localhost"]
        )

    write("register Nina")
    work_through(at_home)
    write("help")
    facts = home.get("/status").json or {}
    assert ({"new": 1, "shunted": 0}, {"queued": 1, "failed": 0}) == (facts["mails"], facts["letters"])
    send_due(at_home)
    assert {"queued": 0, "failed": 0} == (home.get("/status").json or {})["letters"]
