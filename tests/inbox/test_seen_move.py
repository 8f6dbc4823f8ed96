"""A move among other words is named in the answer, with a button, and is not played."""

from __future__ import annotations

from random import Random

import pytest

from pbem.app import App
from pbem.core.parsing.seen_move import seen_move
from pbem.mail.person.mailbox import ReceivedLetter, new_mail
from rules import RULES
from rules.contract import Position
from tests.apps import BILL, JOAO, a_game, flat, last_letter, mail, moves, register, reply, writes


@pytest.mark.parametrize(
    ("words", "seen"),
    [
        ("Here's my move: f2 f4 g3", "f2 f4 g3"),
        ("Kim: g3", "g3"),
        ("my move is f2 and f4", "f2 f4"),
        ("f2-f4", "f2 f4"),
        ("Hello Joao,\n\nI think I will try g3 today.", "g3"),
    ],
)
def test_the_only_move_in_a_sentence_is_named_and_not_played(app: App, words: str, seen: str) -> None:
    turn, _ = a_game(app)
    reply(app, BILL, turn, words)
    answer = last_letter(app, BILL)
    assert f"I see {seen} in your mail. To play it, answer" in flat(answer.text)
    assert f"Play {seen}</a>" in answer.html
    assert f"?move={seen.replace(' ', '%20')}" in answer.html
    assert [] == moves(app)
    reply(app, BILL, answer, seen)
    assert [seen] == moves(app)


@pytest.mark.parametrize("answer", ["yes", "ja\n\nMit freundlichen Grüßen\nBill", "Yes\n\nf2 f4"])
def test_a_yes_plays_the_move_that_was_seen_once(app: App, answer: str) -> None:
    turn, _ = a_game(app)
    reply(app, BILL, turn, "mein Zug ist f2 f4")
    asked = last_letter(app, BILL)
    assert 'To play it, answer "yes" or "f2 f4".' in flat(asked.text)
    reply(app, BILL, asked, answer)
    assert ["f2 f4"] == moves(app)
    assert "Your move, Joao" in last_letter(app, JOAO).text
    reply(app, BILL, asked, answer)
    assert ["f2 f4"] == moves(app)


def test_the_end_of_a_letter_is_not_shown_as_something_found(app: App) -> None:
    turn, _ = a_game(app)
    reply(app, BILL, turn, "mein Zug ist f2 f4\n\nViele Grüße\nBill")
    said = last_letter(app, BILL).text
    assert "found: mein Zug ist f2 f4" in said
    assert "Viele Grüße" not in said


def test_an_answer_with_a_limit_that_cannot_be_kept_is_refused_as_ever(app: App) -> None:
    for who, name in ((BILL, "Bill"), (JOAO, "Joao")):
        register(app, who, name)
    writes(app, BILL, "challenge Joao hexthing none first")
    writes(app, JOAO, "accept")
    writes(app, BILL, "my move is play 3S bid 3")
    assert "refused" == writes(app, BILL, "play 3S bid 3 max 999")
    assert "you have $50" in flat(last_letter(app, BILL).text)
    assert [] == moves(app)
    assert "done" == writes(app, BILL, "play 3S bid 3 max 40")


def test_another_move_and_a_no_play_nothing_that_was_seen(app: App) -> None:
    turn, _ = a_game(app)
    reply(app, BILL, turn, "my move is f2 f4")
    asked = last_letter(app, BILL)
    reply(app, BILL, asked, "no thanks")
    assert [] == moves(app)
    writes(app, BILL, "g3")
    assert ["g3"] == moves(app)


def test_a_yes_after_the_game_went_on_plays_nothing(app: App) -> None:
    turn, _ = a_game(app)
    reply(app, BILL, turn, "my move is f2 f4")
    asked = last_letter(app, BILL)
    reply(app, BILL, turn, "g3")
    writes(app, JOAO, "e5 g1")
    reply(app, BILL, asked, "yes")
    assert ["g3", "e5 g1"] == moves(app)
    assert "Nothing has changed" in flat(last_letter(app, BILL).text)


@pytest.mark.parametrize(
    "words",
    ["f2 or g3, I do not know", "my move: f2 f4 g9", "Thanks for the game!", "I shall see on the 24th"],
)
def test_no_move_is_named_where_none_or_several_can_be_meant(app: App, words: str) -> None:
    turn, _ = a_game(app)
    reply(app, BILL, turn, words)
    assert "I see" not in last_letter(app, BILL).text
    assert [] == moves(app)


def subject_alone(app: App, letter: ReceivedLetter, subject: str) -> str:
    to = letter.header("Reply-To")
    return mail(app, BILL, new_mail(BILL, to, "", subject), to)


def test_a_move_in_the_subject_of_an_empty_mail_is_played(app: App) -> None:
    turn, _ = a_game(app)
    assert "done" == subject_alone(app, turn, "f2 f4")
    assert ["f2 f4"] == moves(app)


@pytest.mark.parametrize("subject", ["Re: f2 f4", "AW: f2 f4", "Bipod #1: f2 f4", "Automatic reply: f2 f4"])
def test_a_subject_that_nobody_typed_is_not_read(app: App, subject: str) -> None:
    turn, _ = a_game(app)
    subject_alone(app, turn, subject)
    assert [] == moves(app)


def test_a_move_in_words_in_the_subject_is_named(app: App) -> None:
    turn, _ = a_game(app)
    subject_alone(app, turn, "my move is f2 and f4")
    assert "I see f2 f4 in your mail." in flat(last_letter(app, BILL).text)
    assert [] == moves(app)


def before_a_hex_is_taken() -> Position:
    position, rng = RULES["hexthing"].start(), Random(3)
    for _ in range(80):
        move = position.sample(rng)
        if str(move) == "take f3":
            return position
        position = position.follow(position.split(move)[0])
    raise AssertionError("no hex was taken")


def test_a_hex_alone_is_seen_with_the_word_that_is_due() -> None:
    assert "take f3" == seen_move("f3", before_a_hex_is_taken(), whole=True)


def test_a_misprint_beside_legal_cells_is_no_move() -> None:
    assert "" == seen_move("f2 f4 g9", RULES["bipod"].start(), whole=True)


def test_a_challenge_takes_player_and_game_in_either_order(app: App) -> None:
    a_game(app)
    writes(app, BILL, "challenge bagel Joao")
    assert "Bagel" in last_letter(app, BILL).text
    assert "challenge" in last_letter(app, JOAO).header("Message-ID")
