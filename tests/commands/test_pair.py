"""A pair of games: one challenge, two games, the seats changed."""

from __future__ import annotations

import pytest

from pbem.app import App
from pbem.store import games, players
from tests.apps import BILL, JOAO, ask, last_words, letters, register, writes


@pytest.fixture
def two(app: App) -> App:
    register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    return app


def seats(app: App) -> list[list[str]]:
    """The names of the seats of Bill's running games."""
    with app.store.read() as db:
        bill = players.player_by_name(db, "Bill")
        assert bill is not None
        found = [
            games.load_game(db, app.games_by_key, each.id)
            for each in games.running_of_player(db, app.games_by_key, bill)
        ]
    return [[seat.name for seat in game.seats] for game in found if game]


def test_a_pair_begins_two_games_with_the_seats_changed(two: App) -> None:
    assert "your challenge is on its way" in ask(two, BILL, "pair Joao bipod 3d/move")
    told = last_words(two, JOAO)
    assert "Bill would like to play two games of Bipod with you" in told
    assert "two games, each of you is first once" in told
    writes(two, JOAO, "accept")
    assert [["Bill", "Joao"], ["Joao", "Bill"]] == sorted(seats(two))
    assert 2 == sum("the game begins" in each.text for each in letters(two, BILL)[-2:])


def test_a_pair_that_a_limit_forbids_begins_no_game(two: App) -> None:
    ask(two, BILL, "pair bipod Joao")
    ask(two, JOAO, "limit bipod 1")
    two_games = ask(two, JOAO, "accept 1")
    assert "You want at most 1 games of Bipod" in two_games
    assert [] == seats(two)
    ask(two, JOAO, "limit bipod 2")
    writes(two, JOAO, "accept 1")
    assert 2 == len(seats(two))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("pair bot bipod", "A pair of games needs two people"),
        ("pair Nobody bipod", "Nobody"),
        ("pair Bill bipod", "That is your own name"),
    ],
)
def test_what_is_no_pair_is_said(two: App, words: str, sentence: str) -> None:
    assert sentence in ask(two, BILL, words)
    assert [] == seats(two)
