"""Lines that players write and what games answer; `lines_<game>.py` has the lines of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.contract import Position, replay


@dataclass(frozen=True)
class Lines:
    """Lines of one game, tried from `start` and in the course of `game`."""

    start: Position
    game: Sequence[str]
    moments: Sequence[int | Sequence[str]]
    """After how many plies of `game`, or after which others, prose and slips are tried: the same at all."""
    spellings: Sequence[tuple[str, str]]
    """Each line as written, and its one canonical text."""
    prose: Sequence[str]
    misspelt: Sequence[tuple[str, str]]
    """Lines that are meant as a ply and are none, and the sentence each gets."""
    not_now: Sequence[tuple[int | Sequence[str], str, str]]
    """After so many plies of `game`, or after these: a ply that may not be played, and the reason it gets."""
    alphabet: str
    """Pieces of lines that look like moves."""
    spelt_on: Position | None = None
    """The board that the spellings are of, where it is not that of `start`."""

    def after(self, plies: int | Sequence[str]) -> Position:
        return replay(self.start, self.game[:plies] if isinstance(plies, int) else plies)

    def positions(self) -> list[Position]:
        return [self.after(plies) for plies in self.moments]
