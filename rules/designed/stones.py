"""The positions of a designed game in which stones are laid."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

from rules.contract import Move, Seat
from rules.copying import replaced
from rules.designed.endings import Designed, Stones
from rules.designed.plan import Where
from rules.designed.tables import cells_of
from rules.designed.taking import TAKEN, has_room
from rules.designed.telling import NEVER_TOLD, told_where
from rules.stone_placement import EMPTY, OneStone
from rules.stone_reading import Cells

Barrier = Where | str
"""Why a stone may not lie on a cell: a line `where`, or what a line `never` says, or `must`."""


@dataclass(frozen=True)
class FromFile(Designed, OneStone):
    """One position. A subclass for each file has its design."""

    due: int = 0
    """The side to play, which follows the last ply and not its number, as sides may pass."""
    held: Stones = field(default=(0, 0), compare=False, repr=False)
    past: tuple[tuple[int, int, int], ...] = field(default=(), compare=False, repr=False)
    """Earlier boards with the side that was to play, if the design asks for them."""
    decisive: int = field(default=0, compare=False, repr=False)
    """The stones that decided the game, as bits."""
    passed: bool = False
    """True if a side has just passed, as it had no ply."""

    def seat(self, colour: int) -> Seat:
        return 1 if colour ^ self.swapped else 0

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
        stones = (rival, own) if colour else (own, rival)
        made = replaced(self, self.after(colour, stones, cells, laid))
        made.__dict__.update(made.ending(colour, 1 << cell | turned, gone))
        return made

    def put(self, cell: int, colour: int) -> tuple[int, int, int]:
        """Return own stones, rival stones and what is taken after a stone is put on a cell."""
        own, rival = self.held[colour] | 1 << cell, self.held[1 - colour]
        gone = TAKEN[self.design.taking](self.tables, cell, own, rival)
        if not gone:
            return own, rival, 0
        return own | gone if self.design.taking == "turned" else own, rival & ~gone, gone

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

    def key(self) -> Hashable:
        return self.cells, self.due, self.swapped, self.may_swap, self.known()

    def instead(self, cell: int) -> str:
        near = self.board.nearest(self.board.xy[cell], self.open)
        return "" if near is None else f"; the nearest cell that may be played is {self.board.names[near]}"
