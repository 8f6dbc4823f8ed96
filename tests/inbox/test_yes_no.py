"""Yes and no answer the one thing that the answered letter asks, and nothing else."""

from __future__ import annotations

import pytest

from pbem.app import App
from pbem.mail.person.mailbox import ReceivedLetter, new_mail, reply_mail
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    PLAY,
    Clock,
    a_game,
    ask,
    begin,
    ending,
    last_letter,
    last_words,
    letters,
    load,
    mail,
    moves,
    player,
    register,
    reply,
    writes,
)


def offered(app: App, what: str) -> ReceivedLetter:
    """Joao offers something after two moves; Bill's letter about it."""
    begin(app, plies=2)
    writes(app, JOAO, what)
    return last_letter(app, BILL)


def test_yes_to_another_letter_than_the_one_that_asked_does_not_resign(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "resign")
    question = last_letter(app, BILL)
    reply(app, BILL, bills, "yes")
    assert ending(app) is None
    reply(app, BILL, question, "yes")
    assert ending(app) is not None


def test_a_second_resign_counts_at_the_question_alone(app: App) -> None:
    bills, _ = a_game(app)
    first = reply_mail(bills, BILL, "resign")
    mail(app, BILL, first, bills.header("Reply-To"))
    mail(app, BILL, first, bills.header("Reply-To"))  # the same mail again
    reply(app, BILL, bills, "resign")
    reply(app, BILL, bills, "resign\nresign")
    assert ending(app) is None
    assert "done" == writes(app, BILL, "resign")
    assert ending(app) is not None


@pytest.mark.parametrize("words", ["resign\nresign", "resign\n\nsorry", "Well.\n\nresign"])
def test_a_second_resign_beside_anything_is_asked_again(app: App, words: str) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "resign")
    writes(app, BILL, words)
    assert ending(app) is None


def test_a_no_closes_the_question(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "resign")
    question = last_letter(app, BILL)
    assert "You said no" in ask(app, BILL, "no, thanks")
    assert "refused" == reply(app, BILL, question, "yes")
    assert ending(app) is None


def test_yes_answers_an_offer_once(app: App) -> None:
    letter = offered(app, "pause 5 days")
    assert "done" == reply(app, BILL, letter, "Yes!\n\nBill")
    entries = load(app).journal
    assert "refused" == reply(app, BILL, letter, "yes")
    assert entries == load(app).journal


def test_yes_to_a_letter_from_before_the_offer_accepts_nothing(app: App) -> None:
    begin(app, plies=2)
    before = last_letter(app, BILL)
    writes(app, JOAO, "draw")
    reply(app, BILL, before, "ok")
    assert ending(app) is None


def test_yes_to_an_offer_that_was_made_anew_since_accepts_nothing(app: App) -> None:
    letter = offered(app, "draw")
    writes(app, BILL, "no")
    writes(app, BILL, "f6")
    writes(app, JOAO, "g1")
    writes(app, JOAO, "draw")
    assert "does not wait any more" in (reply(app, BILL, letter, "yes"), last_words(app, BILL))[1]
    assert ending(app) is None


def test_yes_to_a_letter_with_other_words_since_the_offer_accepts_nothing(app: App, clock: Clock) -> None:
    offered(app, "draw")
    clock.pass_by(minutes=1)
    writes(app, JOAO, "say Shall we have a coffee one day?")
    writes(app, BILL, "yes")
    assert ending(app) is None


def test_yes_to_a_receipt_accepts_nothing(app: App) -> None:
    offered(app, "draw")
    writes(app, BILL, "say one moment")
    writes(app, BILL, "ok")
    assert ending(app) is None


def test_yes_to_a_letter_with_boards_accepts_nothing(app: App) -> None:
    offered(app, "draw")
    writes(app, BILL, "boards")
    assert '"accept"' in ask(app, BILL, "yes")
    assert ending(app) is None


def test_a_command_that_means_yes_is_not_carried_out_besides(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "resign")
    before = len(letters(app, BILL))
    assert "done" == writes(app, BILL, "accept")
    assert before + 1 == len(letters(app, BILL))
    assert ending(app) is not None


def test_of_two_offers_the_answer_must_say_which(app: App) -> None:
    offered(app, "draw; pause 5 days")
    assert '"accept draw" or "accept pause"' in ask(app, BILL, "yes")
    assert ending(app) is None
    assert "done" == writes(app, BILL, "accept draw")


@pytest.mark.parametrize("words", ["yes\nf6", "Yes!\n\nf6", "f6\n\nyes", "ok\n\nf6"])
def test_yes_beside_a_move_is_asked_again(app: App, words: str) -> None:
    offered(app, "draw")
    assert "Your mail says yes" in ask(app, BILL, words)
    assert (["f2", "e5"], None) == (moves(app), ending(app))


@pytest.mark.parametrize("words", ["yes\nf2", "f2\n\nyes", "yes, but why?", "Yes, I think so"])
def test_yes_beside_anything_does_not_resign(app: App, words: str) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "resign")
    assert "refused" == writes(app, BILL, words)
    assert ([], None) == (moves(app), ending(app))
    assert "done" == writes(app, BILL, "yes")


def test_where_nothing_is_asked_yes_above_a_move_is_a_word_like_others(app: App) -> None:
    begin(app, plies=2)
    assert "done" == writes(app, BILL, "ok\n\nf6")
    assert "f6" == moves(app)[-1]


def test_a_challenge_that_was_taken_back_is_not_accepted(app: App) -> None:
    register(app, JOAO, "Joao")
    register(app, BILL, "Bill")
    writes(app, JOAO, "challenge Bill bipod")
    letter = last_letter(app, BILL)
    writes(app, JOAO, "withdraw")
    reply(app, BILL, letter, "yes")
    assert "The challenge in the letter you answered does not wait" in last_words(app, BILL)


def test_only_the_letter_of_a_challenge_is_answered_by_yes(app: App) -> None:
    register(app, JOAO, "Joao")
    welcome = register(app, BILL, "Bill")
    writes(app, JOAO, "challenge Bill bipod")
    assert "refused" == reply(app, BILL, welcome, "yes")
    assert "refused" == reply(app, BILL, letters(app, BILL)[-1], "yes")


def test_a_new_address_is_asked_twice_and_yes_counts_at_each_letter_alone(app: App) -> None:
    welcome = register(app, BILL, "Bill")
    reply(app, BILL, welcome, f"address add {ANNA}")
    question = last_letter(app, BILL)
    reply(app, BILL, welcome, "yes")
    assert "refused" == reply(app, "thief@example.com", question, "yes")
    assert [] == letters(app, ANNA)
    assert "done" == reply(app, BILL, question, "yes")
    assert "done" == writes(app, ANNA, "Ja, gerne")
    assert ANNA == player(app, "Bill").address


def test_a_new_address_that_says_no_has_no_more_letters(app: App) -> None:
    reply(app, BILL, register(app, BILL, "Bill"), f"address add {ANNA}")
    writes(app, BILL, "yes")
    assert "done" == writes(app, ANNA, "no")
    assert (BILL, 1) == (player(app, "Bill").address, len(letters(app, ANNA)))


def test_forgetting_takes_a_yes_at_its_own_letter_alone(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "forget me")
    question = last_letter(app, BILL)
    reply(app, BILL, bills, "yes")
    reply(app, BILL, bills, "forget me")
    assert "Bill" == player(app, "Bill").name
    assert "done" == reply(app, BILL, question, "yes")
    assert ending(app) is not None


def test_a_mail_without_a_reply_address_is_done_after_a_yes(app: App) -> None:
    a_game(app)
    mail(app, BILL, new_mail(BILL, PLAY, "f2", "Bipod #1"))
    assert [] == moves(app)
    assert "done" == writes(app, BILL, "Yes")
    assert ["f2"] == moves(app)


def test_yes_to_the_plain_address_accepts_nothing(app: App) -> None:
    letter = offered(app, "draw")
    mail(app, BILL, reply_mail(letter, BILL, "yes"), PLAY)
    assert ending(app) is None


def test_a_yes_under_the_subject_of_a_robot_is_a_persons(app: App, clock: Clock) -> None:
    letter = offered(app, "draw")
    raw = reply_mail(letter, BILL, "yes").replace(b"Subject: Re: ", b"Subject: On vacation ")
    assert "done" == mail(app, BILL, raw, letter.header("Reply-To"))
    assert ending(app) is not None


# Words alone.


def test_words_alone_are_quoted_and_sent_by_the_answer(app: App) -> None:
    begin(app, plies=1)
    told = ask(app, BILL, "Thanks for the game,\nand good luck!")
    assert 'To send these words to Joao, answer "send".' in told
    assert "you wrote: Thanks for the game, you wrote: and good luck!" in told
    assert ">Send it to Joao</a>" in last_letter(app, BILL).html
    question, before = last_letter(app, BILL), len(letters(app, JOAO))
    assert "done" == reply(app, BILL, question, "Send it, please!")
    assert "Bill: Thanks for the game, Bill: and good luck!" in last_words(app, JOAO)
    assert "refused" == reply(app, BILL, question, "send")
    assert before + 1 == len(letters(app, JOAO))


def test_send_in_answer_to_another_letter_is_not_offered_as_words(app: App) -> None:
    begin(app, plies=1)
    assert "Not sent yet" not in ask(app, BILL, "send")
    assert '"say Good luck!"' in last_words(app, BILL)


def test_a_move_in_answer_to_the_letter_about_words_is_played(app: App) -> None:
    begin(app, plies=2)
    assert "/games/1/compose/" in ask(app, BILL, "Nice!")
    assert "done" == writes(app, BILL, "f6")
    assert "f6" == moves(app)[-1]


@pytest.mark.parametrize(
    "words",
    ["I am out of the office until May.", "Ich bin bis Montag im Urlaub.", "Respuesta automática"],
)
def test_words_with_a_phrase_of_automatic_replies_are_not_offered(app: App, words: str) -> None:
    begin(app, plies=2)
    told = ask(app, BILL, words)
    assert "send" not in told
    assert 'write "pause 7 days"' in told  # they are too new to have days off


def test_words_between_players_of_whom_one_blocks_the_other_are_not_offered(app: App) -> None:
    begin(app, plies=2)
    writes(app, JOAO, "block Bill")
    assert "answer “send”" not in ask(app, BILL, "Nice!")


# Greetings.


@pytest.mark.parametrize("greeting", ["Hi Joao,", "Hello!", "hi joao"])
def test_a_greeting_goes_with_the_move(app: App, greeting: str) -> None:
    begin(app, plies=2)
    letter = last_letter(app, BILL)
    reply(app, BILL, letter, f"{greeting}\n\nf6\n\nHave fun!")
    assert "Not sent" not in last_words(app, BILL)
    assert f"{greeting}\n\nHave fun!" == load(app).state.plies[-1].comment


def test_a_greeting_without_a_move_is_not_remarked_on(app: App) -> None:
    begin(app, plies=2)
    assert "Not sent" not in ask(app, BILL, "Hello!\n\ngames")


@pytest.mark.parametrize("answer", ["yes", "confirm", "resign"])
@pytest.mark.parametrize("window", ["0", "5"])
def test_a_move_made_since_ends_the_question_about_resigning(
    app: App, clock: Clock, answer: str, window: str
) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, f"set undo {window}")
    reply(app, BILL, bills, "resign")
    question = last_letter(app, BILL)
    clock.pass_by(minutes=1)
    reply(app, BILL, bills, "f2")
    reply(app, BILL, question, answer)
    assert ending(app) is None
    assert "You have made a move since" in last_words(app, BILL)


def test_a_move_in_the_mail_that_resigns_or_one_of_a_plan_leaves_the_question_open(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "f2\nif e5 then f4\nresign")
    question = next(each for each in letters(app, BILL) if ".resign." in each.header("Message-ID"))
    writes(app, JOAO, "e5")
    assert ["f2", "e5", "f4"] == moves(app)
    reply(app, BILL, question, "yes")
    assert ending(app) is not None
