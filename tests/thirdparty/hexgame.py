"""Hex, by Piet Hein (1942) and John Nash (1947), as a package of its own would bring it.

Uses nothing but what `rules` offers to everybody; `pbem` has never heard of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from rules.board import Board, groups, slanted
from rules.contract import Move, Outcome, Position, Rules, Seat, number_option
from rules.lettering import slanted_labels
from rules.picture import Picture, Spot
from rules.pie import SWAP, swap_problem
from rules.placing import Stone, read, stones

COLOURS = ("Red", "Blue")
"""Red joins the top and the bottom, Blue the left and the right."""


def rhombus(side: int) -> Board:
    return slanted([(0, side - 1)] * side)


@dataclass(frozen=True)
class HexPosition(Position):
    """Cells in order of laying, Red first; whether the seats have swapped."""

    options: Mapping[str, Any]
    laid: tuple[str, ...] = ()
    swapped: bool = False
    outcome: Outcome | None = None

    @property
    def rules(self) -> Rules:
        return RULES

    @property
    def ply(self) -> int:
        return len(self.laid) + self.swapped

    @property
    def to_play(self) -> Seat | None:
        if self.outcome:
            return None
        return 1 if self.ply % 2 else 0

    @property
    def board(self) -> Board:
        return rhombus(self.options["side"])

    def side(self, seat: Seat) -> str:
        return COLOURS[seat ^ self.swapped]

    def colour(self, cell: str) -> int | None:
        """0 for Red, 1 for Blue, None for an empty cell."""
        return self.laid.index(cell) % 2 if cell in self.laid else None

    def read(self, text: str) -> Move:
        return read(self.board, "Hex", "c3", text)

    def problem(self, move: Move) -> str | None:
        if self.outcome:
            return f"The game is over: {self.outcome.reason}."
        if move == SWAP:
            return swap_problem(self.ply)
        return f"{move} is taken." if str(move) in self.laid else None

    def follow(self, move: Move) -> HexPosition:
        if move == SWAP:
            return replace(self, swapped=True)
        after = replace(self, laid=(*self.laid, str(move)))
        colour = (len(after.laid) - 1) % 2
        if not after.joins(colour):
            return after
        seat: Seat = 1 if colour ^ self.swapped else 0
        ends = "top and bottom" if colour == 0 else "left and right"
        return replace(after, outcome=Outcome(seat, COLOURS[colour], f"{COLOURS[colour]} wins: joins {ends}"))

    def joins(self, colour: int) -> bool:
        board, last = self.board, self.options["side"]
        own = [self.colour(name) == colour for name in board.names]
        ends = ("1", str(last)) if colour == 0 else ("a", "abcdefghijklmnopqrs"[last - 1])
        for group in groups(board, own):
            names = [board.names[cell] for cell in group]
            sides = {name[1:] for name in names} if colour == 0 else {name[0] for name in names}
            if set(ends) <= sides:
                return True
        return False

    def moves(self) -> Iterator[Move]:
        if self.outcome is None:
            if swap_problem(self.ply) is None:
                yield SWAP
            yield from (stones(self.board)[cell] for cell in self.playable())

    def sample(self, rng: Random) -> Move:
        return rng.choice(list(self.moves()))

    def playable(self) -> list[str]:
        return [] if self.outcome else [name for name in self.board.names if name not in self.laid]

    def examples(self) -> list[str]:
        swap = ["swap"] if self.outcome is None and swap_problem(self.ply) is None else []
        return self.playable()[:2] + swap

    def draw(self) -> Picture:
        board = self.board
        spots = []
        for name, (x, y) in zip(board.names, board.xy, strict=True):
            colour = self.colour(name)
            look = "empty" if colour is None else ("dark", "light")[colour]
            words = "empty" if colour is None else COLOURS[colour]
            marks = frozenset({"last"} if self.laid[-1:] == (name,) else {"legal"} if colour is None else ())
            spots.append(Spot(name, x, y, "." if colour is None else "RB"[colour], look, words, marks))
        text = "; ".join(f"{label}: {' '.join(cells) or 'none'}" for label, cells in self.stones())
        return Picture("hex", "Hex", text, tuple(spots), slanted_labels(board))

    def stones(self) -> list[tuple[str, list[str]]]:
        return [(f"{COLOURS[n]} ({'RB'[n]})", sorted(self.laid[n::2])) for n in (0, 1)]

    def data(self) -> dict[str, Any]:
        return {"options": dict(self.options), "laid": list(self.laid), "swapped": self.swapped}


def begin(options: Mapping[str, Any], seed: int) -> HexPosition:
    return HexPosition(dict(options))


def restore(data: Mapping[str, Any]) -> HexPosition:
    position = HexPosition(data["options"])
    for n, cell in enumerate(data["laid"]):
        position = position.follow(Stone(cell))
        if n == 0 and data["swapped"]:
            position = position.follow(SWAP)
    return position


RULES = Rules(
    key="hex",
    name="Hex",
    designer="Piet Hein and John Nash",
    year=1942,
    terms="Anybody may play it, program it and sell it.",
    summary="Red joins the top and the bottom of a rhombus, Blue the left and the right.",
    turn="A ply is one cell, such as c3; on ply 2 also swap.",
    options=(number_option("side", "cells along a side", 7, 3, 19),),
    begin=begin,
    restore=restore,
    pie=True,
)

__all__ = ["RULES", "HexPosition"]
