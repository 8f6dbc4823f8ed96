"""Red Hex, which is Hex by Piet Hein and John Nash in two colours: a whole game for pbem, as a package."""

from collections.abc import Mapping
from typing import Any

from rules.board import Board, groups, slanted
from rules.contract import Outcome
from rules.option import number_option
from rules.stone_placement import OneStone, one_stone


class HexPosition(OneStone):
    """Red joins the rows of the rhombus, bottom and top; Blue joins its left and right sides."""

    players = (("Red", "X"), ("Blue", "O"))

    @staticmethod
    def board_of(options: Mapping[str, Any]) -> Board:
        return slanted([(0, options["side"] - 1)] * options["side"])

    def judge(self) -> Outcome | None:
        return next((Outcome(self.seat(n), *self.ending(n)) for n in (0, 1) if self.chain(n)), None)

    def ending(self, colour: int) -> tuple[str, str]:
        side = self.players[colour][0]
        return side, f"{side} wins: joins {('top and bottom', 'left and right')[colour]}"

    def chain(self, colour: int) -> list[int]:
        """The cells with which a colour has joined its sides, none as long as it has not."""
        along = [(int(name[1:]), ord(name[0]) - ord("a") + 1)[colour] for name in self.board.names]
        own = [held == self.players[colour][1] for held in self.cells]
        ends = {1, self.options["side"]}
        return next((each for each in groups(self.board, own) if ends <= {along[c] for c in each}), [])

    @property
    def won(self) -> list[int]:
        return self.chain(0) or self.chain(1)


RULES = one_stone(
    HexPosition,
    key="redhex",
    name="Red Hex",
    designer="Piet Hein and John Nash",
    year=1942,
    terms="Anybody may play it, program it and sell it.",
    summary="Red joins the top and the bottom of a rhombus, Blue the left and the right.",
    turn="A move is one cell, such as c3; on move 2 also swap.",
    options=(number_option("side", "cells along a side", 7, 3, 19),),
    text="Red and Blue lay stones by turns, one stone a move, on any empty cell. Stones never move.\n\n"
    "Whoever has joined both sides of theirs by one group of stones has won; somebody always does.",
    page="<p>Red and Blue lay stones by turns. Whoever joins both sides of theirs has won.</p>",
    emblem='<path d="M20 6l12 7v14l-12 7-12-7V13z" fill="none" stroke="var(--red)"/>',
    example='[Game "Red Hex"]\n[Options "side=3"]\n[First "Ada"]\n[Second "Ben"]\n\n'
    "1 first b2\n2 second a1\n3 first b1\n4 second c1\n5 first b3\n",
)
