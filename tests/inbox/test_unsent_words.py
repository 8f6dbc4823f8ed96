"""Notices about commands not carried out, and words sent to nobody."""

from __future__ import annotations

import re

import pytest

from pbem.app import App
from tests.apps import BILL, JOAO, a_game, last_letter, last_words, letters, reply

LONG = "I was away for a while, and the weather was too fine to sit inside, so\n"


def test_a_game_goes_on_where_resign_ends_a_paragraph_above_a_move_and_the_answer_names_it(
    app: App,
) -> None:
    bills, _ = a_game(app)
    assert "done" == reply(app, BILL, bills, f"{LONG}resign\n\nf2")
    told = last_words(app, BILL)
    assert "your move 1 is f2" in told
    assert 'The line "resign" is directly below other words' in told
    assert "not sent: I was away" in told


def test_where_nothing_else_is_in_the_mail_the_answer_asks(app: App) -> None:
    bills, _ = a_game(app)
    assert "refused" == reply(app, BILL, bills, f"{LONG}resign")
    assert "it may be part of a sentence" in last_words(app, BILL)


def test_a_slip_below_a_move_is_asked_about_and_the_move_is_made(app: App) -> None:
    bills, _ = a_game(app)
    assert "done" == reply(app, BILL, bills, "f2\ndrat")
    assert 'Did you mean "draw"?' in last_words(app, BILL)
    assert "offers" not in last_words(app, JOAO)


def test_words_that_begin_like_a_telephones_reach_the_other_player(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "f2\n\nSent from Lisbon with love. See you on Sunday")
    assert "Sent from Lisbon with love. See you on Sunday" in last_words(app, JOAO)


@pytest.mark.parametrize("order", ["f2", "show", "games", "help", "rating", "standings bipod", "set"])
def test_whatever_is_asked_for_the_answer_tells_the_words_that_went_to_nobody(app: App, order: str) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, f"It is late here.\nIt rains too.\n\n{order}\n--\nSee you on Sunday")
    letter = next(each for each in reversed(letters(app, BILL)))
    assert "not sent: It is late here." in letter.text
    assert "not sent: See you on Sunday" in letter.text
    assert "See you on Sunday" in letter.html


def test_lines_below_a_command_that_takes_no_words_are_told(app: App) -> None:
    bills, _ = a_game(app)
    lines = "set recipts off\nset zone Paris\nlimit bipod to 3"
    assert "done" == reply(app, BILL, bills, f"set moments off\n{lines}")
    told = "\n".join(each.text for each in letters(app, BILL)[-2:])
    assert "Not done, and sent to nobody." in told
    assert ["limit bipod to 3"] == re.findall("not done: (.*)", told)
    assert "done" == reply(app, BILL, bills, "set zone Paris\nset moments off, will you\ndigest at 7")
    told = last_letter(app, BILL).text
    assert ["set moments off, will you", "digest at 7"] == re.findall("not done: (.*)", told)
    assert "done" == reply(app, BILL, bills, "It is late here.\n\nset zone Paris\nset moments off")
    assert "not sent: It is late here." in last_letter(app, BILL).text


@pytest.mark.parametrize("order", ["moves", "try f2", "show"])
def test_words_below_what_only_shows_are_told_too(app: App, order: str) -> None:
    bills, _ = a_game(app)
    assert "done" == reply(app, BILL, bills, f"{order}\n\nCan we pause until Monday?")
    assert "not done: Can we pause until Monday?" in last_letter(app, BILL).text


@pytest.mark.parametrize("end", ["Thanks,\nBill", "Thanks, Bill", "Thank you!", "Best regards\nBill"])
def test_thanks_and_the_writers_name_are_not_told(app: App, end: str) -> None:
    bills, _ = a_game(app)
    assert "done" == reply(app, BILL, bills, f"set zone Paris\n\n{end}")
    assert "not done:" not in last_letter(app, BILL).text


@pytest.mark.parametrize("words", ["set moments off", "f2\n\nHello, Joao!", "challenge Joao bagel\n\nAgain?"])
def test_words_that_somebody_gets_are_not_told(app: App, words: str) -> None:
    bills, _ = a_game(app)
    assert "done" == reply(app, BILL, bills, words)
    assert "not done:" not in last_letter(app, BILL).text
