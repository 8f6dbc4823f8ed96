"""Plies without a choice, made for who wants that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.core.game.game import Game
from pbem.core.play.automatic import only_move
from pbem.core.players import Preferences
from rules.contract import Seat
from tests.people import a_game, asks

WITH_ONE_LEFT = "d5 i7 g8 g6 e9 e3 b3 g3 d7 h5 b1 i9 a4 h8 e1 e2 d1".split()
"""A game of Bounders after which the second player has one move, b6."""


def before_it(*wants: Seat) -> Game:
    """The game one ply before the choice is gone."""
    game = a_game(WITH_ONE_LEFT[:-1], key="bounders", size="5")
    forced = Preferences(more={"forced": True})
    first, second = (
        replace(player, preferences=forced) if seat in wants else player
        for seat, player in enumerate(game.seats)
    )
    return replace(game, seats=(first, second))


def test_the_only_move_is_made_and_said_to_be_automatic() -> None:
    game = before_it(1)
    decision = asks(game, 0, "d1")
    assert [("d1", False), ("b6", True)] == [(ply.move, ply.auto) for ply in decision.state.plies[-2:]]
    assert ["receipt"] == [
        letter.kind for letter in decision.letters if letter.player == before_it(1).seats[0]
    ]


@pytest.mark.parametrize("wants", [(), (0,)])
def test_it_waits_for_who_has_not_asked_for_that(wants: tuple[Seat, ...]) -> None:
    decision = asks(before_it(*wants), 0, "d1")
    assert ("d1", 1) == (decision.state.plies[-1].move, decision.state.to_play)


@pytest.mark.parametrize("offer", ["draw", "annul"])
def test_an_open_offer_waits_for_its_answer_first(offer: str) -> None:
    game = before_it(1)
    decision = asks(game, 0, f"d1\n{offer}")
    assert [offer] == list(decision.state.offers)
    assert "d1" == decision.state.plies[-1].move


def test_a_plan_goes_before_the_only_move() -> None:
    planned = before_it(1)
    planned = planned.with_entries(asks(planned, 1, "if any then resign").entries)
    ending = asks(planned, 0, "d1").state.ending
    assert ending is not None
    assert "resignation" == ending.how


def test_words_alone_make_no_move() -> None:
    game = replace(a_game(WITH_ONE_LEFT, key="bounders", size="5"), seats=before_it(1).seats)
    assert only_move(game.state.position) is not None
    for seat in (0, 1):
        assert ["say"] == [entry.kind for entry in asks(game, seat, "say Hello").entries]


def test_where_a_choice_is_left_there_is_no_only_move() -> None:
    position = a_game(key="bounders", size="5").state.position
    assert only_move(position) is None
