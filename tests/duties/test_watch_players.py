"""Watching all games of a player, by mail."""

from __future__ import annotations

import pytest

from pbem.app import App
from pbem.commands.watch import MAX_PLAYERS
from pbem.duties.watch import send_watched, watch_new_games
from pbem.store import watches
from tests.apps import ANNA, BILL, JOAO, ask, begin, letters, player, register, writes

CARL = "carl@example.com"


@pytest.fixture
def app(app: App) -> App:
    """Game 1 runs between Bill and Joao."""
    begin(app, "3d/move")
    for who, name in ((ANNA, "Anna"), (CARL, "Carl")):
        register(app, who, name)
    return app


def look(app: App) -> None:
    watch_new_games(app)
    send_watched(app)


def told(app: App, who: str = ANNA) -> list[str]:
    """The subjects of the letters that the next round brings to somebody who watches."""
    before = len(letters(app, who))
    look(app)
    return [letter.header("Subject") for letter in letters(app, who)[before:]]


def watched(app: App, name: str = "Anna") -> list[int]:
    with app.store.read() as db:
        return watches.watched_by_player(db, player(app, name))


def start(app: App, one: str, other: str, name: str, number: int) -> None:
    """A game of Bipod, which `one` begins."""
    ask(app, one, f"challenge {name} bipod first none")
    assert "done" == writes(app, other, f"accept {number}")


def test_all_games_of_a_player_are_watched_those_that_run_and_those_that_begin_later(app: App) -> None:
    answer = ask(app, ANNA, "watch Joao")
    assert "you get a letter whenever a game of Joao goes on" in answer
    assert "Bipod #1" in answer
    assert [] == told(app)
    writes(app, BILL, "game 1\nf2 f4 g3")
    assert 1 == len(told(app))
    start(app, CARL, JOAO, "Joao", 2)
    assert [] == told(app)
    assert [1, 2] == watched(app)
    writes(app, CARL, "game 2\nf2 f4 g3")
    (subject,) = told(app)
    assert "#2" in subject
    assert [] == told(app)


def test_unwatch_and_a_name_ends_it_for_all_games_but_those_asked_for_by_number(app: App) -> None:
    start(app, CARL, JOAO, "Joao", 2)
    ask(app, ANNA, "watch Joao")
    ask(app, ANNA, "watch 2")
    assert "You watch the games of Joao no more" in ask(app, ANNA, "unwatch Joao")
    assert [2] == watched(app)
    start(app, BILL, JOAO, "Joao", 3)
    look(app)
    assert [2] == watched(app)


def test_a_game_of_a_watched_player_can_be_left_alone(app: App) -> None:
    ask(app, ANNA, "watch Joao")
    assert "You watch game 1 no more" in ask(app, ANNA, "unwatch 1")
    start(app, CARL, JOAO, "Joao", 2)
    look(app)
    assert [2] == watched(app)


def test_a_game_of_two_watched_players_stays_while_one_of_them_is_watched(app: App) -> None:
    ask(app, ANNA, "watch Joao\nwatch Bill")
    ask(app, ANNA, "unwatch Joao")
    assert [1] == watched(app)
    assert "You watch the games of Bill no more" in ask(app, ANNA, "unwatch")
    assert [] == watched(app)


def test_unwatch_alone_lists_games_and_players(app: App) -> None:
    start(app, CARL, BILL, "Bill", 2)
    ask(app, ANNA, "watch Joao\nwatch 2")
    assert 'You watch 1 game and 1 player; write "unwatch 2" or "unwatch Joao"' in ask(app, ANNA, "unwatch")
    assert "You watch all games of Joao." in ask(app, ANNA, "watch")


def test_one_s_own_games_are_not_watched(app: App) -> None:
    ask(app, BILL, "watch Joao")
    assert [] == watched(app, "Bill")
    start(app, BILL, JOAO, "Joao", 2)
    look(app)
    assert [] == watched(app, "Bill")


def test_to_watch_a_player_twice_is_to_watch_once(app: App) -> None:
    ask(app, ANNA, "watch Joao")
    assert "a game of Joao goes on" in ask(app, ANNA, "watch player joao")
    assert [1] == watched(app)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("watch Jaoo", "Nobody here is called Jaoo. Did you mean Joao?"),
        ("watch Anna", "That is your own name"),
        ("watch bot3", "Nobody here is called bot3"),
        ("unwatch Joao", "You do not watch the games of Joao."),
        ("unwatch Nobody", "Nobody here is called Nobody."),
        ("unwatch 1", "You do not watch game 1."),
    ],
)
def test_what_cannot_be_is_refused(app: App, words: str, reason: str) -> None:
    assert reason in ask(app, ANNA, words)
    assert [] == watched(app)


def test_a_bot_is_not_watched(app: App) -> None:
    ask(app, CARL, "challenge bot1 bipod")
    assert "bot1 plays too many games" in ask(app, ANNA, "watch bot1")


@pytest.mark.parametrize(
    "words", ["watch out", "watch Joao play", "watch it", "Joao watch", "watch your step"]
)
def test_prose_stays_prose(app: App, words: str) -> None:
    ask(app, ANNA, words)
    assert [] == watched(app)


def test_one_may_watch_only_so_many_players(app: App) -> None:
    names = [f"Dora{n}" for n in range(MAX_PLAYERS)]
    for name in names:
        register(app, f"{name.lower()}@example.com", name)
        ask(app, ANNA, f"watch {name}")
    assert "as many players as one can" in ask(app, ANNA, "watch Joao")
    ask(app, ANNA, "unwatch Dora0")
    assert "a game of Joao goes on" in ask(app, ANNA, "watch Joao")


def test_a_block_ends_it_in_both_directions_and_the_other_is_not_told(app: App) -> None:
    ask(app, ANNA, "watch Joao")
    ask(app, JOAO, "block Anna")
    assert [] == watched(app)
    assert "All games of Joao cannot be watched at present" in ask(app, ANNA, "watch Joao")
    ask(app, CARL, "block Bill")
    assert "You have blocked Bill" in ask(app, CARL, "watch Bill")


def test_a_game_against_somebody_with_a_block_is_left_out(app: App) -> None:
    ask(app, BILL, "block Anna")
    ask(app, ANNA, "watch Joao")
    assert [] == watched(app)
    start(app, BILL, JOAO, "Joao", 2)
    start(app, CARL, JOAO, "Joao", 3)
    look(app)
    assert [3] == watched(app)


def test_a_player_who_is_forgotten_is_watched_no_more_and_watches_nothing(app: App) -> None:
    ask(app, ANNA, "watch Joao\nwatch Bill")
    ask(app, CARL, "watch Anna")
    writes(app, JOAO, "forget me")
    writes(app, JOAO, "yes")
    assert "You watch all games of Bill." in ask(app, ANNA, "watch")
    writes(app, ANNA, "forget me")
    writes(app, ANNA, "yes")
    assert "you watch no game" in ask(app, CARL, "watch")


@pytest.mark.each_database
def test_the_round_takes_each_new_game_once(app: App) -> None:
    ask(app, ANNA, "watch Joao")
    ask(app, CARL, "watch Joao")
    start(app, BILL, JOAO, "Joao", 2)
    for _ in range(2):
        look(app)
    assert [1, 2] == watched(app) == watched(app, "Carl")
