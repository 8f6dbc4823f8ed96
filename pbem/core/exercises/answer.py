"""The move in an answer to an exercise: a puzzle, a lesson or a moment."""

import re

from pbem.core.game.capitals import read_small
from rules.contract import Move, NoMove, Position, RulesError

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
