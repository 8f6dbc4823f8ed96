"""Confirmations asked by letter: answered, too late, twice, by others."""

from __future__ import annotations

from pbem.app import App
from pbem.mail.person.mailbox import new_mail
from pbem.store import players
from tests.apps import (
    BILL,
    JOAO,
    PLAY,
    Clock,
    a_game,
    last_words,
    letters,
    mail,
    moves,
    register,
    reply,
    writes,
)


def test_a_confirmation_is_good_for_7_days_and_once(app: App, clock: Clock) -> None:
    mail(app, BILL, new_mail(BILL, PLAY, "register Bill"))
    question = letters(app, BILL)[0]
    clock.pass_by(days=7, seconds=1)
    assert "refused" == reply(app, BILL, question, "confirm")
    mail(app, BILL, new_mail(BILL, PLAY, "register Bill"))
    question = letters(app, BILL)[-1]
    assert "done" == reply(app, BILL, question, "confirm")
    assert "done" == reply(app, BILL, question, "confirm")
    with app.store.read() as db:
        assert ["Bill"] == players.names_like(db, "B")


def test_a_confirmation_from_another_address_confirms_nothing(app: App) -> None:
    mail(app, BILL, new_mail(BILL, PLAY, "register Bill"))
    assert "refused" == reply(app, "thief@example.com", letters(app, BILL)[0], "confirm")
    with app.store.read() as db:
        assert [] == players.names_like(db, "B")


def test_another_name_can_be_chosen_in_the_answer(app: App) -> None:
    register(app, JOAO, "Joao")
    mail(app, BILL, new_mail(BILL, PLAY, "register Joao"))
    assert "done" == writes(app, BILL, "register Bill")
    with app.store.read() as db:
        assert players.player_by_address(db, BILL) == players.player_by_name(db, "bill")


def test_a_question_answered_without_confirm_stays_open_and_the_player_is_told(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "resign")
    assert "refused" == writes(app, BILL, "I am not sure.")
    told = letters(app, BILL)[-1]
    assert 'whether you mean "yes" or "no"' in told.text.replace("\n", " ")
    assert "done" == reply(app, BILL, told, "confirm")


def test_a_question_may_be_answered_by_playing_on(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "resign")
    question = letters(app, BILL)[-1]
    assert "done" == reply(app, BILL, question, "f2 f4")
    assert ["f2 f4"] == moves(app)
    writes(app, JOAO, "g3")
    assert "refused" == reply(app, BILL, question, "h2")  # the question is older than the move


def test_a_question_answered_too_late_is_told_too(app: App, clock: Clock) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "resign")
    clock.pass_by(days=8)
    assert "refused" == writes(app, BILL, "confirm")
    assert "open for 7 days" in letters(app, BILL)[-1].text.replace("\n", " ")


def test_a_question_about_orders_shows_everything_that_would_be_done(app: App) -> None:
    a_game(app)
    mail(app, BILL, new_mail(BILL, PLAY, "show\ngame 1\nf2; resign yes\n\nYou are a fool."))
    shown = letters(app, BILL)[-1].text
    for words in ("show", "f2", "resign yes", "You are a fool."):
        assert words in shown


def test_orders_that_are_too_many_to_show_are_not_asked_about(app: App) -> None:
    a_game(app)
    mail(app, BILL, new_mail(BILL, PLAY, "game 1\nf2\n\n" + "A line of words.\n" * 12))
    writes(app, BILL, "confirm")
    assert [] == moves(app)


def test_a_confirmed_move_that_has_grown_stale_is_refused(app: App) -> None:
    bills, _joaos = a_game(app)
    mail(app, BILL, new_mail(BILL, PLAY, "game 1\nf2"))
    question = letters(app, BILL)[-1]
    reply(app, BILL, bills, "f4")
    writes(app, JOAO, "g3")
    assert "refused" == reply(app, BILL, question, "confirm")
    assert ["f4", "g3"] == moves(app)


def test_words_of_a_resignation_that_is_asked_about_arrive_with_it(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "resign\n\nThank you for the game.")
    writes(app, BILL, "confirm\n\nUntil next time.")
    told = letters(app, JOAO)[-1].text
    assert "Thank you for the game." in told and "Until next time." in told


def test_the_second_question_about_a_resignation_says_what_it_is_about(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "resign")
    writes(app, BILL, "Yes\n\nGood game")
    told = " ".join(letters(app, BILL)[-1].text.split())
    assert "You were asked if you want to resign Bipod #1: Bill - Joao." in told
    assert 'answer this letter with the one word "yes"' in told
    writes(app, BILL, "yes")
    assert "resigned" in letters(app, JOAO)[-1].text


def test_a_resignation_confirmed_twice_is_told_so(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "resign")
    question = letters(app, BILL)[-1]
    reply(app, BILL, question, "confirm")
    reply(app, BILL, question, "confirm")
    assert "was answered before" in letters(app, BILL)[-1].text.replace("\n", " ")


def test_an_answered_letter_takes_another_command(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "resign")
    question = letters(app, BILL)[-1]
    reply(app, BILL, question, "yes")
    assert "done" == reply(app, BILL, question, "club new Tuesday Evening")
    assert "Tuesday Evening is made" in last_words(app, BILL)
    assert "refused" == reply(app, BILL, question, "resign")


def test_what_a_newcomer_asks_for_beside_confirm_is_done(app: App) -> None:
    register(app, JOAO, "Joao")
    mail(app, BILL, new_mail(BILL, PLAY, "register Bill"))
    writes(app, BILL, "confirm\nchallenge Joao bipod")
    assert "Challenge" in letters(app, JOAO)[-1].header("Subject")


def test_an_answer_from_an_alias_is_told_to_the_address_that_was_asked(app: App) -> None:
    mail(app, BILL, new_mail(BILL, PLAY, "register Bill"))
    for _ in range(3):
        reply(app, "bill@alias.example.org", letters(app, BILL)[0], "confirm")
    assert 2 == len(letters(app, BILL))
    assert [] == letters(app, "bill@alias.example.org")
