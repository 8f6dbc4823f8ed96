"""`rematch`: the same game again with the seats exchanged, in answer to the last letter."""

from __future__ import annotations

import pytest

from pbem.app import App
from pbem.core.game.game import Game
from pbem.store import games
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    ask,
    begin,
    last_words,
    letters,
    register,
    reply,
    writes,
)

TERMS = "5d/move unrated size=4 soft"


@pytest.fixture
def over(app: App) -> App:
    """Game 1, in which Bill was first, is over."""
    begin(app, TERMS, plies=2)
    writes(app, BILL, "resign yes")
    return app


def game(app: App, number: int) -> Game | None:
    with app.store.read() as db:
        return games.load_game(db, app.games_by_key, number)


def test_the_last_letter_says_the_one_word_that_asks_for_another_game(over: App) -> None:
    for who in (BILL, JOAO):
        assert 'Play again? Answer "rematch".' in last_words(over, who)
        assert "rematch" in letters(over, who)[-1].html


def test_the_other_gets_a_challenge_to_the_same_game_with_the_seats_exchanged(over: App) -> None:
    assert "done" == writes(over, BILL, "rematch\n\nThat was quick, one more?")
    asked = last_words(over, JOAO)
    assert "That was quick, one more?" in asked
    assert "on its way to Joao" in last_words(over, BILL)
    writes(over, JOAO, "accept")
    first, second = game(over, 1), game(over, 2)
    assert first is not None and second is not None
    assert first.seats[::-1] == second.seats
    for part in ("rules", "options", "time_control", "rated", "soft"):
        assert getattr(first, part) == getattr(second, part), part


def test_where_the_other_has_asked_already_the_game_begins(over: App) -> None:
    results = {who: letters(over, who)[-1] for who in (BILL, JOAO)}
    reply(over, JOAO, results[JOAO], "rematch")
    assert "done" == reply(over, BILL, results[BILL], "Rematch!\n\nGladly")
    begun = game(over, 2)
    assert begun is not None
    assert "Joao" == begun.seats[0].name
    assert game(over, 3) is None
    assert "Gladly" in last_words(over, JOAO)


def test_what_the_other_has_proposed_on_other_terms_is_not_accepted_unseen(over: App) -> None:
    result = letters(over, BILL)[-1]
    writes(over, JOAO, "challenge Bill bipod")
    reply(over, BILL, result, "rematch")
    assert game(over, 2) is None


def test_sent_twice_it_asks_once(over: App) -> None:
    result = letters(over, BILL)[-1]
    before = len(letters(over, JOAO))
    reply(over, BILL, result, "rematch")
    reply(over, BILL, result, "rematch again\nrematch")
    assert "waits already" in last_words(over, BILL)
    assert 1 == len(letters(over, JOAO)) - before


def test_by_a_number_from_a_letter_about_no_game(over: App) -> None:
    welcome = next(letter for letter in letters(over, BILL) if "Welcome" in letter.text)
    assert "done" == reply(over, BILL, welcome, "rematch 1")
    assert "on its way to Joao" in last_words(over, BILL)


@pytest.mark.parametrize(
    ("words", "told"),
    [("rematch", "Game 1 is not over yet."), ("rematch 7", "This is about no game.")],
)
def test_without_a_game_that_is_over_nobody_is_asked(app: App, words: str, told: str) -> None:
    begin(app, plies=1)
    before = len(letters(app, JOAO))
    assert told in ask(app, BILL, words)
    assert before == len(letters(app, JOAO))


def test_a_game_of_others_gives_no_rematch(over: App) -> None:
    welcome = register(over, ANNA, "Anna")
    reply(over, ANNA, welcome, "rematch 1")
    assert "This is about no game." in last_words(over, ANNA)


def test_after_a_block_it_says_only_that_no_game_can_begin(over: App) -> None:
    result = letters(over, BILL)[-1]
    writes(over, JOAO, "block Bill")
    reply(over, BILL, result, "rematch")
    assert "No game of Bipod with Joao can begin at present" in last_words(over, BILL)


def test_the_last_letter_has_a_button_that_asks_for_it(over: App) -> None:
    for who in (BILL, JOAO):
        assert "body=rematch" in letters(over, who)[-1].html
