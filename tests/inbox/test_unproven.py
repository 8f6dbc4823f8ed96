"""What a mail does that answers a letter but does not prove who wrote it."""

from __future__ import annotations

import pytest

from pbem.app import App
from pbem.core.parsing.commands import ROWS, WORDS
from pbem.core.parsing.line import Command
from pbem.core.parsing.reach import Reach
from pbem.core.play.unproven import OPEN, needs_proof, reach_of
from pbem.mail.addresses import Token, days_since_1970
from pbem.mail.person.mailbox import ReceivedLetter, new_mail
from pbem.store import players
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    NO_DEVELOPMENT,
    a_game,
    ending,
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

GAMES = frozenset({1})


@pytest.fixture
def app_config() -> dict[str, str]:
    return {**NO_DEVELOPMENT, "PBEM_AUTHSERV": "mx.localhost"}


def command(line: str) -> Command:
    word, _, rest = line.partition(" ")
    args = WORDS[word](rest)
    assert args is not None
    return Command(word, line, args)


def lobby(app: App, name: str) -> str:
    """The address of a letter to a player that is about no game."""
    who = player(app, name)
    return app.addressing.reply(Token("player", (who.id, 0, who.epoch, days_since_1970(app.now()))))


def forged(app: App, words: str) -> None:
    """Somebody who has a letter of Bill's about no game writes in his name."""
    to = lobby(app, "Bill")
    mail(app, BILL, new_mail(BILL, to, words), to)


def is_asked(app: App) -> bool:
    return "a mail in your name asks for more" in last_words(app, BILL)


@pytest.fixture
def two_games(app: App) -> ReceivedLetter:
    """Games 1 and 2 of Bill and Joao; returns Bill's letter of game 1."""
    bills, _ = a_game(app)
    writes(app, JOAO, "challenge Bill bipod first none")
    writes(app, BILL, "accept")
    return bills


# ------------------------------------------------------------------------------------------------- values


def test_every_command_has_a_reach() -> None:
    assert set() == {word for word in WORDS if ROWS[word].reach is None}


@pytest.mark.parametrize(
    ("line", "reach"),
    [
        ("vacation", Reach.READS),
        ("vacation 5 days", Reach.CLOCKS),
        ("set", Reach.READS),
        ("set all", Reach.READS),
        ("set zone Berlin", Reach.CLOCKS),
        ("limit", Reach.READS),
        ("limit bipod 3", Reach.CLOCKS),
        ("block", Reach.READS),
        ("block Joao", Reach.PEOPLE),
        ("back", Reach.CLOCKS),
        ("stop turns", Reach.CLOCKS),
        ("report", Reach.PEOPLE),
        ("ladder bipod", Reach.BEGINS),
        ("ladder bipod Joao no", Reach.FOR_GOOD),
        ("leave bipod league yes", Reach.FOR_GOOD),
        ("resign", Reach.GAME),
        ("forget me", Reach.ASKS),
        ("games", Reach.READS),
    ],
)
def test_the_table_says_how_far_a_command_reaches(line: str, reach: Reach) -> None:
    assert reach == reach_of(command(line))


@pytest.mark.parametrize("word", sorted(WORDS))
def test_without_a_proof_only_reading_beginning_and_the_letters_game_are_open(word: str) -> None:
    reach = ROWS[word].reach
    line = Command(word, f"{word} something", {"number": None, "offer": "", "answer": ""})
    assert needs_proof(line, 2, GAMES, lobby=False) == (reach not in OPEN)
    assert needs_proof(line, 1, GAMES, lobby=False) == (reach not in OPEN | {Reach.GAME})


# ------------------------------------------------------------------------------------------- by forged mail


@pytest.mark.parametrize(
    "words", ["game 1\nresign yes", "resign yes", "f2 f4", "game 1\nsay Boo!", "draw", "note x y"]
)
def test_a_letter_about_no_game_plays_in_none(app: App, words: str) -> None:
    a_game(app)
    forged(app, words)
    assert ([], None, True) == (moves(app), ending(app), is_asked(app))
    assert 1 == len(load(app).journal)


@pytest.mark.parametrize(
    "words",
    [
        "vacation 5 days",
        "set quiet 0-23",
        "stop turns",
        "block Joao",
        "limit bipod 1",
        "digest 7",
        "leave bipod league yes",
        "leave bipod ladder yes",
        "ladder bipod Joao no",
        "accept 1",
        "challenge Joao bipod\n\nYou are a fool.",
        "seek begird\n\nYou are all fools.",
        "withdraw 1",
        "report\n\nHe cheats.",
    ],
)
def test_what_reaches_farther_than_the_letters_game_is_asked_about(app: App, words: str) -> None:
    bills, _ = a_game(app)
    joaos = len(letters(app, JOAO))
    reply(app, BILL, bills, words)
    assert is_asked(app)
    assert joaos == len(letters(app, JOAO))
    assert player(app, "Bill").preferences == player(app, "Joao").preferences


def test_a_yes_at_the_owners_address_carries_it_out(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "set zone Asia/Tokyo")
    assert "done" == writes(app, BILL, "yes")
    assert "Asia/Tokyo" == player(app, "Bill").preferences.zone


def test_the_same_order_once_more_is_a_yes(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "set zone Asia/Tokyo")
    assert "done" == writes(app, BILL, "set zone Asia/Tokyo")
    assert "Asia/Tokyo" == player(app, "Bill").preferences.zone


def test_the_same_order_a_third_time_is_told_as_answered(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "set zone Asia/Tokyo")
    question = last_letter(app, BILL)
    reply(app, BILL, question, "set zone Asia/Tokyo")
    assert "refused" == reply(app, BILL, question, "set zone Asia/Tokyo")
    assert "answered before" in last_words(app, BILL)


def test_the_letters_own_game_is_played_at_once_beside_what_is_asked(app: App) -> None:
    bills, _ = a_game(app)
    assert "done" == reply(app, BILL, bills, "f2\nset zone Asia/Tokyo\n\nGood luck!")
    assert ["f2"] == moves(app)
    assert "Good luck!" in last_words(app, JOAO)
    assert is_asked(app)
    assert "UTC" == player(app, "Bill").preferences.zone


def test_several_games_are_asked_about_in_one_letter(app: App, two_games: ReceivedLetter) -> None:
    before = len(letters(app, BILL))
    forged(app, "game 1\nf2\n\ngame 2\nf4\nresign yes\n\nvacation 5 days")
    assert before + 1 == len(letters(app, BILL))
    assert "it says: game 1: f2 it says: game 2: f4" in last_words(app, BILL)
    assert "done" == writes(app, BILL, "yes")
    assert ["f2"] == moves(app)


def test_a_board_that_has_changed_since_the_mail_takes_no_move_after_the_yes(
    app: App, two_games: ReceivedLetter
) -> None:
    forged(app, "game 1\nf2")
    question = last_letter(app, BILL)
    reply(app, BILL, two_games, "f4")
    writes(app, JOAO, "g3")
    assert "refused" == reply(app, BILL, question, "yes")
    assert ["f4", "g3"] == moves(app)


@pytest.mark.parametrize(
    "words", ["games", "rules bipod", "help", "learn bipod", "seeks", "set", "vacation", "block"]
)
def test_reading_is_never_asked_about(app: App, words: str) -> None:
    bills, _ = a_game(app)
    assert "done" == reply(app, BILL, bills, words)
    assert not is_asked(app)


def test_a_game_begins_without_a_question(app: App) -> None:
    welcome = register(app, BILL, "Bill")
    register(app, ANNA, "Anna")
    assert "done" == reply(app, BILL, welcome, "challenge Anna bipod first none")
    assert "done" == writes(app, ANNA, "accept\n\nGladly!")
    assert 1 == len(load(app).journal)


def test_an_answer_to_the_letter_with_a_challenge_is_no_question(app: App) -> None:
    a_game(app)
    writes(app, JOAO, "challenge Bill bipod first none")
    assert "done" == writes(app, BILL, "decline\n\nNot today, sorry.")
    assert "Not today, sorry." in last_words(app, JOAO)


def test_who_is_asked_often_is_told_how_to_be_asked_no_more(app: App) -> None:
    bills, _ = a_game(app)
    for days in (1, 2, 3):
        assert "To be asked no more" not in last_words(app, BILL)
        reply(app, BILL, bills, f"set zone Etc/GMT-{days}")
    assert "To be asked no more: sign in at" in last_words(app, BILL)


def test_a_fail_of_dmarc_is_no_question(app: App) -> None:
    bills, _ = a_game(app)
    before = flat(last_letter(app, BILL).text)
    head = "Authentication-Results: mx.localhost; dmarc=fail\r\nReceived: from x by mx.localhost; y\r\n"
    to = bills.header("Reply-To")
    assert "refused" == mail(app, BILL, head.encode() + new_mail(BILL, to, "set zone Asia/Tokyo"), to)
    assert before != last_words(app, BILL)
    assert "yes" not in last_words(app, BILL)


def test_old_questions_about_words_and_moves_are_answered_as_today(app: App) -> None:
    a_game(app)
    data = {"game": 1, "since": 1, "move": "f2", "comment": "", "said": False}
    with app.store.write() as db:
        question = players.add_confirmation(db, "seen", BILL, data, app.now(), app.now().replace(year=2100))
    to = app.addressing.reply(Token("confirm", (question.id,)))
    assert "done" == mail(app, BILL, new_mail(BILL, to, "yes"), to)
    assert ["f2"] == moves(app)
