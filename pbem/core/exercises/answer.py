"""The move in an answer to an exercise: a puzzle, a lesson or a moment."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pbem.core.game.capitals import read_small
from rules.contract import Move, NoMove, Position, RulesError

MAX_TRIES = 3
"""Tries of an exercise, after which the answer is told."""


@dataclass(frozen=True)
class Progress:
    """A player's tries of an exercise, and the hints they have had about it."""

    tries: int = 0
    hints: int = 0

    @property
    def left(self) -> int:
        return max(MAX_TRIES - self.tries, 0)

    @property
    def tried(self) -> "Progress":
        return replace(self, tries=self.tries + 1)

    @property
    def hinted(self) -> "Progress":
        return replace(self, hints=self.hints + 1)

    @property
    def data(self) -> Mapping[str, int]:
        """As a question stores it; `progress_of` reads it back."""
        return {"tries": self.tries, "hints": self.hints}


def progress_of(data: Mapping[str, Any]) -> Progress:
    return Progress(data.get("tries", 0), data.get("hints", 0))


MAX_ANSWER = 200
"""In characters."""
_FINAL_STOP = re.compile(r"(?<=[^\s.!])[.!]+\Z")


def read_answer(position: Position, line: str) -> Move | None:
    """Return the legal move that a line is, with or without a full stop; None for prose.

    Raises RulesError for a move that is not legal.
    """
    text = line.strip()
    for form in dict.fromkeys((text, _FINAL_STOP.sub("", text))):
        if not form or len(form) > MAX_ANSWER:
            continue
        try:
            move = position.read_ply(form)
            position.play(move)
        except RulesError as error:
            if (small := read_small(position, form)) is not None:
                return small[0]
            if isinstance(error, NoMove):
                continue
            raise
        return move
    return None
