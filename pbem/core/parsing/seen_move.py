"""Finds the one legal move in words that are no order, to ask about the move, never to play it."""

import re
from collections.abc import Iterator, Sequence

from pbem.core.game.writing import to_write
from rules.contract import Position, RulesError
from rules.notation import MAX_LENGTH, without_joints

AROUND = 3
"""Words beside the cells that may belong to the move: `play 1S bid 0`."""
NO_ANSWER = "I found no move in your answer."
_PIECE = re.compile(r"[A-Za-z0-9\u00a3$\u20ac&+]+")
_CELLS = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9]+")


def seen_move(words: str, position: Position, *, whole: bool = False) -> str:
    """Return the legal move with every cell of `words`, and with `whole` every word, or ""."""
    pieces = _PIECE.findall(words) if len(words) <= MAX_LENGTH else []
    parts = _whole_line(pieces, position) if whole else _parts_with_all_cells(pieces)
    for text in parts:
        try:
            move = position.read_ply(text)
        except RulesError:
            continue
        if position.problem(move) is None and position.gives_up(move) is None:
            return to_write(position, move)
    return ""


def no_answer_sentence(words: str, position: Position) -> str:
    """Say that an answer has no move, and which it may mean."""
    seen = seen_move(words, position)
    return f"I see `{seen}` in your answer. If you mean it, write `{seen}` alone." if seen else NO_ANSWER


def _whole_line(pieces: Sequence[str], position: Position) -> list[str]:
    """Return forms of the line to try: without a phone's capital, or behind words such as `take`."""
    line = " ".join(without_joints(pieces))
    firsts = dict.fromkeys(example.split()[0] for example in position.examples())
    return [line, line[:1].lower() + line[1:], *(f"{word} {line}" for word in firsts if word.isalpha())]


def _parts_with_all_cells(pieces: Sequence[str]) -> Iterator[str]:
    """Yield the parts, longest first, that keep a letter or number directly behind the cells."""
    cells = [at for at, piece in enumerate(pieces) if _CELLS.fullmatch(piece)]
    if not cells:
        return
    begin, end = cells[0], cells[-1] + 1
    while end < len(pieces) and (len(pieces[end]) == 1 or pieces[end].isdigit()):
        end += 1
    for last in range(min(end + AROUND, len(pieces)), end - 1, -1):
        for first in range(max(begin - AROUND, 0), begin + 1):
            yield " ".join(without_joints(pieces[first:last]))
