"""A base class for games in which a stone that is laid takes or turns others."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from rules.copying import replaced
from rules.stone_placement import EMPTY, OneStone


@dataclass(frozen=True)
class Taking(OneStone):
    """One stone a ply on a board from which stones go, or on which they change their colour."""

    @abstractmethod
    def after(self, cell: int) -> str:
        """Return all cells after the side to play lays a stone on an empty `cell`, legal or not."""

    @abstractmethod
    def refusal(self, cell: int) -> str | None:
        """Return why an empty `cell` may not be played, as the end of a sentence, or None."""

    def further(self, cells: str) -> Mapping[str, Any]:
        """Return the fields of a game's own in the next position, whose stones are `cells`."""
        return {}

    @cached_property
    def open(self) -> Sequence[int]:
        cells = enumerate(self.cells)
        return [held == EMPTY and self.refusal(cell) is None for cell, held in cells]

    def shut(self, names: Sequence[str]) -> str | None:
        board, cell = self.board, self.board.index[names[0]]
        reason = self.refusal(cell)
        if reason is None:
            return None
        near = board.nearest(board.xy[cell], self.open)
        assert near is not None  # a game goes on only while there is a legal ply
        return f"{names[0]} {reason}; the nearest cell that may be played is {board.names[near]}."

    def lay(self, names: Iterable[str], content: str, **changes: Any) -> Self:
        """Return the position after a stone. Cells that it empties were laid in no ply; turned ones stay."""
        (name,) = names
        cell, ply = self.board.index[name], self.ply + 1
        cells = self.after(cell)
        laid = [0 if held == EMPTY else at for held, at in zip(cells, self.laid, strict=True)]
        laid[cell] = ply
        changes = {**changes, **self.further(cells), "ply": ply, "cells": cells, "laid": tuple(laid)}
        made = replaced(self, {"board": self.board, **changes})
        made.__dict__["outcome"] = made._end()
        return made
