"""Strangers on their way to a name and a game: two mails to a board."""

from __future__ import annotations

from dataclasses import replace
from email.headerregistry import Address

import pytest

from pbem.app import App
from pbem.mail.person.mailbox import new_mail
from pbem.store import challenges, players
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    PLAY,
    Clock,
    a_game,
    ask,
    flat,
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


def strangely(app: App, words: str, subject: str = "Games") -> str:
    """Write from Bill's address, which nobody has registered; the last letter to it, on one line."""
    mail(app, BILL, new_mail(BILL, PLAY, words).replace(b"Subject: Games", f"Subject: {subject}".encode()))
    return last_words(app, BILL)


def called(app: App, sender_name: str, words: str) -> str:
    """Write from Bill's address with a name beside it; the last letter to it, on one line."""
    sender = str(Address(sender_name, addr_spec=BILL)) if sender_name else BILL
    written = new_mail(BILL, PLAY, words)
    mail(app, BILL, written.replace(f"From: {BILL}".encode(), f"From: {sender}".encode()))
    return last_words(app, BILL)


def kinds(app: App, who: str) -> list[str]:
    return [letter.header("Message-ID").split(".")[1] for letter in letters(app, who)]


def names(app: App) -> list[str]:
    with app.store.read() as db:
        return [each.name for each in players.list_players(db) if not each.bot]


def open_seeks(app: App) -> list[str]:
    with app.store.read() as db:
        return [seek.seeker.name for seek in challenges.open_seeks(db, app.games_by_key, app.now())]


@pytest.mark.parametrize("words", ["hello, I would like to play", "help", "seeks", "register", "f2 f4 g3"])
def test_a_stranger_who_writes_like_a_person_is_asked_for_a_name_and_has_it_with_one_answer(
    app: App, words: str
) -> None:
    assert "Your name here will be Bill" in strangely(app, words)
    assert "done" == writes(app, BILL, "Ana")
    assert ["Ana"] == names(app)
    assert "Welcome, Ana!" in flat(letters(app, BILL)[1].text)


@pytest.mark.parametrize(
    "order",
    [
        *("challenge bot9 bipod", "challenge bot bipod size=99", "seek chess", "learn chess", "play chess"),
        *("take 99", "challenge Nobody bipod"),
    ],
)
def test_what_a_newcomer_cannot_have_is_not_promised(app: App, order: str) -> None:
    asked = strangely(app, f"register Ana\n{order}")
    assert "Something that you asked for is not possible here. Games here: Bipod" in asked
    assert "As you asked" not in asked


@pytest.mark.parametrize(
    "words", ["play begrid", "play bipod\n\nPlay fair!", "Learn more.", "play bipod\nlearn bagel"]
)
def test_what_a_newcomer_can_have_is_not_called_impossible(app: App, words: str) -> None:
    assert "not possible here" not in strangely(app, f"register Ana\n{words}")


def test_the_welcome_says_that_what_was_asked_for_comes_by_itself(app: App) -> None:
    strangely(app, "register Ana\nseek begird bots welcome")
    assert 'For "seek begird bots welcome", your offer waits' in last_words(app, BILL)
    assert "done" == writes(app, BILL, "yes, please do")
    welcome = next(letter for letter in letters(app, BILL) if "Welcome, Ana!" in letter.text)
    assert "What you asked for comes in a letter of its own." in welcome.text


@pytest.mark.parametrize(
    ("sender_name", "words", "name"),
    [
        ("Ann Smith", "hello, I would like to play", "Ann"),
        ("Müller, Uwe", "hallo, ich möchte gerne spielen", "Uwe"),
        ("", "Hello, can I join?\n\nCheers\nTom", "Tom"),
    ],
)
@pytest.mark.parametrize("answer", ["yes", "Ja\n\nViele Grüße"])
def test_a_strangers_first_name_is_offered_and_a_yes_takes_it(
    app: App, sender_name: str, words: str, name: str, answer: str
) -> None:
    asked = called(app, sender_name, words)
    assert f"Your name here will be {name}" in asked
    assert "done" == writes(app, BILL, answer)
    assert [name] == names(app)


@pytest.mark.parametrize("answer", ["Kim", "register Kim", "Please call me Kim"])
def test_another_name_than_the_offered_one_is_had_by_writing_it(app: App, answer: str) -> None:
    called(app, "Ann Smith", "hello, I would like to play")
    writes(app, BILL, answer)
    if answer.startswith("Please"):
        assert "To play at localhost as Kim" in last_words(app, BILL)
        writes(app, BILL, "yes")
    assert ["Kim"] == names(app)


@pytest.mark.parametrize("answer", ["what is this?", "Thanks a lot"])
def test_an_answer_without_yes_or_a_name_asks_for_one_of_the_two(app: App, answer: str) -> None:
    called(app, "Ann Smith", "hello, I would like to play")
    writes(app, BILL, answer)
    assert "I found no yes and no name in your answer." in last_words(app, BILL)
    writes(app, BILL, "yes")
    assert ["Ann"] == names(app)


def test_an_offered_name_is_free_and_is_asked_about_when_it_has_gone(app: App) -> None:
    register(app, ANNA, "Ann")
    assert "will be Ann2" in called(app, "Ann Smith", "hello")
    register(app, JOAO, "Ann2")
    assert "refused" == writes(app, BILL, "yes")
    assert "will be Ann22" in last_words(app, BILL)


@pytest.mark.parametrize("sender_name", ["", BILL, "J. Smith", "Info", "Danke"])
def test_the_part_before_the_at_is_offered_where_no_name_can_be_seen(app: App, sender_name: str) -> None:
    assert "Your name here will be Bill," in called(app, sender_name, "hello, I would like to play")


def test_a_stranger_has_one_such_answer_a_day(app: App, clock: Clock) -> None:
    for n in range(3):
        strangely(app, f"hello {n}")
    assert 1 == len(letters(app, BILL))
    clock.pass_by(days=1, seconds=1)
    strangely(app, "hello?")
    assert 2 == len(letters(app, BILL))


def test_a_robot_and_a_mail_without_words_have_none(app: App) -> None:
    mail(app, BILL, new_mail(BILL, PLAY, "I am away.").replace(b"Subject: Games", b"Subject: Out of office"))
    mail(app, BILL, new_mail(BILL, PLAY, "hello").replace(b"Subject:", b"Precedence: bulk\nSubject:"))
    mail(app, BILL, new_mail(BILL, PLAY, "").replace(b"Subject: Games", b"Subject: "))
    assert [] == letters(app, BILL)


@pytest.mark.parametrize(
    "answer", ["yes", "confirm", "ok", "yes, confirm please", "Ja, gerne!", "Sure.\n\nThanks!"]
)
def test_a_name_and_one_answer_are_all(app: App, answer: str) -> None:
    assert 'answer "yes"' in strangely(app, "register Ana")
    assert "done" == writes(app, BILL, answer)
    assert ["Ana"] == names(app)


@pytest.mark.parametrize("answer", ["no", "No, thanks."])
def test_a_no_registers_nobody_and_brings_no_letter(app: App, answer: str) -> None:
    strangely(app, "register Ana")
    assert "done" == writes(app, BILL, answer)
    assert ([], 1) == (names(app), len(letters(app, BILL)))


@pytest.mark.parametrize("answer", ["yes, but I have a question", "why?", "yes\nnobody", "Hello!"])
def test_any_other_answer_is_asked_again(app: App, answer: str) -> None:
    strangely(app, "register Ana")
    assert "found no yes and no name" in ask(app, BILL, answer)
    assert [] == names(app)
    assert "done" == writes(app, BILL, "yes")
    assert ["Ana"] == names(app)


@pytest.mark.parametrize(
    "words",
    [
        "Hello, I would like to register as Ana, please.",
        "please register me under the name Ana!",
        "Hi there,\n\nmy name is Ana and I want to play.",
    ],
)
def test_a_name_inside_a_sentence_is_found_and_asked_about(app: App, words: str) -> None:
    assert "To be Ana at" in strangely(app, words)
    writes(app, BILL, "yes")
    assert ["Ana"] == names(app)


def test_a_name_in_the_subject_is_found_too(app: App) -> None:
    assert "To be Ana at" in strangely(app, "", "register Ana")


def test_a_yes_in_the_subject_is_enough(app: App) -> None:
    strangely(app, "", "register Ana")
    to = last_letter(app, BILL).header("Reply-To")
    mail(app, BILL, new_mail(BILL, to, "", "yes"), to)
    assert ["Ana"] == names(app)


def test_a_name_guessed_from_a_sentence_of_an_answer_is_asked_about(app: App) -> None:
    strangely(app, "register Ana")
    assert "To be Maria at" in ask(app, BILL, "Could you register me as Maria?")
    assert [] == names(app)
    writes(app, BILL, "yes")
    assert ["Maria"] == names(app)


def test_the_newest_name_counts(app: App) -> None:
    strangely(app, "register Ana")
    assert "done" == writes(app, BILL, "register Maria\nregister Eva")
    assert ["Eva"] == names(app)


def test_an_answer_to_an_older_letter_does_what_that_letter_said(app: App) -> None:
    strangely(app, "register Ana")
    first = last_letter(app, BILL)
    writes(app, BILL, "please register me as Maria")
    second = last_letter(app, BILL)
    assert "done" == reply(app, BILL, first, "yes")
    assert ["Ana"] == names(app)
    assert "done" == reply(app, BILL, second, "yes")
    assert "registered already" in last_words(app, BILL)
    assert ["Ana"] == names(app)


@pytest.mark.parametrize(
    ("asked", "why", "offered"),
    [
        ("Joao", "name Joao is taken", "Joao2"),
        ("joao", "name joao is taken", "joao2"),
        ("Ana Maria", "A name is one word", "AnaMaria"),
        ("Maximiliana-Alexandrina", "too long", "Maximiliana-Alexandr"),
        ("João", "only letters from a to z", "Joao2"),
        ("a.b", "only letters from a to z", "aB"),
        ("9lives", "only letters from a to z", "lives"),
        ("play", "a word that this server keeps", "play2"),
    ],
)
def test_a_name_that_cannot_be_had_is_answered_with_the_reason_and_one_that_can(
    app: App, asked: str, why: str, offered: str
) -> None:
    register(app, JOAO, "Joao")
    told = strangely(app, f"register {asked}")
    assert why in told and f"{offered} would do" in told
    assert "done" == writes(app, BILL, "yes")
    assert offered == player(app, offered).name


def test_a_name_that_is_no_other_is_asked_for_again(app: App) -> None:
    assert "answer with another name" in strangely(app, "register Botticelli")
    assert "answer with your name" in ask(app, BILL, "yes")
    assert "done" == writes(app, BILL, "Sandro")
    assert ["Sandro"] == names(app)


def test_a_yes_that_is_too_late_brings_the_question_anew(app: App, clock: Clock) -> None:
    strangely(app, "register Ana")
    clock.pass_by(days=8)
    assert "too old. Here is a new one" in ask(app, BILL, "yes")
    assert "done" == writes(app, BILL, "yes")
    assert ["Ana"] == names(app)


def test_a_name_that_somebody_else_has_taken_meanwhile_is_asked_about(app: App) -> None:
    strangely(app, "register Ana")
    register(app, ANNA, "Ana")
    assert "Ana2 would do" in ask(app, BILL, "yes")
    writes(app, BILL, "ok")
    assert ["Ana", "Ana2"] == names(app)


# What they asked for.


def a_seek(app: App) -> None:
    register(app, JOAO, "Joao")
    writes(app, JOAO, "seek bipod first none")


def test_a_seek_that_a_button_takes_is_taken_with_the_name_two_mails_to_a_board(app: App) -> None:
    a_seek(app)
    assert 'For "take 1", that game begins' in strangely(app, "take 1")
    writes(app, BILL, "Ana")
    assert ["newcomer", "welcome", "e1"] == kinds(app, BILL)
    assert ["Joao", "Ana"] == [seat.name for seat in load(app).seats]


def test_an_order_in_the_answer_is_a_yes_and_is_done_instead_of_the_kept_one(app: App) -> None:
    a_seek(app)
    told = strangely(app, "register Ana\nplay bipod")
    assert 'For "play bipod", we look for' in told and "Seek 1: Joao" in told
    writes(app, BILL, "take 1")
    assert ["confirm", "welcome", "e1"] == kinds(app, BILL)
    writes(app, JOAO, "f2")
    assert ["f2"] == moves(app)


def test_play_makes_an_offer_where_nobody_waits_and_the_game_begins_when_it_is_taken(app: App) -> None:
    strangely(app, "register Ana\n\nplay bipod")
    told = ask(app, BILL, "yes")
    assert "your offer 2 waits" in told and "challenge bot bipod" in told
    assert ["Ana", "bot3"] == [seat.name for seat in load(app).seats]
    assert ["Ana"] == open_seeks(app)
    register(app, JOAO, "Joao")
    assert "take one of these offers" in ask(app, JOAO, "play bipod")
    writes(app, JOAO, "take 2")
    assert {"Ana", "Joao"} == {seat.name for seat in load(app, 2).seats}


def test_play_before_anything_but_a_game_is_prose(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "f2\n\nplay well!")
    assert "play well!" in last_letter(app, JOAO).text
    assert [] == open_seeks(app)


def test_play_twice_makes_one_offer(app: App) -> None:
    register(app, JOAO, "Joao")
    for _ in range(2):
        assert "your offer 1 waits" in ask(app, JOAO, "play bipod")
    assert ["Joao"] == open_seeks(app)


def test_a_challenge_reaches_the_other_only_with_the_yes_and_without_any_words(app: App) -> None:
    register(app, JOAO, "Joao")
    told = strangely(app, "register Ana\nchallenge joao Bipod size=4 unrated\n\nBuy cheap pills!")
    assert 'For "challenge joao bipod size=4 unrated", we ask joao' in told and "pills" not in told
    assert "challenge" not in kinds(app, JOAO)
    writes(app, BILL, "register Eva\n\nThanks!")
    assert "challenge" == kinds(app, JOAO)[-1]
    challenge = last_letter(app, JOAO).text
    assert "Eva" in challenge and "pills" not in challenge and "Thanks" not in challenge


@pytest.mark.parametrize(
    ("order", "kept", "kind"),
    [
        ("learn bipod", "learn bipod", "lesson"),
        ("learn bipot", "learn bipod", "lesson"),
        ("learn Begird 2", "learn begird 2", "lesson"),
        ("rules bounders", "rules bounders", "rules"),
        ("rules", "rules", "rules"),
    ],
)
def test_a_lesson_and_rules_are_kept_for_the_name_too(app: App, order: str, kept: str, kind: str) -> None:
    assert f'For "{kept}", ' in strangely(app, f"register Ana\n{order}")
    writes(app, BILL, "yes")
    assert ["Ana"] == names(app)
    assert kind in kinds(app, BILL)


def test_a_puzzle_is_kept_for_the_name_too(app: App) -> None:
    assert 'For "puzzle 7", a puzzle comes by mail.' in strangely(app, "register Ana\npuzzle 7")
    writes(app, BILL, "yes")
    assert "puzzle" in last_words(app, BILL)


def test_a_slip_in_a_games_name_is_asked_about(app: App) -> None:
    assert 'For "play bagel"' in strangely(app, "register Ana\nplay bagle")


def test_a_registered_player_is_told_which_game_they_may_mean(app: App) -> None:
    register(app, BILL, "Bill")
    writes(app, BILL, "play bagle")
    assert "Did you mean bagel?" in last_words(app, BILL)


@pytest.mark.parametrize("order", ["challenge Joao chess", "play bipod size=cheap-pills", "seek pills"])
def test_an_order_that_is_not_understood_is_not_repeated(app: App, order: str) -> None:
    told = strangely(app, f"register Ana\n{order}")
    assert "To be Ana" in told and "pills" not in told and "chess" not in told


def test_what_cannot_be_done_any_more_is_refused_and_the_name_is_had(app: App) -> None:
    a_seek(app)
    strangely(app, "take 1")
    register(app, ANNA, "Anna")
    writes(app, ANNA, "take 1")
    assert "Seek 1 has been taken" in ask(app, BILL, "Ana")
    assert "Ana" in names(app)


def test_the_welcome_letter_fits_a_phone(app: App) -> None:
    text = register(app, BILL, "Ana").text
    assert len(text.split()) < 120
    steps = text.partition("one of these:\n\n")[2].partition("\n\n")[0].split("\n")
    assert ["A game", "A computer", "A friend", "Learn it", "All else"] == [
        step.strip().partition(":")[0] for step in steps
    ]
    assert max(map(len, steps)) <= 49


@pytest.mark.parametrize("renewed", [True, False])
def test_the_letter_about_a_name_is_no_address_for_good(app: App, clock: Clock, renewed: bool) -> None:
    strangely(app, "register Bill")
    question = last_letter(app, BILL)
    writes(app, BILL, "yes")
    if renewed:
        writes(app, BILL, "address renew")
        writes(app, BILL, "yes")
    else:
        clock.pass_by(days=8)
    for words in ("seek bipod", "yes", "confirm\nseek bipod"):
        reply(app, BILL, question, words)
        assert "This question is closed." in last_words(app, BILL)
    assert [] == open_seeks(app)


def test_advertisements_leave_half_of_the_letters_to_those_who_want_to_play(app: App) -> None:
    for n in range(100):
        who = f"seller@shop{n}.example"
        mail(app, who, new_mail(who, PLAY, f"Cheap pills number {n}!"))
    assert 30 == sum(len(letters(app, f"seller@shop{n}.example")) for n in range(100))
    assert "To be Ana at" in strangely(app, "register Ana")


@pytest.mark.parametrize("words", ["send", "Small"])
def test_an_answer_to_another_letter_is_taken_for_no_name(app: App, words: str) -> None:
    strangely(app, "hello, I would like to play")
    assert "no yes and no name" in ask(app, BILL, words)
    assert [] == names(app)
    assert "done" == writes(app, BILL, "register R2")
    assert ["R2"] == names(app)


@pytest.mark.parametrize(
    ("words", "subject", "game"),
    [
        ("hello, I would like to play", "Games", "Begird"),
        ("ich möchte gegen den Computer spielen", "Hallo", "Begird"),
        ("", "play bipod", "Bipod"),
        ("Is anybody here for a game of Bounders?", "Games", "Bounders"),
        ("hola", "Bagel", "Bagel"),
    ],
)
@pytest.mark.parametrize("answer", ["yes", "Nina", "a move"])
def test_a_strangers_first_letter_is_a_board_and_any_answer_begins_the_game(
    app: App, words: str, subject: str, game: str, answer: str
) -> None:
    told = strangely(app, words, subject)
    assert f"This is a game of {game} against the computer" in told
    move = told.partition('for example "')[2].partition('"')[0]
    assert "done" == writes(app, BILL, move if answer == "a move" else answer)
    assert game == load(app).rules.name
    assert ["Nina" if answer == "Nina" else "Bill", "bot3"] == [seat.name for seat in load(app).seats]
    assert ([move] if answer == "a move" else []) == moves(app)


def test_who_asks_for_a_name_alone_is_shown_a_board_and_begins_no_game_by_a_yes(app: App) -> None:
    assert "registers you without it" in strangely(app, "register Ana")
    writes(app, BILL, "yes")
    assert ["confirm", "welcome"] == kinds(app, BILL)


def test_without_bots_a_stranger_is_asked_for_a_name(app: App) -> None:
    app = replace(app, config=replace(app.config, bots=()))
    assert 'To play as Bill, answer "yes".' in strangely(app, "hello, I would like to play")


def test_the_name_that_was_offered_is_a_yes(app: App) -> None:
    assert "AnaMaria would do" in strangely(app, "register Ana Maria\nchallenge bot bipod")
    assert "done" == writes(app, BILL, "AnaMaria")
    assert ["AnaMaria"] == names(app)
    assert ["AnaMaria", "bot3"] == [seat.name for seat in load(app).seats]
