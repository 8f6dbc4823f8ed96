"""Games whose letters do not come."""

from __future__ import annotations

from pbem.app import App
from pbem.core.game.view import view
from pbem.core.letters.letter import about_game
from pbem.core.letters.muted import muted_games
from pbem.core.players import Player, Preferences
from pbem.store import players
from tests.apps import BILL, JOAO, a_game, ask, last_words, letters, register, reply
from tests.people import HOST
from tests.people import a_game as game_of


def muted_by(app: App, name: str) -> list[int]:
    with app.store.read() as db:
        player = players.player_by_name(db, name)
    assert player is not None
    return sorted(muted_games(player))


def test_a_muted_game_sends_its_end_and_answers_alone(app: App) -> None:
    bills, joaos = a_game(app)
    reply(app, JOAO, joaos, "mute")
    assert "is muted" in last_words(app, JOAO)
    number = len(letters(app, JOAO))
    reply(app, BILL, bills, "f2")
    reply(app, BILL, bills, "say Are you there?")
    reply(app, BILL, bills, "draw")
    assert number == len(letters(app, JOAO))
    reply(app, JOAO, joaos, "show")
    assert number + 1 == len(letters(app, JOAO))
    reply(app, BILL, bills, "resign yes")
    assert "You have won" in last_words(app, JOAO)


def test_unmute_brings_the_letters_again(app: App) -> None:
    bills, joaos = a_game(app)
    reply(app, JOAO, joaos, "mute 1")
    assert [1] == muted_by(app, "Joao")
    assert "come again" in ask(app, JOAO, "unmute 1")
    assert [] == muted_by(app, "Joao")
    assert "You have not muted game 1" in ask(app, JOAO, "unmute 1")
    reply(app, BILL, bills, "say Are you there?")
    assert "Are you there?" in last_words(app, JOAO)


def test_only_a_running_game_whose_letters_come_is_muted(app: App) -> None:
    bills, _ = a_game(app)
    anna = "anna@example.org"
    register(app, anna, "Anna")
    assert "neither play in game 1 nor watch it" in ask(app, anna, "mute 1")
    ask(app, anna, "watch 1")
    assert "is muted" in ask(app, anna, "mute 1")
    assert "Bipod #1" in ask(app, anna, "mute")
    reply(app, BILL, bills, "resign yes")
    assert "is over" in ask(app, BILL, "mute 1")
    assert "No game is muted" in ask(app, anna, "mute")


def test_the_own_fallen_flag_is_told_in_a_muted_game_and_no_other() -> None:
    game = game_of()
    deaf = {"preferences": Preferences(more={"muted": [42]})}
    bill = Player(**{**vars(game.seats[0]), **deaf})
    seen = view(game, 0, HOST)
    for kind, facts, comes in (
        ("flag", {"whose": 0}, True),
        ("flag", {"whose": 1}, False),
        ("reminder", {}, False),
        ("turn", {}, False),
        ("director", {}, True),
    ):
        letter = about_game(kind, seen, **facts)
        muted = type(letter)(**{**vars(letter), "player": bill})
        assert letter.wanted
        assert comes == muted.wanted, kind
