"""Several games at once: one player challenges members of a club, or players by name."""

from __future__ import annotations

import pytest

from pbem.app import App
from pbem.commands import moderation as acts
from pbem.store import challenges
from tests.apps import ask, last_letter, last_words, letters, player, register, writes
from tests.inbox.test_club_leagues import NAMES, a_club, address, running


@pytest.fixture
def club(app: App) -> App:
    """The club of Anna, with four others."""
    a_club(app, NAMES[:5])
    return app


def challenged(app: App) -> list[str]:
    """The names of those whom Anna's open challenges are for."""
    with app.store.read() as db:
        found = challenges.open_challenges(db, app.games_by_key, player(app, "Anna"), app.now())
    return sorted(each.challenged.name for each in found)


def test_a_simul_challenges_all_members_and_brings_one_letter(club: App) -> None:
    before = len(letters(club, address("Anna")))
    told = ask(club, address("Anna"), "simul 8 bagel 3d/move first\n\nWho dares?")
    assert "you offer 4 players a game of Bagel each" in told
    assert before + 1 == len(letters(club, address("Anna")))
    assert ["Bill", "Chris", "Dora", "Emil"] == challenged(club)
    assert "Anna offers the same to 4 players" in last_words(club, address("Bill"))
    assert "Who dares?" in last_words(club, address("Bill"))
    for name in ("Bill", "Dora"):
        writes(club, address(name), "accept")
    assert 2 == len(running(club, "Anna"))
    assert "Anna - Dora" in last_letter(club, address("Dora")).header("Subject")


def test_where_there_are_more_members_those_asked_are_drawn(club: App) -> None:
    assert "you offer 2 players" in ask(club, address("Anna"), "simul 2 bagel in Tuesday Evening")
    assert 2 == len(challenged(club))


def test_named_players_are_asked_without_a_club(app: App) -> None:
    for name in ("Anna", "Bill", "Chris"):
        register(app, address(name), name)
    assert "You are in no club" in ask(app, address("Anna"), "simul 2 bagel")
    assert "you offer 2 players" in ask(app, address("Anna"), "simul bagel for Bill and Chris")
    assert ["Bill", "Chris"] == challenged(app)
    assert "waits already" in ask(app, address("Anna"), "simul bagel for Chris, Bill")


def test_who_cannot_be_challenged_is_passed_over_in_a_club_and_said_where_named(club: App) -> None:
    writes(club, address("Bill"), "block Anna")
    acts.carry_out(club, acts.Operator("op", "Rude."), acts.bar_player, "Chris")
    assert "No game of Bagel with Bill can begin" in ask(club, address("Anna"), "simul bagel for Dora Bill")
    assert [] == challenged(club)
    assert "you offer 2 players" in ask(club, address("Anna"), "simul bagel")
    assert ["Dora", "Emil"] == challenged(club)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("simul 9 bagel", "A simul has 2 to 8 boards"),
        ("simul 1 bagel", "A simul has 2 to 8 boards"),
        ("simul bagel for Bill", "and you name 1"),
        ("simul bagel for Bill Nobody", "Nobody"),
        ("simul bagel for Bill Anna", "That is your own name"),
        ("simul bagel in Monday Club", "You are in no club called Monday Club"),
        ("simul bagel size=99", "size"),
    ],
)
def test_what_cannot_be_a_simul_is_said(club: App, words: str, sentence: str) -> None:
    assert sentence in ask(club, address("Anna"), words)
    assert [] == challenged(club)


def test_no_more_games_are_offered_than_a_player_may_have(club: App) -> None:
    ask(club, address("Anna"), "limit bagel 2")
    ask(club, address("Anna"), "simul 4 bagel")
    assert "limit" in last_words(club, address("Anna"))
    assert [] == challenged(club)
    assert "you offer 2 players" in ask(club, address("Anna"), "simul 2 bagel")


def test_a_barred_player_offers_nothing(club: App) -> None:
    acts.carry_out(club, acts.Operator("op", "Rude."), acts.bar_player, "Anna")
    assert "has barred you" in ask(club, address("Anna"), "simul bagel")
    assert [] == challenged(club)


def test_a_simul_that_comes_twice_is_one(club: App) -> None:
    ask(club, address("Anna"), "simul 2 bagel")
    before = challenged(club)
    assert "wait already" in ask(club, address("Anna"), "simul 2 bagel")
    assert before == challenged(club)
