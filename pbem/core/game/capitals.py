"""Capitals that a phone may have put into a move."""

import re

from rules.contract import Move, Position, RulesError, StandingOrder

_LETTERS_OF_CELLS = re.compile(r"[A-Za-z]{1,6}(?=[0-9])")


def read_small(position: Position, text: str) -> tuple[Move, StandingOrder | None] | None:
    """Read a move with its first letter small, or all letters of cells; None unless just one is legal.

    A move that gives the game up is none of them.
    """
    found: dict[str, tuple[Move, StandingOrder | None]] = {}
    all_small = _LETTERS_OF_CELLS.sub(lambda letters: letters[0].lower(), text)
    for form in {text[:1].lower() + text[1:], all_small} - {text}:
        try:
            move, standing = position.split(position.read(form))
        except RulesError:
            continue
        if position.problem(move) is None and position.gives_up(move) is None:
            found[str(move)] = move, standing
    return next(iter(found.values())) if len(found) == 1 else None
