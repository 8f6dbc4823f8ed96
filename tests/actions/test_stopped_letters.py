"""Notices to players about stopped letters, and to the operator."""

from __future__ import annotations

import pytest

from pbem.app import Office
from pbem.mail.person.mailbox import fresh
from pbem.store import players
from tests.apps import BILL, JOAO, OPERATOR, PLAY, a_game, last_words, letters, mail, register, reply, writes

WORK = "bill@work.example"


@pytest.fixture
def office_settings() -> dict[str, str]:
    return {"PBEM_OPERATOR": OPERATOR}


def test_an_offer_of_a_draw_comes_even_where_turns_are_stopped(office: Office) -> None:
    bills, joaos = a_game(office)
    reply(office, JOAO, joaos, "stop turns")
    reply(office, BILL, bills, "draw")
    assert "offers you a draw" in last_words(office, JOAO)


def test_words_to_somebody_who_takes_no_chat_are_said_to_be_kept(office: Office) -> None:
    bills, joaos = a_game(office)
    reply(office, JOAO, joaos, "stop chat")
    reply(office, BILL, bills, "say psst")
    assert "your words are kept with the game. Joao gets no letters of words alone." in last_words(
        office, BILL
    )


def test_a_challenge_to_somebody_who_takes_none_is_said_to_wait(office: Office) -> None:
    bills, joaos = a_game(office)
    reply(office, JOAO, joaos, "stop challenges")
    reply(office, BILL, bills, "challenge Joao begird")
    assert "Joao gets no letters of challenges" in last_words(office, BILL)


def test_who_has_stopped_turns_is_not_promised_them_and_start_brings_the_boards(office: Office) -> None:
    bills, joaos = a_game(office)
    reply(office, JOAO, joaos, "stop turns")
    reply(office, BILL, bills, "f2")
    writes(office, JOAO, "game 1\ne5")
    assert "You have stopped the letters that say it is your turn" in last_words(office, JOAO)
    writes(office, BILL, "h2")
    reply(office, JOAO, joaos, "start turns")
    assert "It is your turn in one game" in last_words(office, JOAO) or "GAME 1" in last_words(office, JOAO)


def test_stop_all_stops_every_kind_and_start_all_brings_them_back(office: Office) -> None:
    welcome = register(office, BILL, "Bill")
    reply(office, BILL, welcome, "stop all")
    with office.store.read() as db:
        bill = players.by_name(db, "Bill")
    assert bill is not None and {"turns", "chat", "receipts", "digests"} <= bill.stopped
    reply(office, BILL, welcome, "start everything")
    assert "You get letters of every kind" in last_words(office, BILL)


def test_a_digest_that_is_stopped_is_not_said_to_come(office: Office) -> None:
    welcome = register(office, BILL, "Bill")
    reply(office, BILL, welcome, "digest 7")
    reply(office, BILL, welcome, "stop digests")
    reply(office, BILL, welcome, "digest")
    assert "no daily digest comes to you" in last_words(office, BILL)
    reply(office, BILL, welcome, "digest 7")
    assert "a digest comes to you every day" in last_words(office, BILL)


@pytest.mark.parametrize("mailbox", ["postmaster", "abuse"])
def test_the_operator_is_brought_what_people_write_to_postmaster_and_abuse(
    office: Office, mailbox: str
) -> None:
    address = f"{mailbox}@localhost"
    mail(office, "ann@example.com", fresh("ann@example.com", address, "You spam me.\nresign"), address)
    told = letters(office, OPERATOR)[-1]
    assert "ann@example.com" in told.text
    assert "mail: You spam me." in told.text
    for number in range(40):
        mail(office, "a@example.com", fresh("a@example.com", address, f"again {number}"), address)
    assert 20 == len(letters(office, OPERATOR))


def own_two(office: Office) -> None:
    """Bill writes from two addresses; letters go to the second."""
    register(office, BILL, "Bill")
    writes(office, BILL, f"address add {WORK}")
    writes(office, BILL, "confirm")
    writes(office, WORK, "confirm")


def test_a_question_may_be_answered_from_another_address_of_ones_own(office: Office) -> None:
    own_two(office)
    mail(office, BILL, fresh(BILL, PLAY, "set zone Berlin"))
    question = letters(office, WORK)[-1]
    assert "confirm" in question.text
    assert "done" == reply(office, BILL, question, "confirm")


def test_nothing_goes_to_an_address_that_was_dropped(office: Office) -> None:
    own_two(office)
    welcome = letters(office, WORK)[-1]
    mail(office, BILL, fresh(BILL, PLAY, "set zone Berlin"))
    question = letters(office, WORK)[-1]
    reply(office, WORK, welcome, f"address drop {WORK}")
    writes(office, WORK, "confirm")
    before = len(letters(office, WORK))
    assert "refused" == reply(office, "thief@example.com", question, "confirm")
    assert before == len(letters(office, WORK))


def test_who_has_confirmed_a_question_may_be_asked_another_the_same_day(office: Office) -> None:
    register(office, BILL, "Bill")
    mail(office, BILL, fresh(BILL, PLAY, "games"))
    writes(office, BILL, "confirm")
    count = len(letters(office, BILL))
    mail(office, BILL, fresh(BILL, PLAY, "rules"))
    assert "was this mail from you" in letters(office, BILL)[-1].header("Subject").lower()
    mail(office, BILL, fresh(BILL, PLAY, "help"))
    assert count + 1 == len(letters(office, BILL))
