"""The positions of a designed game in which pieces move."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar, Self

from rules.contract import Move, Seat
from rules.designed.endings import Designed, Stones
from rules.designed.plan import Design, WayLine
from rules.designed.tables import bits_of, cells_of
from rules.designed.telling import NEVER_TOLD
from rules.grids import HEX, Place
from rules.moving import Moving, Path, Paths, Way

_AHEAD, _BACK, _SIDES = ((0, -1),), ((0, 1),), ((-2, 0), (2, 0))
_ASLANT_AHEAD, _ASLANT_BACK = ((-2, -1), (2, -1)), ((-2, 1), (2, 1))
SQUARE_STEPS: Mapping[str, tuple[Place, ...]] = {
    "ahead": _AHEAD,
    "aslant ahead": _ASLANT_AHEAD,
    "sideways": _SIDES,
    "back": _BACK,
    "aslant back": _ASLANT_BACK,
    "straight": (*_AHEAD, *_SIDES, *_BACK),
    "aslant": (*_ASLANT_AHEAD, *_ASLANT_BACK),
    "all round": (*_AHEAD, *_SIDES, *_BACK, *_ASLANT_AHEAD, *_ASLANT_BACK),
}
HEX_STEPS: Mapping[str, tuple[Place, ...]] = {
    "ahead": ((-1, -1), (1, -1)),
    "back": ((-1, 1), (1, 1)),
    "all round": HEX.around,
}


@dataclass(frozen=True)
class MenFromFile(Designed, Moving):
    """One position. A subclass for each file has its design."""

    due: int = 0
    held: Stones = field(default=(0, 0), compare=False, repr=False)
    past: tuple[tuple[int, int, int], ...] = field(default=(), compare=False, repr=False)
    decisive: int = field(default=0, compare=False, repr=False)
    passed: bool = False

    ways: ClassVar[Mapping[str, Sequence[Way]]]

    def seat(self, colour: int) -> Seat:
        return 1 if colour else 0

    def paths(self, cell: int) -> Paths:
        found = super().paths(cell)
        owner = self.owner(cell)
        if not found or owner is None or not self.design.never:
            return found
        return {end: taken for end, taken in found.items() if not self._never(cell, end, owner)}

    def _never(self, start: int, end: int, owner: int) -> str:
        """Return the line `never` that this path breaks, or ""."""
        after = self._moved(start, end, super().paths(start)[end], owner)
        for never in self.design.never:
            if never == "board before" and self.past and self.past[-1][:2] == after:
                return never
            if never == "earlier board" and after in self.earlier:
                return never
        return ""

    def _moved(self, start: int, end: int, taken: Sequence[int], owner: int) -> Stones:
        """Return the stones after a path of a side."""
        own = self.held[owner] & ~(1 << start) | 1 << end
        rival = self.held[1 - owner] & ~bits_of(taken)
        return (rival, own) if owner else (own, rival)

    def follow(self, move: Move) -> Self:
        assert isinstance(move, Path)
        start, end = (self.board.index[name] for name in move.cells)
        colour, taken = self.due, self.paths(start)[end]
        made = super().follow(move)
        stones = self._moved(start, end, taken, colour)
        made.__dict__.update(self.after(colour, stones, made.cells, made.laid))
        made.__dict__.update(made.ending(colour, 1 << end, bits_of(taken)))
        return made

    def can_play(self, colour: int) -> bool:
        return any(self.paths(cell) for cell in cells_of(self.held[colour]))

    def refusal(self, start: int, end: int) -> str:
        found = Moving.paths(self, start)
        if self.owner(start) == self.due and end in found and (never := self._never(start, end, self.due)):
            names = self.board.names
            return f"{names[start]}-{names[end]}: {NEVER_TOLD[never]}"
        return super().refusal(start, end)

    def key(self) -> Hashable:
        return self.cells, self.due, self.known()

    def notes(self) -> list[str]:
        return [*super().notes(), *self.remarks()]


@cache
def ways_of(design: Design) -> tuple[Way, ...]:
    """Return the ways of every piece of a design, a step that moves and takes as one way."""
    steps = HEX_STEPS if design.hexes else SQUARE_STEPS
    moves, takes = (list(_steps(lines, steps)) for lines in (design.moves, design.takes))
    return tuple(
        Way(step, kind, (kind, step) in moves, (kind, step) in takes)  # type: ignore[arg-type]
        for kind, step in dict.fromkeys((*moves, *takes))
    )


def _steps(lines: Sequence[WayLine], steps: Mapping[str, tuple[Place, ...]]) -> Iterator[tuple[str, Place]]:
    for line in lines:
        yield from ((line.kind, step) for step in steps[line.ways])
