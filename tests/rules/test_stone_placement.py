"""The kit for games of stones, apart from any game here."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from rules.board import Board, slanted
from rules.conformance import check
from rules.contract import Outcome
from rules.stone_placement import FULL, OneStone, one_stone


class Endless(OneStone):
    """A game whose author forgot that the board may be full."""

    players = (("Red", "X"), ("Blue", "O"))

    @staticmethod
    def board_of(options: Mapping[str, Any]) -> Board:
        return slanted([(0, 2)] * 3)

    def judge(self) -> Outcome | None:
        return None


RULES = one_stone(
    Endless,
    key="endless",
    name="Endless",
    designer="Nobody",
    year=2026,
    terms="Anybody may play it.",
    summary="Nobody wins.",
    turn="A ply is one cell, such as b2; on ply 2 also swap.",
    text="Red and Blue lay stones by turns.",
    page="<p>Red and Blue lay stones by turns.</p>",
    emblem='<path d="M20 6l12 7v14l-12 7-12-7V13z"/>',
)


def test_a_full_board_is_a_draw_where_a_game_says_nothing_of_it() -> None:
    position, rng = RULES.start(), Random(1)
    while position.outcome is None:
        position = position.play(position.sample(rng))
    assert FULL == position.outcome
    assert [] == [*position.moves()]
    check(RULES)
