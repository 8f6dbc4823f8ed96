"""The end of a designed game, and all else that games of stones and of men have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Mapping
from functools import cache, cached_property
from typing import Any, ClassVar, Self

from rules.contract import Outcome, Rules, Seat
from rules.copying import replaced
from rules.designed import scoring
from rules.designed.goals import OF_GROUPS, Reached, figure, reached
from rules.designed.plan import BoardLine, Design, Goal
from rules.designed.setting import first_cells, setting_of, tables_for
from rules.designed.tables import BoardTables, bits_of, cells_of
from rules.designed.taking import regions
from rules.stone_placement import EMPTY, Placement

Stones = tuple[int, int]
"""The stones of the first and of the second side, as bits."""


class Designed(Placement):
    """A position of a game from a file. Subclasses have the fields that stand here without a value."""

    due: int
    held: Stones
    past: tuple[tuple[int, int, int], ...]
    decisive: int
    passed: bool
    design: ClassVar[Design]
    players: ClassVar[tuple[tuple[str, str], tuple[str, str]]]

    @abstractmethod
    def seat(self, colour: int) -> Seat:
        """Return the seat that plays a side."""

    @abstractmethod
    def can_play(self, colour: int) -> bool:
        """True if a side has a ply."""

    @classmethod
    def first_cells(cls, options: Mapping[str, Any]) -> str:
        return first_cells(cls.design, options)

    @classmethod
    def begin(cls, rules: Rules, options: Mapping[str, Any], seed: int = 0) -> Self:
        begun = super().begin(rules, options, seed)
        stones = tuple(
            bits_of(cell for cell, held in enumerate(begun.cells) if held == glyph)
            for _, glyph in cls.players
        )
        return replaced(begun, {"held": stones, "outcome": None})

    @cached_property
    def tables(self) -> BoardTables:
        return tables_for(self.design, self.options)

    def judge(self) -> Outcome | None:
        return None

    def _end(self) -> Outcome | None:
        """Return None: `follow` stores the end of the game."""
        return None

    @property
    def colour(self) -> int:
        return self.due

    @property
    def to_play(self) -> Seat | None:
        return None if self.outcome else self.seat(self.due)

    def after(self, colour: int, stones: Stones, cells: str, laid: Iterable[int]) -> dict[str, Any]:
        """Return the fields of the position after a ply of `colour`, without its end."""
        return {
            "board": self.board,
            "tables": self.tables,
            "ply": self.ply + 1,
            "cells": cells,
            "laid": tuple(laid),
            "due": 1 - colour,
            "held": stones,
            "past": (*self.past, (*self.held, colour)) if self.design.remembers else (),
            "outcome": None,
            "passed": False,
        }

    def ending(self, colour: int, changed: int, gone: int) -> dict[str, Any]:
        """Return the fields that tell of the end, of a side without a ply, or nothing."""
        found = self.won_by(colour, changed)
        if not found and gone:
            found = self.won_by(1 - colour, self.held[1 - colour], moved=False)
        if found:
            return found
        design, ply = self.design, self.ply
        if design.max_plies and ply >= design.max_plies:
            return {"outcome": Outcome(None, None, f"Draw: {ply} moves were played")}
        now = (*self.held, self.due)
        if design.repeats and self.past.count(now) + 1 >= design.repeats:
            return {"outcome": Outcome(None, None, f"Draw: the same board stands for time {design.repeats}")}
        if self.can_play(self.due):
            return {}
        if design.stuck == "loses":
            side = self.players[colour][0]
            reason = f"{side} wins: {self.players[1 - colour][0]} has no move"
            return {"outcome": Outcome(self.seat(colour), side, reason)}
        if design.stuck == "passes" and self.can_play(colour):
            return {"due": colour, "passed": True}
        return {"outcome": self.counted(), "decisive": 0}

    def won_by(self, colour: int, changed: int, moved: bool = True) -> dict[str, Any]:
        """Return the outcome and the stones that decide if a side has reached a goal, else {}.

        `moved` is True for the side that made the ply.
        """
        goals = goals_of(type(self), setting_of(self.design, self.options)[0], colour)
        tables, own, groups = self.tables, self.held[colour], list[int]()
        joined = own | tables.owned[colour]
        for cell in cells_of(changed & own) if any(goal.kind in OF_GROUPS for goal, _ in goals) else ():
            if not any(group >> cell & 1 for group in groups):
                groups.append(tables.group(1 << cell, joined))
        for goal, function in goals:
            if goal.kind == "bare":
                decisive = 0 if self.held[1 - colour] else own
            elif goal.kind == "far" and not moved:
                continue
            else:
                decisive = function(tables, own, groups, changed & own)
            if decisive:
                side = self.players[colour][0]
                outcome = Outcome(self.seat(colour), side, f"{side} wins: {figure(goal)}")
                return {"outcome": outcome, "decisive": decisive}
        return {}

    def counted(self) -> Outcome:
        """Return the outcome of a game that ends without a goal: by the score, or a draw."""
        if not self.design.score:
            return Outcome(None, None, scoring.full_or_stuck(EMPTY in self.cells))
        return self.count.outcome(self.players, self.seat)

    @cached_property
    def count(self) -> scoring.Tally:
        design = self.design
        lands = self.lands if design.score == "regions" else []
        ties = design.ties.get(self.options.get("scoring", ""), ())
        return scoring.Tally(design.score, ties, self.held, tuple(lands))

    @cached_property
    def lands(self) -> list[tuple[int, int]]:
        """Return the regions of empty cells with their owners."""
        return regions(self.tables, self.held)

    @cached_property
    def earlier(self) -> frozenset[Stones]:
        return frozenset((first, second) for first, second, _ in self.past)

    def known(self) -> Hashable:
        """Return what of the past decides which plies and ends may follow."""
        design = self.design
        boards: Hashable = None
        if design.repeats:
            boards = tuple(sorted(self.past))
        elif "earlier board" in design.never:
            boards = self.earlier
        elif design.remembers:
            boards = self.past[-1:]
        return boards, self.ply if design.max_plies else 0

    def remarks(self) -> list[str]:
        if not self.passed or self.outcome:
            return []
        return [f"{self.players[1 - self.due][0]} has no move, so {self.players[self.due][0]} plays again."]

    def scores(self) -> dict[str, Any]:
        return self.count.table(self.players) if self.design.score and self.outcome else {}

    @property
    def won(self) -> Iterable[int]:  # type: ignore[override]
        return frozenset(cells_of(self.decisive)) if self.outcome else ()


@cache
def goals_of(position: type[Designed], line: BoardLine, colour: int) -> tuple[tuple[Goal, Reached], ...]:
    """Return the goals of a side, in the order of the file, with their functions."""
    name = position.players[colour][0]
    goals = [goal for goal in position.design.goals if goal.side in ("", name)]
    return tuple((goal, reached(goal, line, colour)) for goal in goals)
