"""Words that play in every game: moves, numbered moves, `move`, special plies."""

from __future__ import annotations

from random import Random

import pytest

from pbem.core.game.journal import PLY, Entry
from pbem.core.parsing.commands import PLY_WORDS
from rules import RULES
from rules.contract import NoMove, RulesError
from tests.people import NOON, SEED_GAME, a_game, asks

GUARDS = ["#{n} {move}", "#{n}: {move}", "{n}. {move}", "{n}.{move}", "move {move}", "Move: {move}"]
GUARDS += ["MOVE #{n} {move}", "move {n}. {move}", "* {move}", "#{n} {move}."]


def games(key: str, upto: int = 8):
    """A random game as it was before each of its first plies."""
    rng = Random(11)
    game = a_game(key=key)
    for _ in range(upto):
        yield game
        position = game.state.position
        if position.to_play is None:
            return
        move, _ = position.split(position.sample(rng))
        entry = Entry(len(game.journal) + 1, NOON, PLY, position.to_play, {"move": str(move)})
        game = game.with_entries([entry])


@pytest.mark.parametrize("guard", GUARDS)
@pytest.mark.parametrize("key", RULES)
def test_a_move_is_the_same_however_it_is_introduced(key, guard):
    rng = Random(2)
    for game in games(key):
        seat = game.state.to_play
        if seat is None:
            return
        move = str(game.state.position.sample(rng))
        n = game.state.position.ply + 1
        plain = asks(game, seat, move).entries
        assert plain == asks(game, seat, guard.format(n=n, move=move)).entries
        assert "ply" == plain[0].kind


@pytest.mark.parametrize("key", RULES)
def test_a_move_for_another_ply_than_the_next_is_refused_in_every_game(key):
    rng = Random(2)
    for game in games(key):
        seat = game.state.to_play
        if seat is None:
            return
        move = str(game.state.position.sample(rng))
        for n in (game.state.position.ply + 2, 900):
            done = asks(game, seat, f"#{n} {move}")
            assert () == done.entries
            assert f"there is no move {n} to play now" in done.refused


@pytest.mark.parametrize("word", sorted(PLY_WORDS))
@pytest.mark.parametrize("key", RULES)
def test_a_word_that_is_a_ply_is_played_or_refused_by_the_game_or_is_prose(key, word):
    for game in games(key):
        seat, position = game.state.to_play, game.state.position
        if seat is None:
            return
        try:
            problem = position.problem(position.read(word))
        except NoMove:
            with pytest.raises(AssertionError, match="I could not find a move"):
                asks(game, seat, word)
            continue
        except RulesError as error:
            problem = str(error)
        done = asks(game, seat, word.upper())
        assert (problem or "") == done.refused
        assert ([] if problem else [word]) == [entry.data["move"] for entry in done.entries]


def test_bids_are_read_by_the_game_that_has_them_and_their_faults_told_by_it():
    game = a_game(key="hexthing")
    begun = asks(game, 0, "play 3S bid 3 max 12")
    assert ["play 3S bid 3"] == [entry.data["move"] for entry in begun.entries]
    game = game.with_entries(asks(game, 0, "play 3S bid 3").entries)
    assert ["bid 5"] == [entry.data["move"] for entry in asks(game, 1, "bid 5 max 12").entries]
    for words, reason in (("bid 5 max 2", "max"), ("bid", "the amount is missing"), ("bid 2", "bid 2")):
        done = asks(game, 1, words)
        assert () == done.entries
        assert reason in done.refused
        assert "not offered" not in done.refused


@pytest.mark.parametrize(("plies", "asked"), [(8, True), (9, False), (10, False)])
def test_a_resignation_is_asked_about_before_the_tenth_ply_alone(plies, asked):
    game = a_game(SEED_GAME[:plies])
    assert asked == bool(asks(game, 0, "resign").asks)
    assert ["resign"] == [entry.kind for entry in asks(game, 0, "resign yes").entries]
