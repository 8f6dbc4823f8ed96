"""One situation of Bounders: what may be played, what follows, what is told of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rules import notation, placing
from rules.board import Board, hexagon
from rules.contract import SEAT_NAMES, ByTurns, Draft, Illegal, Move, Outcome, Rules, Seat
from rules.games.bounders import counting
from rules.games.bounders.counting import DARK, EMPTY, LIGHT, SIDES, Result, Territory
from rules.games.bounders.drawing import draw
from rules.picture import Picture
from rules.pie import SWAP, swap_problem
from rules.placing import Stone

if TYPE_CHECKING:
    from random import Random

_STONES = {LIGHT: "a light stone", DARK: "a dark stone"}


def board_of(options: Mapping[str, Any]) -> Board:
    """The hexagon that the options ask for: cells a1 to m13 where its sides have 7."""
    return hexagon(options["size"], options["size"])


@dataclass(frozen=True)
class BoundersPosition(ByTurns):
    """One situation: what lies where since which ply, and whether the seats have exchanged sides."""

    options: Mapping[str, Any]
    ply: int
    cells: str
    """What each cell holds, in reading order."""
    laid: tuple[int, ...]
    """The ply in which each cell's stone was laid, 0 for none."""
    swapped: bool
    lead: tuple[int, ...] = field(compare=False, repr=False)
    """By cell: how many more light than dark stones it touches; follows from `cells`."""
    outcome: Outcome | None = field(init=False)

    def __post_init__(self) -> None:
        outcome = None
        # Balance does not depend on who is to play, so the game ends for both at once.
        if (EMPTY, 0) not in zip(self.cells, self.lead, strict=True):
            won = self.result.winner
            outcome = Outcome(
                winner=None if won is None else self._seat(won),
                side=None if won is None else SIDES[won],
                reason=self.result.reason,
            )
        object.__setattr__(self, "outcome", outcome)

    @property
    def rules(self) -> Rules:  # type: ignore[override]
        from rules.games.bounders import RULES  # which needs this module

        return RULES

    @cached_property
    def board(self) -> Board:
        return board_of(self.options)

    @cached_property
    def territories(self) -> list[Territory]:
        """The empty regions as they are now; the game awards them at its end alone."""
        return counting.territories(self.board, self.cells)

    @cached_property
    def result(self) -> Result:
        """What counting gives; only at the end is it anybody's."""
        counts = {
            colour: counting.count(self.territories, self.cells, colour, opened=self._seat(colour) == 0)
            for colour in (LIGHT, DARK)
        }
        return counting.result(counts, counting.comparisons(self.options["scoring"], self._pie))

    @property
    def _pie(self) -> bool:
        return bool(self.options["pie"] == "yes")

    def _seat(self, colour: str) -> Seat:
        return 0 if (colour == LIGHT) != self.swapped else 1

    def _colour(self, seat: Seat) -> str:
        return LIGHT if self._seat(LIGHT) == seat else DARK

    def side(self, seat: Seat) -> str | None:
        return SIDES[self._colour(seat)]

    def read(self, text: str) -> Move:
        return placing.read(self.board, "Bounders", self._middle, text)

    @property
    def _middle(self) -> str:
        """The name of the cell in the middle, `g7` where sides have 7."""
        return self.board.names[len(self.board) // 2]

    # ------------------------------------------------------------------------------------- legality

    def problem(self, move: Move) -> str | None:
        if self.outcome:
            return self.over()
        if move == SWAP:
            return swap_problem(self.ply, self._pie)
        if isinstance(move, Stone):
            return self._stone_problem(move.cell)
        return f"{move} is no move of Bounders."

    def _stone_problem(self, name: str) -> str | None:
        cell = self.board.index.get(name)
        if cell is None:
            return notation.no_such_slanted_cell(self.board, name)
        if self.cells[cell] != EMPTY:
            return f"{name} is taken ({self.words(cell)})."
        if self.lead[cell] == 0:
            return None
        light, dark = (
            sum(self.cells[beside] == colour for beside in self.board.near[cell]) for colour in (LIGHT, DARK)
        )
        near = self.board.nearest(self.board.xy[cell], self._balanced)
        hint = "" if near is None else f"; the nearest cell that may be played is {self.board.names[near]}"
        return (
            f"{name} touches {light or 'no'} light and {dark or 'no'} dark stones;"
            f" it needs as many of each{hint}."
        )

    @cached_property
    def _balanced(self) -> list[bool]:
        """By cell: whether it is empty and touches as many light as dark stones (none of either included)."""
        return [content == EMPTY and lead == 0 for content, lead in zip(self.cells, self.lead, strict=True)]

    # --------------------------------------------------------------------------------------- playing

    def follow(self, move: Move) -> BoundersPosition:
        ply = self.ply + 1
        if move == SWAP:
            return BoundersPosition(self.options, ply, self.cells, self.laid, True, self.lead)
        if not isinstance(move, Stone):
            raise Illegal(f"{move} is no move of Bounders.")
        colour = self._colour(1 if self.ply % 2 else 0)
        cell = self.board.index[move.cell]
        laid, lead = list(self.laid), list(self.lead)
        laid[cell] = ply
        for beside in self.board.near[cell]:
            lead[beside] += 1 if colour == LIGHT else -1
        cells = f"{self.cells[:cell]}{colour}{self.cells[cell + 1 :]}"
        return BoundersPosition(self.options, ply, cells, tuple(laid), self.swapped, tuple(lead))

    @property
    def _may_swap(self) -> bool:
        return not self.outcome and swap_problem(self.ply, self._pie) is None

    def moves(self) -> Iterator[Move]:
        for name in self.playable():
            yield Stone(name)
        if self._may_swap:
            yield SWAP

    def sample(self, rng: Random) -> Move:
        if self._may_swap and rng.random() < 0.3:
            return SWAP
        names = self.playable()
        if not names:
            raise Illegal(self.problem(Stone(self._middle)) or "")
        return Stone(rng.choice(names))

    def playable(self) -> list[str]:
        names = zip(self.board.names, self.cells, self.lead, strict=True)
        return [name for name, content, lead in names if content == EMPTY and lead == 0]

    def examples(self) -> list[str]:
        """The open cells nearest to the last stone and to the middle, and swap where it may be."""
        if self.outcome:
            return []
        middle = len(self.board) // 2
        last = self.laid.index(max(self.laid)) if self.ply else middle
        found = [self.board.nearest(self.board.xy[cell], self._balanced) for cell in (last, middle)]
        names = [self.board.names[cell] for cell in found if cell is not None]
        return [*dict.fromkeys(names), *(["swap"] if self._may_swap else [])]

    def draft(self, text: str) -> Draft:
        side = (self.side(self.to_play) or "") if self.to_play is not None else ""
        swap = "you are Light from now on, and the stone is yours" if self._may_swap else ""
        return placing.draft(self, text, f"a {side.lower()} stone", swap)

    # --------------------------------------------------------------------------------------- telling

    def data(self) -> dict[str, Any]:
        return {
            "game": "bounders",
            "options": dict(self.options),
            "ply": self.ply,
            "cells": self.cells,
            "laid": list(self.laid),
            "swapped": self.swapped,
        }

    def scores(self) -> dict[str, Any]:
        """At the end: side -> what was compared, down to what decided. {} before it."""
        return self.result.table() if self.outcome else {}

    def notes(self) -> list[str]:
        if self.to_play is None:
            return counting.awarded(self.territories)
        due = f"{self.side(self.to_play)} lays a stone on a cell that touches as many light as dark stones."
        if self._may_swap:
            return [due, "Or ply 2 is swap: then second is Light, and first plays on as Dark."]
        if self.swapped and self.ply == 2:
            return [f"Ply 2 was swap: {SEAT_NAMES[0]} is Dark and {SEAT_NAMES[1]} is Light from now on.", due]
        return [due]

    @cached_property
    def glyphs(self) -> str:
        """What each cell is drawn as: stones, `.` and `-` for balanced cells and others, and at the end
        `o`, `x` and `-` for territories of Light, of Dark and of nobody."""
        if not self.outcome:
            return "".join(
                "-" if content == EMPTY and lead else content
                for content, lead in zip(self.cells, self.lead, strict=True)
            )
        shown = list(self.cells)
        for territory in self.territories:
            for cell in territory.cells:
                shown[cell] = {LIGHT: "o", DARK: "x"}.get(territory.owner, "-")
        return "".join(shown)

    def stones(self) -> list[tuple[str, list[str]]]:
        if self.outcome:
            others = [("Light's territories", "o"), ("Dark's territories", "x"), ("Nobody's", "-")]
        else:
            others = [("Not balanced", "-")]
        lists = [
            (
                f"{label} ({glyph})",
                [n for n, g in zip(self.board.names, self.glyphs, strict=True) if g == glyph],
            )
            for label, glyph in [("Light stones", LIGHT), ("Dark stones", DARK), *others]
        ]
        return [(label, names) for label, names in lists if names]

    def words(self, cell: int) -> str:
        """What lies on a cell, in words."""
        content = self.cells[cell]
        if content in _STONES:
            return f"{_STONES[content]}, ply {self.laid[cell]}"
        if not self.outcome:
            return "empty, not balanced" if self.lead[cell] else "empty"
        territory = next(each for each in self.territories if cell in each.cells)
        whose = SIDES.get(territory.owner, "Nobody")
        return f"{whose}'s territory of {len(territory.cells)}"

    def draw(self) -> Picture:
        return draw(self)
