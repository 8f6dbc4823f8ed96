"""Guesses at the next move: who may guess, and what is read."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from pbem.core.errors import Refusal
from pbem.core.exercises.guesses import (
    check_guesser,
    check_ply,
    read_guess,
    right_guesses,
    same_moves,
    settle,
)
from pbem.core.game.game import Game
from pbem.core.game.journal import REPLACE, RESIGN, TAKEBACK
from pbem.core.players import Player, bot_address
from rules import RULES
from tests.people import BILL, JOAO, a_game

ANNA = replace(BILL, id=31, name="Anna")
BOT = replace(BILL, id=32, name="bot3", address=bot_address("bot3"))


def refusal(game: Game, who: Player = ANNA) -> str:
    with pytest.raises(Refusal) as refused:
        check_guesser(game, who)
    return str(refused.value)


def test_players_and_bots_do_not_guess_and_nobody_guesses_at_a_bots_move() -> None:
    game = a_game(["f2"])
    check_guesser(game, ANNA)
    assert "You play in game 42 yourself" in refusal(game, JOAO)
    assert "Bots do not guess." == refusal(game, BOT)
    against = replace(game, seats=(BILL, BOT))
    assert "It is the turn of bot3, a bot." in refusal(against)
    check_guesser(replace(game, seats=(BOT, JOAO)), ANNA)


def test_a_guess_is_for_the_next_move_only() -> None:
    game = a_game(["f2", "g3"])
    check_ply(game, 3)
    for ply, told in ((2, "Move 2 of game 42 has been made already: g3."), (4, "gone back to move 3")):
        with pytest.raises(Refusal, match=told):
            check_ply(game, ply)


@pytest.mark.parametrize("key", sorted(RULES))
def test_a_guess_is_spelled_as_the_journal_spells_the_move(key: str) -> None:
    position, rng = RULES[key].start({}), Random(3)
    for _ in range(6):
        move = position.sample(rng)
        assert str(move) == read_guess(position, str(move))
        position = position.follow(move)
        if position.outcome:
            break


def test_another_order_of_the_same_cells_is_the_same_move() -> None:
    position = a_game().state.position
    assert {"f2 f4", "f4 f2"} == same_moves(position, "f4 f2", ["f2 f4", "f4 f2", "f2", "a1"])


def test_a_guess_that_cannot_be_played_is_explained() -> None:
    position = a_game(["f2"]).state.position
    long = " ".join(["g3"] * 99)
    for text, told in (("f2", "f2"), ("z9", "z9"), ("hello", "no move of Bipod"), (long, "200 characters")):
        with pytest.raises(Refusal, match=told):
            read_guess(position, text)


def test_a_capital_that_a_phone_may_have_made_has_to_be_settled() -> None:
    position = a_game().state.position
    assert "E1" == read_guess(position, "E1")
    with pytest.raises(Refusal, match="write `move e1` or `move E1`"):
        read_guess(position, "E1", sure=False)
    assert "e1" == read_guess(position, "e1", sure=False)


def test_a_move_is_compared_with_its_guesses_alone() -> None:
    game = a_game(["f2", "g3"])
    done = settle(game.state, game.journal[-1:])
    assert ["g3"] == [ply.move for ply in done.made]
    assert (None, False, []) == (done.void_after, done.ended, done.void_of)
    assert {"g3"} == right_guesses(game, done.made[0], ["g3", "f3"])


def test_a_takeback_voids_the_guesses_after_what_is_left() -> None:
    game = a_game(["f2", "g3"])
    back = game.next_entry(game.started_at, TAKEBACK, 1, {"to": game.journal[-1].n})
    after = game.with_entries([back])
    done = settle(after.state, [back])
    assert (len(after.state.plies), []) == (done.void_after, done.made)


def test_an_end_and_a_new_player_void_what_is_sealed() -> None:
    game = a_game(["f2"])
    end = game.next_entry(game.started_at, RESIGN, 0, {})
    assert settle(game.with_entries([end]).state, [end]).ended
    seated = game.next_entry(game.started_at, REPLACE, 1, {"player": ANNA.id})
    assert [ANNA.id] == settle(game.state, [seated]).void_of
