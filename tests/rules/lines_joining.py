"""Lines that are read alike in all games of joining: one stone a move, on a board with letters and rows."""

from __future__ import annotations

from collections.abc import Sequence

from rules import RULES
from tests.rules.lines import Lines

SWAP = [("swap", "swap"), ("Swap", "swap"), ("SWAP!", "swap"), (" swap. ", "swap")]


def joining(
    key: str,
    game: Sequence[str],
    off_board: Sequence[tuple[str, str]],
    not_now: Sequence[tuple[int | Sequence[str], str, str]],
    *,
    words: Sequence[tuple[str, str]] = SWAP,
    prose: Sequence[str] = (),
    misspelt: Sequence[tuple[str, str]] | None = None,
) -> Lines:
    """Lines of one game. `off_board` are cells that are none, `words` the plies that are no cells."""
    start, (one, other) = RULES[key].start(), game[:2]
    letter, row = one[0], one[1:]
    if misspelt is None:
        passed = f"pass: nobody passes in {start.rules.name}; a move is a stone on one cell, such as "
        misspelt = [
            ("pass", f"{passed}{start.board.names[start.middle]}."),  # type: ignore[attr-defined]
            (f"swap {one}", f"swap {one}: swap is a move of its own; write swap alone, or {one}."),
        ]
    return Lines(
        start=start,
        game=game,
        moments=(0, 1, 2),
        spellings=[
            *((written.format(one), one) for written in ("{}", "  {} ", "{}.", "{}!", "{},")),
            (one.upper(), one),
            (f"{letter}0{row}", one),
            *words,
        ],
        prose=[
            *("", letter, "42", "1-0", "Thanks for the game", f"I play {one}", f"move 7: {one}", "resign"),
            *(f"https://example.org/{one}", "a b c d e f", f"{one} " * 80, f"{one} is mine", "swap it"),
            f" {row}  . . . X O . .",
            *prose,
        ],
        misspelt=[
            (f"{row}{letter}", f"{row}{letter}: the letter comes first; write {one}."),
            (f"{letter} {row}", f"{letter} {row}: a cell is written without a space; write {one}."),
            (f"({one})", f"({one}): a cell is written without other signs; write {one}."),
            (f"{one} {other}", f"{one} {other}: that is 2 cells; a move is one stone on one cell."),
            (f"{one}-{other}", f"{one}-{other}: that is 2 cells; a move is one stone on one cell."),
            (f"{one} X", f"{one} x: whose turn it is says which colour is laid; write {one} alone."),
            *off_board,
            *misspelt,
        ],
        not_now=not_now,
        alphabet="abcdgksxX0129loIO -.,!()#",
    )
