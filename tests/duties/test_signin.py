"""Sign-in links: sent once, to the right address, despite crashes. All run on both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.app import App
from pbem.core.errors import Refusal
from pbem.duties import signin
from pbem.inbox.dispatch import run_commands
from pbem.store import limits, players, sessions
from pbem.worker.retention import purge
from tests.apps import Clock, letters, player
from tests.people import NOON

BILL, WORK = "bill@example.org", "bill@work.example"


@pytest.fixture
def app(app: App) -> App:
    with app.store.write() as db:
        bill = players.add_player(db, "Bill", BILL, NOON)
        players.add_address(db, bill, WORK, NOON)
    return app


def link(app: App) -> str:
    signin.request_link(app, "Bill")
    signin.send_links(app)
    text = letters(app, BILL)[-1].text
    return text.partition("/settings/in/")[2].split()[0]


def test_the_letter_goes_where_letters_go_whichever_address_was_typed(app: App) -> None:
    signin.request_link(app, WORK)
    assert 1 == signin.send_links(app)
    assert (1, 0) == (len(letters(app, BILL)), len(letters(app, WORK)))


def test_nobody_is_written_to_twice_for_one_wish_though_the_server_dies_on_the_way(app: App) -> None:
    class Crash(BaseException):
        pass

    def crash(step: str) -> None:
        if step == "signin":
            raise Crash

    signin.request_link(app, "Bill")
    with pytest.raises(Crash):
        signin.send_links(replace(app, step=crash))
    assert [] == letters(app, BILL)
    assert (1, 0) == (signin.send_links(app), signin.send_links(app))
    assert 1 == len(letters(app, BILL))


@pytest.mark.each_database
def test_of_two_who_use_a_link_at_once_one_is_signed_in(app: App) -> None:
    secret = link(app)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: signin.sign_in(app, secret, ""), range(4)))
    assert 1 == len([each for each in found if each])


def test_a_link_from_before_renewed_addresses_is_void(app: App) -> None:
    secret = link(app)
    with app.store.write() as db:
        players.revoke_addresses(db, player(app, "Bill"))
    assert signin.sign_in(app, secret, "") is None


def test_a_session_knows_whose_it_is_until_it_is_over(app: App, clock: Clock) -> None:
    session = signin.sign_in(app, link(app), "")
    assert session is not None
    with app.store.read() as db:
        found = sessions.session_player(db, session, app.now())
        assert (found.name if found else None) == "Bill"
        assert sessions.session_player(db, session, app.now() + signin.SESSION_LASTS) is None
        assert sessions.session_player(db, session.upper(), app.now()) is None


def test_visits_of_long_ago_are_forgotten(app: App, clock: Clock) -> None:
    signin.sign_in(app, link(app), "")
    with app.store.write() as db:
        limits.count_attempt(db, "signin:somebody", app.now(), timedelta(hours=1))
    clock.pass_by(days=34)
    assert 3 <= purge(app)["rows"]


def test_a_tally_begins_anew_when_its_window_is_over(app: App, clock: Clock) -> None:
    counted = []
    for minutes in (0, 10, 49, 1, 30):
        clock.pass_by(minutes=minutes)
        with app.store.write() as db:
            counted.append(limits.count_attempt(db, "x", app.now(), timedelta(hours=1)))
    assert [1, 2, 3, 1, 2] == counted


@pytest.mark.each_database
def test_several_processes_count_one_tally(app: App) -> None:
    def count(_: int) -> int:
        with app.store.write() as db:
            return limits.count_attempt(db, "x", app.now(), timedelta(hours=1))

    with ThreadPoolExecutor(4) as pool:
        assert list(range(1, 13)) == sorted(pool.map(count, range(12)))


def test_all_that_one_form_asks_for_is_done_or_nothing(app: App) -> None:
    with pytest.raises(Refusal):
        run_commands(app, player(app, "Bill"), [("set", "format text"), ("set", "zone Berln")])
    assert "both" == player(app, "Bill").preferences.format
    run_commands(app, player(app, "Bill"), [("set", "format text"), ("set", "zone Berlin")])
    assert ("text", "Europe/Berlin") == (
        player(app, "Bill").preferences.format,
        player(app, "Bill").preferences.zone,
    )


def test_no_link_and_no_session_is_written_down(app: App, caplog: pytest.LogCaptureFixture) -> None:
    """Every logger is at DEBUG; a page fails with a secret path."""
    from pbem.web import create_app

    caplog.set_level("DEBUG")
    secret = link(app)
    client = create_app(app).test_client()
    client.get(f"/settings/in/{secret}")
    client.post(f"/settings/in/{secret}")
    session = signin.sign_in(app, secret, "")
    assert session is not None
    client.set_cookie("pbem_session", session, domain="127.0.0.1")
    assert "Sign out" in client.get("/settings").text
    with app.store.write() as db:
        db.exec_driver_sql("DROP TABLE signins")
    assert 500 == client.get(f"/settings/in/{secret}").status_code
    assert "a page failed" in caplog.text
    assert secret not in caplog.text
    assert session not in caplog.text


def test_a_link_that_a_player_pastes_into_a_mail_is_blanked(app: App) -> None:
    from pbem.core.redact import without_secrets

    secret = link(app)
    for text in (f"http://127.0.0.1:8000/settings/in/{secret}", f"GET /settings/in/{secret} HTTP/1.1"):
        assert secret not in without_secrets(text)
