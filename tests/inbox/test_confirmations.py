"""Confirmations asked by letter: answered, too late, twice, by others."""

from __future__ import annotations

from pbem.app import Office
from pbem.mail.person.mailbox import fresh
from pbem.store import players
from tests.apps import BILL, JOAO, PLAY, Clock, a_game, letters, mail, moves, register, reply, writes


def test_a_confirmation_is_good_for_7_days_and_once(office: Office, clock: Clock) -> None:
    mail(office, BILL, fresh(BILL, PLAY, "register Bill"))
    question = letters(office, BILL)[0]
    clock.pass_by(days=7, seconds=1)
    assert "refused" == reply(office, BILL, question, "confirm")
    mail(office, BILL, fresh(BILL, PLAY, "register Bill"))
    question = letters(office, BILL)[-1]
    assert "done" == reply(office, BILL, question, "confirm")
    assert "done" == reply(office, BILL, question, "confirm")
    with office.store.read() as db:
        assert ["Bill"] == players.names_like(db, "B")


def test_a_confirmation_from_another_address_confirms_nothing(office: Office) -> None:
    mail(office, BILL, fresh(BILL, PLAY, "register Bill"))
    assert "refused" == reply(office, "thief@example.com", letters(office, BILL)[0], "confirm")
    with office.store.read() as db:
        assert [] == players.names_like(db, "B")


def test_another_name_can_be_chosen_in_the_answer(office: Office) -> None:
    register(office, JOAO, "Joao")
    mail(office, BILL, fresh(BILL, PLAY, "register Joao"))
    assert "refused" == reply(office, BILL, letters(office, BILL)[0], "confirm")
    assert "done" == writes(office, BILL, "register Bill")
    with office.store.read() as db:
        assert players.by_address(db, BILL) == players.by_name(db, "bill")


def test_a_question_answered_without_confirm_stays_open_and_the_player_is_told(office: Office) -> None:
    bills, _ = a_game(office)
    reply(office, BILL, bills, "resign")
    assert "refused" == writes(office, BILL, "I am not sure.")
    told = letters(office, BILL)[-1]
    assert 'no "confirm" in your answer' in told.text.replace("\n", " ")
    assert "done" == reply(office, BILL, told, "confirm")


def test_a_question_may_be_answered_by_playing_on(office: Office) -> None:
    bills, _ = a_game(office)
    reply(office, BILL, bills, "resign")
    question = letters(office, BILL)[-1]
    assert "done" == reply(office, BILL, question, "f2 f4")
    assert ["f2 f4"] == moves(office)
    writes(office, JOAO, "g3")
    assert "refused" == reply(office, BILL, question, "h2")  # the question is older than the move


def test_a_question_answered_too_late_is_told_too(office: Office, clock: Clock) -> None:
    bills, _ = a_game(office)
    reply(office, BILL, bills, "resign")
    clock.pass_by(days=8)
    assert "refused" == writes(office, BILL, "confirm")
    assert "good for 7 days" in letters(office, BILL)[-1].text.replace("\n", " ")


def test_a_question_about_orders_shows_everything_that_would_be_done(office: Office) -> None:
    a_game(office)
    mail(office, BILL, fresh(BILL, PLAY, "show\ngame 1\nf2; resign yes\n\nYou are a fool."))
    shown = letters(office, BILL)[-1].text
    for words in ("show", "f2", "resign yes", "You are a fool."):
        assert words in shown


def test_orders_that_are_too_many_to_show_are_not_asked_about(office: Office) -> None:
    a_game(office)
    mail(office, BILL, fresh(BILL, PLAY, "game 1\nf2\n\n" + "A line of words.\n" * 12))
    writes(office, BILL, "confirm")
    assert [] == moves(office)


def test_a_confirmed_move_that_has_grown_stale_is_refused(office: Office) -> None:
    bills, _joaos = a_game(office)
    mail(office, BILL, fresh(BILL, PLAY, "game 1\nf2"))
    question = letters(office, BILL)[-1]
    reply(office, BILL, bills, "f4")
    writes(office, JOAO, "g3")
    assert "refused" == reply(office, BILL, question, "confirm")
    assert ["f4", "g3"] == moves(office)


def test_words_of_a_resignation_that_is_asked_about_arrive_with_it(office: Office) -> None:
    bills, _ = a_game(office)
    reply(office, BILL, bills, "resign\n\nThank you for the game.")
    writes(office, BILL, "confirm\n\nUntil next time.")
    told = letters(office, JOAO)[-1].text
    assert "Thank you for the game." in told and "Until next time." in told


def test_a_resignation_confirmed_twice_is_told_so(office: Office) -> None:
    bills, _ = a_game(office)
    reply(office, BILL, bills, "resign")
    question = letters(office, BILL)[-1]
    reply(office, BILL, question, "confirm")
    reply(office, BILL, question, "confirm")
    assert "was confirmed before" in letters(office, BILL)[-1].text.replace("\n", " ")


def test_what_a_newcomer_asks_for_beside_confirm_is_done(office: Office) -> None:
    register(office, JOAO, "Joao")
    mail(office, BILL, fresh(BILL, PLAY, "register Bill"))
    writes(office, BILL, "confirm\nchallenge Joao bipod")
    assert "Challenge" in letters(office, JOAO)[-1].header("Subject")


def test_an_answer_from_an_alias_is_told_to_the_address_that_was_asked(office: Office) -> None:
    mail(office, BILL, fresh(BILL, PLAY, "register Bill"))
    for _ in range(3):
        reply(office, "bill@alias.example.org", letters(office, BILL)[0], "confirm")
    assert 2 == len(letters(office, BILL))
    assert [] == letters(office, "bill@alias.example.org")
