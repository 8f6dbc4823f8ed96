"""Notices about commands not carried out, and words sent to nobody."""

from __future__ import annotations

import pytest

from pbem.app import App
from tests.apps import BILL, JOAO, a_game, last_words, letters, reply

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
    assert 'The line "resign" is directly below other words' in last_words(app, BILL)


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
    reply(app, BILL, bills, f"It is late here.\n\n{order}\n--\nSee you on Sunday")
    letter = next(each for each in reversed(letters(app, BILL)))
    assert "not sent: It is late here." in letter.text
    assert "not sent: See you on Sunday" in letter.text
    assert "See you on Sunday" in letter.html
