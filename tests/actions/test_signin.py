"""Sign-in links: sent once, to the right address, despite crashes. All run on both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.actions import signin
from pbem.app import Office
from pbem.core.errors import Refusal
from pbem.inbox.web_commands import obey
from pbem.store import players, rate_limits, sessions
from pbem.worker.retention import purge
from tests.apps import Clock, letters, player
from tests.people import NOON

BILL, WORK = "bill@example.org", "bill@work.example"


@pytest.fixture
def office(office: Office) -> Office:
    with office.store.write() as db:
        bill = players.add(db, "Bill", BILL, NOON)
        players.add_address(db, bill, WORK, NOON)
    return office


def link(office: Office) -> str:
    signin.ask(office, "Bill")
    signin.send_links(office)
    text = letters(office, BILL)[-1].text
    return text.partition("/settings/in/")[2].split()[0]


def test_the_letter_goes_where_letters_go_whichever_address_was_typed(office: Office) -> None:
    signin.ask(office, WORK)
    assert 1 == signin.send_links(office)
    assert (1, 0) == (len(letters(office, BILL)), len(letters(office, WORK)))


def test_nobody_is_written_to_twice_for_one_wish_though_the_server_dies_on_the_way(office: Office) -> None:
    class Crash(BaseException):
        pass

    def crash(step: str) -> None:
        if step == "signin":
            raise Crash

    signin.ask(office, "Bill")
    with pytest.raises(Crash):
        signin.send_links(replace(office, step=crash))
    assert [] == letters(office, BILL)
    assert (1, 0) == (signin.send_links(office), signin.send_links(office))
    assert 1 == len(letters(office, BILL))


@pytest.mark.each_database
def test_of_two_who_use_a_link_at_once_one_is_signed_in(office: Office) -> None:
    secret = link(office)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: signin.sign_in(office, secret, ""), range(4)))
    assert 1 == len([each for each in found if each])


def test_a_link_from_before_renewed_addresses_is_void(office: Office) -> None:
    secret = link(office)
    with office.store.write() as db:
        players.revoke(db, player(office, "Bill"))
    assert signin.sign_in(office, secret, "") is None


def test_a_session_knows_whose_it_is_until_it_is_over(office: Office, clock: Clock) -> None:
    session = signin.sign_in(office, link(office), "")
    assert session is not None
    with office.store.read() as db:
        found = sessions.whose(db, session, office.now())
        assert (found.name if found else None) == "Bill"
        assert sessions.whose(db, session, office.now() + signin.SESSION_LASTS) is None
        assert sessions.whose(db, session.upper(), office.now()) is None


def test_visits_of_long_ago_are_forgotten(office: Office, clock: Clock) -> None:
    signin.sign_in(office, link(office), "")
    with office.store.write() as db:
        rate_limits.count(db, "signin:somebody", office.now(), timedelta(hours=1))
    clock.pass_by(days=34)
    assert 3 <= purge(office).rows


def test_a_tally_begins_anew_when_its_window_is_over(office: Office, clock: Clock) -> None:
    counted = []
    for minutes in (0, 10, 49, 1, 30):
        clock.pass_by(minutes=minutes)
        with office.store.write() as db:
            counted.append(rate_limits.count(db, "x", office.now(), timedelta(hours=1)))
    assert [1, 2, 3, 1, 2] == counted


@pytest.mark.each_database
def test_several_processes_count_one_tally(office: Office) -> None:
    def count(_: int) -> int:
        with office.store.write() as db:
            return rate_limits.count(db, "x", office.now(), timedelta(hours=1))

    with ThreadPoolExecutor(4) as pool:
        assert list(range(1, 13)) == sorted(pool.map(count, range(12)))


def test_all_that_one_form_asks_for_is_done_or_nothing(office: Office) -> None:
    with pytest.raises(Refusal):
        obey(office, player(office, "Bill"), [("set", "format text"), ("set", "zone Berln")])
    assert "both" == player(office, "Bill").wishes.format
    obey(office, player(office, "Bill"), [("set", "format text"), ("set", "zone Berlin")])
    assert ("text", "Europe/Berlin") == (
        player(office, "Bill").wishes.format,
        player(office, "Bill").wishes.zone,
    )


def test_no_link_and_no_session_is_written_down(office: Office, caplog: pytest.LogCaptureFixture) -> None:
    """Every logger is at DEBUG; a page fails with a secret path."""
    from pbem.web import create_app

    caplog.set_level("DEBUG")
    secret = link(office)
    client = create_app(office).test_client()
    client.get(f"/settings/in/{secret}")
    client.post(f"/settings/in/{secret}")
    session = signin.sign_in(office, secret, "")
    assert session is not None
    client.set_cookie("pbem_session", session)
    assert "Sign out" in client.get("/settings").text
    with office.store.write() as db:
        db.exec_driver_sql("DROP TABLE signins")
    assert 500 == client.get(f"/settings/in/{secret}").status_code
    assert "a page failed" in caplog.text
    assert secret not in caplog.text
    assert session not in caplog.text


def test_a_link_that_a_player_pastes_into_a_mail_is_blanked(office: Office) -> None:
    from pbem.core.redact import without_secrets

    secret = link(office)
    for text in (f"http://127.0.0.1:8000/settings/in/{secret}", f"GET /settings/in/{secret} HTTP/1.1"):
        assert secret not in without_secrets(text)
