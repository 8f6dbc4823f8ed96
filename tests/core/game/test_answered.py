"""Ends of a player's offers, as the page of the game tells them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.core.clock.time_control import read_pace
from pbem.core.game.answered import Answered, answered_offer
from pbem.core.game.game import Game
from pbem.core.game.journal import LAPSE, REPLACE
from tests.people import NOON, SEED_PLIES, a_game, asks

BILL, JOAO = 0, 1
HOUR = timedelta(hours=1)
MOVE = SEED_PLIES[4]
"""Bill's; it is his turn."""


def after(*mails: tuple[int, str]) -> Game:
    """The game after mails of the players."""
    game = replace(a_game(SEED_PLIES[:4]), time_control=read_pace("3d/move"))
    for seat, words in mails:
        decision = asks(game, seat, words)  # type: ignore[arg-type]
        assert "" == decision.refused
        game = game.with_entries(decision.entries)
    return game


@pytest.mark.parametrize(
    ("mails", "answered"),
    [
        ([], None),
        ([(BILL, "draw")], None),
        ([(BILL, "draw"), (JOAO, "decline")], Answered("draw", "declined")),
        ([(BILL, "draw"), (JOAO, "decline"), (BILL, MOVE)], None),
        ([(BILL, f"draw\n{MOVE}"), (JOAO, "decline")], Answered("draw", "declined")),
        ([(BILL, f"draw\n{MOVE}"), (JOAO, SEED_PLIES[5])], Answered("draw", "played")),
        ([(BILL, f"draw\n{MOVE}"), (JOAO, "accept")], None),
        ([(BILL, "pause 7 days"), (JOAO, "decline")], Answered("pause", "declined")),
        ([(BILL, "pause 7 days"), (JOAO, "accept")], None),
        ([(BILL, MOVE), (BILL, "undo"), (JOAO, "decline")], Answered("undo", "declined")),
        ([(BILL, MOVE), (BILL, "undo"), (JOAO, "accept")], None),
        ([(BILL, MOVE), (BILL, "undo"), (JOAO, SEED_PLIES[5])], Answered("undo", "played")),
        ([(BILL, "draw"), (JOAO, "decline"), (BILL, "pause 7 days")], None),
        ([(JOAO, "draw"), (BILL, "decline")], None),
        ([(BILL, "draw"), (JOAO, "decline"), (JOAO, "draw")], None),
    ],
)
def test_the_end_of_an_offer_is_known_until_the_next_ply(
    mails: list[tuple[int, str]], answered: Answered | None
) -> None:
    assert answered == answered_offer(after(*mails), BILL)


def test_who_comes_in_the_place_of_a_player_reads_of_no_offer_before() -> None:
    game = after((BILL, "draw"), (JOAO, "decline"))
    data = {"player": 3, "name": "Anna", "old": "Joao", "reason": "He left."}
    replaced = game.with_entries([game.next_entry(NOON + 12 * HOUR, REPLACE, JOAO, data)])
    assert answered_offer(replaced, BILL) is None


def test_an_offer_that_nobody_answered_has_lapsed() -> None:
    game = after((BILL, "draw"))
    at = game.state.offers["draw"].until
    lapsed = game.with_entries([game.next_entry(at, LAPSE, BILL, {"offer": "draw"})])
    assert Answered("draw", "lapsed") == answered_offer(lapsed, BILL)
    assert answered_offer(lapsed, JOAO) is None
