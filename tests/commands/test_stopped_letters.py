"""Notices to players about stopped letters, and to the operator."""

from __future__ import annotations

import pytest

from pbem.app import App
from pbem.mail.person.mailbox import new_mail
from pbem.store import players
from tests.apps import BILL, JOAO, OPERATOR, PLAY, a_game, last_words, letters, mail, register, reply, writes

WORK = "bill@work.example"


@pytest.fixture
def app_config() -> dict[str, str]:
    return {"PBEM_OPERATOR": OPERATOR}


def test_an_offer_of_a_draw_comes_even_where_turns_are_stopped(app: App) -> None:
    bills, joaos = a_game(app)
    reply(app, JOAO, joaos, "stop turns")
    reply(app, BILL, bills, "draw")
    assert "offers you a draw" in last_words(app, JOAO)


def test_words_to_somebody_who_takes_no_chat_are_said_to_be_kept(app: App) -> None:
    bills, joaos = a_game(app)
    reply(app, JOAO, joaos, "stop chat")
    reply(app, BILL, bills, "say psst")
    assert "your words are kept with the game. Joao gets no letters of words alone." in last_words(app, BILL)


def test_a_challenge_to_somebody_who_takes_none_is_said_to_wait(app: App) -> None:
    bills, joaos = a_game(app)
    reply(app, JOAO, joaos, "stop challenges")
    reply(app, BILL, bills, "challenge Joao begird")
    assert "Joao gets no letters of challenges" in last_words(app, BILL)


def test_who_has_stopped_turns_is_not_promised_them_and_start_brings_the_boards(app: App) -> None:
    bills, joaos = a_game(app)
    reply(app, JOAO, joaos, "stop turns")
    reply(app, BILL, bills, "f2")
    writes(app, JOAO, "game 1\ne5")
    assert "You have stopped the letters that say it is your turn" in last_words(app, JOAO)
    writes(app, BILL, "h2")
    reply(app, JOAO, joaos, "start turns")
    assert "It is your turn in one game" in last_words(app, JOAO) or "GAME 1" in last_words(app, JOAO)


def test_stop_all_stops_every_kind_and_start_all_brings_them_back(app: App) -> None:
    welcome = register(app, BILL, "Bill")
    reply(app, BILL, welcome, "stop all")
    with app.store.read() as db:
        bill = players.player_by_name(db, "Bill")
    assert bill is not None and {"turns", "chat", "receipts", "digests"} <= bill.stopped
    reply(app, BILL, welcome, "start everything")
    assert "receipts is now on" in last_words(app, BILL)


def test_a_digest_that_is_stopped_is_not_said_to_come(app: App) -> None:
    welcome = register(app, BILL, "Bill")
    reply(app, BILL, welcome, "digest 7")
    reply(app, BILL, welcome, "stop digests")
    reply(app, BILL, welcome, "digest")
    assert "no daily digest comes to you" in last_words(app, BILL)
    reply(app, BILL, welcome, "digest 7")
    assert "a digest comes to you every day" in last_words(app, BILL)


def own_two(app: App) -> None:
    """Bill writes from two addresses; letters go to the second."""
    register(app, BILL, "Bill")
    writes(app, BILL, f"address add {WORK}")
    writes(app, BILL, "confirm")
    writes(app, WORK, "confirm")


def test_a_question_may_be_answered_from_another_address_of_ones_own(app: App) -> None:
    own_two(app)
    mail(app, BILL, new_mail(BILL, PLAY, "set zone Berlin"))
    question = letters(app, WORK)[-1]
    assert "yes" in question.text
    assert "done" == reply(app, BILL, question, "confirm")


def test_nothing_goes_to_an_address_that_was_dropped(app: App) -> None:
    own_two(app)
    welcome = letters(app, WORK)[-1]
    mail(app, BILL, new_mail(BILL, PLAY, "set zone Berlin"))
    question = letters(app, WORK)[-1]
    reply(app, WORK, welcome, f"address drop {WORK}")
    writes(app, WORK, "confirm")
    before = len(letters(app, WORK))
    assert "refused" == reply(app, "thief@example.com", question, "confirm")
    assert before == len(letters(app, WORK))


def test_who_has_confirmed_a_question_may_be_asked_another_the_same_day(app: App) -> None:
    register(app, BILL, "Bill")
    mail(app, BILL, new_mail(BILL, PLAY, "games"))
    writes(app, BILL, "confirm")
    count = len(letters(app, BILL))
    mail(app, BILL, new_mail(BILL, PLAY, "rules"))
    assert "was this mail from you" in letters(app, BILL)[-1].header("Subject").lower()
    mail(app, BILL, new_mail(BILL, PLAY, "help"))
    assert count + 1 == len(letters(app, BILL))
