"""What people really write: each is done, or answered with the one thing to write."""

from __future__ import annotations

import pytest

from pbem.app import App
from pbem.mail.person.mailbox import new_mail
from tests.apps import BILL, JOAO, Town, a_game, ask, last_letter, last_words, register, reply, writes

HINTS = [
    ("what are my games?", '"games"'),
    ("show me my games", '"games"'),
    ("I'd like a draw", '"draw"'),
    ("Draw?", '"draw"'),
    ("dwar", '"draw"'),
    ("challenge joao bounders size 4", '"size=4"'),
    ("say", '"say Good luck!"'),
    ("Say:", '"say Good luck!"'),
    ("f2 f4 g9", "there is no row 9"),
]


@pytest.mark.parametrize(("words", "hint"), HINTS)
def test_the_answer_names_what_to_write(app: App, words: str, hint: str) -> None:
    turn, _ = a_game(app)
    assert "refused" == reply(app, BILL, turn, words)
    assert hint in last_words(app, BILL).partition("This is")[0]


def test_a_challenge_takes_player_and_game_in_either_order(app: App) -> None:
    a_game(app)
    for words in ("challenge bagel Joao", "challenge Joao bagel unrated"):
        told = ask(app, BILL, words)
        assert "Bagel" in told or "waits already" in told


def test_an_option_that_is_there_twice_is_refused(app: App) -> None:
    a_game(app)
    told = ask(app, BILL, "challenge Joao bounders size=3 size=4")
    assert "size=3 and size=4 cannot be: size is 3 to 11" in told
    assert "refused" == writes(app, BILL, "seek bounders size=3 size=4")
    assert "on its way" in ask(app, BILL, "challenge Joao bounders size=4 size=4")


def test_standings_alone_list_all_games(app: App) -> None:
    a_game(app)
    told = ask(app, BILL, "standings")
    for rules in app.offered.values():
        assert f"{rules.name}: nobody has a sure rating yet" in told
        assert f"body=standings%20{rules.key}" in last_letter(app, BILL).html


@pytest.mark.parametrize("order", ["seek bipod", "play bipod"])
def test_the_words_of_a_seek_are_kept_for_whoever_takes_it(app: App, order: str) -> None:
    register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    assert "you wrote: I am new here." in ask(app, BILL, f"{order}\n\nI am new here.\nBe gentle.")
    writes(app, JOAO, "take 1")
    assert "Bill: I am new here. Bill: Be gentle." in last_words(app, JOAO)
    assert "I am new here" not in last_words(app, BILL)


def test_a_plan_or_too_many_words_are_no_words_of_a_seek(app: App) -> None:
    register(app, BILL, "Bill")
    assert "refused" == writes(app, BILL, "seek bipod\n\nif f2 then g3")
    assert "refused" == writes(app, BILL, f"seek bipod\n\n{'words ' * 2000}")


def test_a_hex_alone_is_played_where_one_word_is_due(town: Town) -> None:
    game = next(
        game
        for plies in range(4, 80)
        if (game := town.game(BILL, JOAO, "hexthing", plies)).state.to_play == 0
        and game.state.position.examples()[0].startswith("take ")
    )
    due = game.state.position.examples()[0]
    to = town.lobby(BILL)
    (board,) = town.mail(BILL, new_mail(BILL, to, f"game {game.id}\nshow"), to)
    town.reply(BILL, board, due.removeprefix("take "))
    assert due == town.moves(game.id)[-1]
