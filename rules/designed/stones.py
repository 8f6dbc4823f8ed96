"""The positions of a designed game in which stones are laid."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, ClassVar, Self

from rules.contract import Move, Outcome, Rules, Seat
from rules.copying import replaced
from rules.designed import scoring
from rules.designed.goals import Reached, figure, reached
from rules.designed.plan import BoardLine, Design, Goal, Where
from rules.designed.setting import first_cells, setting_of, tables_for
from rules.designed.tables import BoardTables, bits_of, cells_of
from rules.designed.taking import TAKEN, has_room, regions
from rules.designed.telling import NEVER_TOLD, told_where
from rules.stone_placement import EMPTY, OneStone
from rules.stone_reading import Cells

Stones = tuple[int, int]
"""The stones of the first and of the second side, as bits."""
Barrier = Where | str
"""Why a stone may not lie on a cell: a line `where`, or what a line `never` says, or `must`."""
UNDECIDED = 0


@dataclass(frozen=True)
class FromFile(OneStone):
    """One position. A subclass for each file has its design."""

    due: int = 0
    """The side to play, which follows the last ply and not its number, as sides may pass."""
    held: Stones = field(default=(0, 0), compare=False, repr=False)
    past: tuple[tuple[int, int, int], ...] = field(default=(), compare=False, repr=False)
    """Earlier boards with the side that was to play, if the design asks for them."""
    decisive: int = field(default=UNDECIDED, compare=False, repr=False)
    """The stones that decided the game, as bits."""
    passed: bool = False
    """True if a side has just passed, as it had no ply."""

    design: ClassVar[Design]

    @classmethod
    def setting(cls, options: Mapping[str, Any]) -> tuple[BoardLine, int]:
        return setting_of(cls.design, options)

    @classmethod
    def tables_of(cls, options: Mapping[str, Any]) -> BoardTables:
        return tables_for(cls.design, options)

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
        return self.tables_of(self.options)

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

    @property
    def has_pie(self) -> bool:
        return self.design.opening == "swap" and super().has_pie

    def follow(self, move: Move) -> Self:
        if not isinstance(move, Cells):
            return replace(self, ply=self.ply + 1, swapped=True, passed=False)
        return self.laid_on(self.board.index[move.cells[0]])

    def laid_on(self, cell: int) -> Self:
        """Return the position after a stone of the side to play is put on an empty cell."""
        colour, ply = self.due, self.ply + 1
        own, rival, gone = self.put(cell, colour)
        glyph = self.players[colour][1]
        cells, laid = self.cells[:cell] + glyph + self.cells[cell + 1 :], list(self.laid)
        laid[cell] = ply
        turned = gone if self.design.taking == "turned" else 0
        for other in cells_of(gone):
            cells = cells[:other] + (glyph if turned else EMPTY) + cells[other + 1 :]
            if not turned:
                laid[other] = 0
        made = replaced(
            self,
            {
                "board": self.board,
                "tables": self.tables,
                "ply": ply,
                "cells": cells,
                "laid": tuple(laid),
                "due": 1 - colour,
                "held": (rival, own) if colour else (own, rival),
                "past": (*self.past, (*self.held, colour)) if self.design.remembers else (),
                "outcome": None,
                "passed": False,
            },
        )
        made.__dict__.update(made.ending(colour, 1 << cell | turned, gone))
        return made

    def put(self, cell: int, colour: int) -> tuple[int, int, int]:
        """Return own stones, rival stones and what is taken after a stone is put on a cell."""
        own, rival = self.held[colour] | 1 << cell, self.held[1 - colour]
        gone = TAKEN[self.design.taking](self.tables, cell, own, rival)
        if not gone:
            return own, rival, 0
        return own | gone if self.design.taking == "turned" else own, rival & ~gone, gone

    def ending(self, colour: int, changed: int, gone: int) -> dict[str, Any]:
        """Return the fields that tell of the end, of a side without a ply, or nothing."""
        found = self.won_by(colour, changed)
        if not found and gone:
            found = self.won_by(1 - colour, self.held[1 - colour])
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

    def won_by(self, colour: int, changed: int) -> dict[str, Any]:
        """Return the outcome and the stones that decide if a side has reached a goal, else {}."""
        goals = goals_of(type(self), *self.setting_key, colour)
        if not goals:
            return {}
        tables, own = self.tables, self.held[colour]
        groups = list[int]()
        joined = own | tables.owned[colour]
        for cell in cells_of(changed & own) if any(goal.kind != "row" for goal, _ in goals) else ():
            if not any(group >> cell & 1 for group in groups):
                groups.append(tables.group(1 << cell, joined))
        for goal, function in goals:
            if decisive := function(tables, own, groups, changed & own):
                side = self.players[colour][0]
                outcome = Outcome(self.seat(colour), side, f"{side} wins: {figure(goal)}")
                return {"outcome": outcome, "decisive": decisive}
        return {}

    @property
    def setting_key(self) -> tuple[BoardLine, int]:
        return self.setting(self.options)

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

    def can_play(self, colour: int) -> bool:
        empty = self.tables.every & ~self.held[0] & ~self.held[1]
        if not self.design.limits:
            return bool(empty)
        return any(self.barrier(cell, colour) is None for cell in cells_of(empty))

    @cached_property
    def open(self) -> Sequence[int]:
        empty = self.tables.every & ~self.held[0] & ~self.held[1]
        if not self.design.limits:
            return [empty >> cell & 1 for cell in range(len(self.cells))]
        found = [
            bool(empty >> cell & 1) and self.barrier(cell, self.due) is None
            for cell in range(len(self.cells))
        ]
        if self.design.must_take:
            takes = [is_open and bool(self.put(cell, self.due)[2]) for cell, is_open in enumerate(found)]
            return takes if any(takes) else found
        return found

    def barrier(self, cell: int, colour: int) -> Barrier | None:
        """Return the line of the file that shuts an empty cell to a side, or None."""
        near, stones = self.tables.near[cell], self.held
        for where in self.design.where:
            if where.kind == "takes":
                fits = bool(self.put(cell, colour)[2])
            elif where.kind in ("edge", "inside"):
                fits = bool(self.tables.rim >> cell & 1) == (where.kind == "edge")
            else:
                own, rival = (near & stones[colour]).bit_count(), (near & stones[1 - colour]).bit_count()
                count = {"own": own, "rival": rival, "any": own + rival}[where.whose]
                fits = own == rival if where.kind == "equal" else where.least <= count <= where.most
            if not fits:
                return where
        return self._never(cell, colour) if self.design.never else None

    def _never(self, cell: int, colour: int) -> Barrier | None:
        own, rival, _ = self.put(cell, colour)
        after = (rival, own) if colour else (own, rival)
        for never in self.design.never:
            if never == "no room":
                shut = not has_room(self.tables, cell, own, rival)
            elif never == "board before":
                shut = bool(self.past) and self.past[-1][:2] == after
            else:
                shut = after in self.earlier
            if shut:
                return never
        return None

    @cached_property
    def earlier(self) -> frozenset[Stones]:
        return frozenset((first, second) for first, second, _ in self.past)

    def shut(self, names: Sequence[str]) -> str | None:
        board, name = self.board, names[0]
        cell = board.index[name]
        if self.open[cell]:
            return None
        barrier = self.barrier(cell, self.due)
        near = board.nearest(board.xy[cell], self.open)
        hint = "" if near is None else f"; the nearest cell that may be played is {board.names[near]}"
        return f"{name} may not be played: {self._told(cell, barrier)}{hint}."

    def _told(self, cell: int, barrier: Barrier | None) -> str:
        if barrier is None:
            return "whoever can take must take"
        if isinstance(barrier, str):
            return NEVER_TOLD[barrier]
        near = self.tables.near[cell]
        first, second = ((near & stones).bit_count() for stones in self.held)
        (one, _), (other, _) = self.players
        beside = f"{first} {one.lower()} and {second} {other.lower()} stones lie beside it; "
        return (
            f"{beside if barrier.kind in ('equal', 'number') else ''}a stone goes where {told_where(barrier)}"
        )

    def key(self) -> Hashable:
        design = self.design
        known: Hashable = None
        if design.repeats:
            known = tuple(sorted(self.past))
        elif "earlier board" in design.never:
            known = self.earlier
        elif design.remembers:
            known = self.past[-1:]
        return self.cells, self.due, self.swapped, self.may_swap, known, self.ply if design.max_plies else 0

    def remarks(self) -> list[str]:
        if not self.passed or self.outcome:
            return []
        return [f"{self.players[1 - self.due][0]} has no move, so {self.players[self.due][0]} plays again."]

    def scores(self) -> dict[str, Any]:
        return self.count.table(self.players) if self.design.score and self.outcome else {}

    @property
    def won(self) -> Iterable[int]:  # type: ignore[override]
        return frozenset(cells_of(self.decisive)) if self.outcome else ()

    @cached_property
    def glyphs(self) -> str:
        """Return stones, and `-` for shut cells. At the end regions have the small letter of their owner."""
        if self.outcome and self.design.score == "regions":
            shown = list(self.cells)
            for land, owner in self.lands:
                for cell in cells_of(land):
                    shown[cell] = "-" if owner < 0 else self.players[owner][1].lower()
            return "".join(shown)
        if self.outcome or not self.design.limits:
            return self.cells
        pairs = zip(self.cells, self.open, strict=True)
        return "".join("-" if held == EMPTY and not is_open else held for held, is_open in pairs)

    @property
    def lists(self) -> list[tuple[str, str]]:
        stones = [(f"{side} ({glyph})", glyph) for side, glyph in self.players]
        if self.outcome and self.design.score == "regions":
            lands = [(f"Land of {side} ({glyph.lower()})", glyph.lower()) for side, glyph in self.players]
            return [*stones, *lands, ("Land of nobody (-)", "-")]
        return [*stones, ("Not to be played now (-)", "-")]

    def words(self, cell: int) -> str:
        held, glyph = self.cells[cell], self.glyphs[cell]
        if held != EMPTY:
            side = self.players[held == self.players[1][1]][0].lower()
            return f"a {side} stone" + ("" if self.design.start else f", move {self.laid[cell]}")
        if glyph == EMPTY:
            return "empty"
        if not self.outcome:
            return "empty, may not be played"
        owner = next((side for side, sign in self.players if sign.lower() == glyph), "nobody")
        return f"land of {owner}"

    def instead(self, cell: int) -> str:
        near = self.board.nearest(self.board.xy[cell], self.open)
        return "" if near is None else f"; the nearest cell that may be played is {self.board.names[near]}"


@cache
def goals_of(
    position: type[FromFile], line: BoardLine, size: int, colour: int
) -> tuple[tuple[Goal, Reached], ...]:
    """Return the goals of a side, in the order of the file, with their functions."""
    del size
    name = position.players[colour][0]
    return tuple((goal, reached(goal, line)) for goal in position.design.goals if goal.side in ("", name))
