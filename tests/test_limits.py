"""How long an address is good, and how often who may do what: questions, letters, challenges, games."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.office import Office
from pbem.postoffice import process, receive, work_through
from pbem.store import people
from pbem.town import fresh
from tests.offices import BILL, JOAO, OPERATOR, PLAY, Clock, a_game, letters, mail, register, reply, writes
from tests.people import NOON


@pytest.fixture
def office_settings() -> dict[str, str]:
    return {"PBEM_OPERATOR": OPERATOR}


def test_a_reply_address_is_good_for_30_days_after_its_turn_and_its_owner_is_told(
    office: Office, clock: Clock
) -> None:
    bills, _ = a_game(office)
    reply(office, BILL, bills, "f2")
    clock.pass_by(days=30, seconds=-1)
    assert "done" == reply(office, BILL, bills, "say still here")
    clock.pass_by(days=1)
    assert "refused" == reply(office, BILL, bills, "say too late")
    told = letters(office, BILL)[-1]
    assert told.header("Message-ID").startswith("<g1.e3.s0.expired.1@")
    assert "done" == reply(office, BILL, told, "say a fresh address works")


def test_an_address_of_a_turn_that_lasts_does_not_expire(office: Office, clock: Clock) -> None:
    bills, _ = a_game(office)
    clock.pass_by(days=400)
    assert "done" == reply(office, BILL, bills, "f2")


def test_an_address_of_the_lobby_is_good_for_90_days(office: Office, clock: Clock) -> None:
    welcome = register(office, BILL, "Bill")
    clock.pass_by(days=90)
    assert "done" == reply(office, BILL, welcome, "games")
    clock.pass_by(days=1)
    assert "refused" == reply(office, BILL, welcome, "help")


def test_a_revoked_address_is_void(office: Office) -> None:
    welcome = register(office, BILL, "Bill")
    with office.store.write() as db:
        bill = people.by_name(db, "Bill")
        assert bill is not None
        people.revoke(db, bill)
    assert "refused" == reply(office, BILL, welcome, "games")


def test_sixty_strangers_an_hour_are_asked_to_confirm_and_no_more(office: Office, clock: Clock) -> None:
    office = replace(office, settings=replace(office.settings, confirmations_per_hour=5))
    for n in range(8):
        who = f"n{n}@example.com"
        mail(office, who, fresh(who, PLAY, f"register Name{n}"))
    assert [1] * 5 + [0] * 3 == [len(letters(office, f"n{n}@example.com")) for n in range(8)]
    clock.pass_by(hours=1, seconds=1)
    assert "done" == mail(office, "n7@example.com", fresh("n7@example.com", PLAY, "register Name7"))


def test_more_mails_in_an_hour_than_are_answered_are_filed_in_silence(office: Office, clock: Clock) -> None:
    office = replace(office, settings=replace(office.settings, letters_per_hour=10))
    bills, _ = a_game(office)
    states = [reply(office, BILL, bills, f"say {n}") for n in range(12)]
    assert {"done", "refused"} == set(states)
    answers = [one for one in letters(office, BILL) if ".start." not in one.header("Message-ID")]
    assert 10 == len(answers)
    clock.pass_by(hours=1, seconds=1)
    assert "done" == reply(office, BILL, bills, "say again")


def test_nobody_has_another_written_to_without_end_though_hearing_nothing(
    office: Office, clock: Clock
) -> None:
    office = replace(office, settings=replace(office.settings, letters_per_hour=10))
    bills, _ = a_game(office)
    reply(office, BILL, bills, "set receipts off")
    clock.pass_by(hours=2)
    before = len(letters(office, JOAO))
    for n in range(30):
        reply(office, BILL, bills, f"say {n}")
    assert 10 == len(letters(office, JOAO)) - before
    assert "So many letters went to Joao for you" in letters(office, BILL)[-1].text
    clock.pass_by(hours=1, seconds=1)
    assert "done" == reply(office, BILL, bills, "say again")


def test_three_challenges_to_one_player_and_twenty_in_all_may_wait(office: Office) -> None:
    welcome = register(office, BILL, "Bill")
    names = [f"Player{n}" for n in range(7)]
    for name in names:
        register(office, f"{name.lower()}@example.net", name)
    sent = [
        reply(office, BILL, welcome, f"challenge {name} bipod size={size}")
        for name in names
        for size in (3, 4, 5, 6)
    ]
    assert [*["done"] * 3, "refused"] * 6 + ["done", "done", "refused", "refused"] == sent
    assert "20 challenges of yours wait already" in letters(office, BILL)[-1].text


def test_one_person_is_asked_once_however_the_address_is_spelled(office: Office) -> None:
    for sender in ("victim@example.com", "Victim@example.com", "VICTIM@Example.com", '"victim"@example.com'):
        mail(office, sender, fresh(sender, PLAY, "register Victim"))
    with office.store.read() as db:
        assert 1 == people.asked_since(db, "register", NOON - timedelta(days=1))


def test_many_registrations_at_once_from_one_address_are_asked_once(office: Office) -> None:
    from concurrent.futures import ThreadPoolExecutor

    who = "victim@example.com"
    keys = [receive(office, fresh(who, PLAY, f"register Victim{n}"), who, [PLAY])[0] for n in range(6)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda key: process(office, int(key[1:])), keys))
    work_through(office)
    assert 1 == len(letters(office, who))


def test_a_question_answered_over_and_over_is_answered_no_more_than_other_mail(office: Office) -> None:
    office = replace(office, settings=replace(office.settings, letters_per_hour=10))
    mail(office, BILL, fresh(BILL, PLAY, "register Bill"))
    question = letters(office, BILL)[0]
    for _ in range(20):
        reply(office, BILL, question, "confirm")
    assert 10 == len(letters(office, BILL))


def test_neither_player_gets_more_games_than_there_is_room_for(office: Office) -> None:
    office = replace(office, settings=replace(office.settings, running_games=1))
    welcome = register(office, BILL, "Bill")
    register(office, JOAO, "Joao")
    register(office, "carla@example.org", "Carla")
    for name in ("Joao", "Carla"):
        reply(office, BILL, welcome, f"challenge {name} bipod")
    writes(office, JOAO, "accept")
    assert "refused" == reply(office, "carla@example.org", letters(office, "carla@example.org")[-1], "accept")
