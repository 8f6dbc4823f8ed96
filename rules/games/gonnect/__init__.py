"""Gonnect, by João Pedro Neto, 2000: stones are taken as in Go. Whoever joins two opposite edges wins."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rules.board import Board, square
from rules.contract import Outcome
from rules.games.gonnect.chains import Chains, joined
from rules.games.gonnect.lessons import LESSONS
from rules.games.gonnect.playing_on import KNOWLEDGE
from rules.option import number_option
from rules.stone_placement import EMPTY, one_stone
from rules.taking import Taking


@dataclass(frozen=True)
class GonnectPosition(Taking):
    """One position. No board that stood before may come back, whoever is to play."""

    stood: frozenset[str] = field(default=frozenset(), repr=False)
    """The stones of all positions so far."""

    lays = "lays a stone that has a liberty"

    @staticmethod
    def board_of(options: Mapping[str, Any]) -> Board:
        return square(options["size"])

    @cached_property
    def chains(self) -> Chains:
        return Chains(self.board, self.cells, [glyph for _, glyph in self.players])

    def after(self, cell: int) -> str:
        own = self.players[self.colour][1]
        taken = [each for chain in self.chains.takes(cell, self.colour) for each in chain.cells]
        if not taken:
            return self.cells[:cell] + own + self.cells[cell + 1 :]
        cells = list(self.cells)
        for each, held in ((cell, own), *((each, EMPTY) for each in taken)):
            cells[each] = held
        return "".join(cells)

    def refusal(self, cell: int) -> str | None:
        if not self.chains.breathes(cell, self.colour):
            return "would leave your stones without a liberty"
        return "would bring back an earlier board" if self.after(cell) in self.stood else None

    def further(self, cells: str) -> Mapping[str, Any]:
        return {"stood": self.stood | {cells}}

    @property
    def won(self) -> list[int]:
        """Return the chain of the last stone if it joins two opposite edges."""
        chain = self.chains.at[self.laid.index(max(self.laid))] if self.ply else None
        return chain.cells if chain and joined(chain.edges) else []

    def judge(self) -> Outcome | None:
        rival = 1 - self.colour
        side, other = self.players[rival][0], self.players[self.colour][0]
        if won := self.won:
            chain = self.chains.at[won[0]]
            assert chain
            return Outcome(self.seat(rival), side, f"{side} wins: joins {joined(chain.edges)}")
        if any(held == EMPTY and self.refusal(cell) is None for cell, held in enumerate(self.cells)):
            return None
        return Outcome(self.seat(rival), side, f"{side} wins: {other} has no legal move")

    def key(self) -> tuple[object, ...]:
        return super().key(), self.stood


RULES = one_stone(
    GonnectPosition,
    key="gonnect",
    name="Gonnect",
    designer="Joao Pedro Neto",
    year=2000,
    terms="Its designer keeps the copyright of his text, and sets no terms; the rules are told in our words.",
    family="connection",
    summary="Stones without a liberty are taken, as in Go; whoever joins two opposite edges wins.",
    turn="A move is one cell, such as g7; on move 2 also swap.",
    options=(number_option("size", "cells along a side", 13, 5, 19, rated=(9, 19)),),
    knowledge=KNOWLEDGE,
    lessons=LESSONS,
)
