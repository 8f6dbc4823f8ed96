"""The plies of games of stones, and their reading. Boards are named as in `slanted`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from rules import notation
from rules.board import Board
from rules.contract import Move, NoMove, Unreadable


@dataclass(frozen=True)
class Cells:
    """One ply on one or several cells, with the same content for all."""

    cells: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.cells)


@cache
def one_cell(name: str) -> Cells:
    """Return the ply on one cell of any board."""
    return Cells((name,))


SWAP: Move = "swap"
"""The ply of the pie rule: on ply 2 alone a seat may take the other side. The board does not change."""


COLOURS = frozenset("black white light dark b w x o".split())
_CELL = re.compile(r"([a-z])0*([0-9]{1,6})")
_REVERSED = re.compile(r"([0-9]{1,3})\s*([a-z])")
_ROW = re.compile(r"\s*[0-9]{1,3}\s+[XO][\s.]*")
"""A quoted row of the board that has one stone, or is cut behind it. In a cell the letter is small."""
_APART = re.compile(r"([a-z])\s+([0-9]{1,3})")
_NOT_QUITE_DIGITS = re.compile(r"([a-z])([0-9lio]*[0-9][0-9lio]*)")
_DIGITS = str.maketrans("lio", "110")


def read(board: Board, game: str, example: str, text: str, has_pie: bool = True) -> Move:
    """Return the ply that `text` spells on `board`. Sentences name the `game` and a cell as `example`."""
    if text in board.index:
        return one_cell(text)
    words = notation.words(text.lower()) if len(text) <= notation.MAX_LENGTH and text.isascii() else []
    line = " ".join(words)
    if line == "swap":
        return SWAP
    if line == "pass":
        raise Unreadable(f"pass: nobody passes in {game}; a move is a stone on one cell, such as {example}.")
    if name := cell_of(line):
        if name in board.index:
            return Cells((name,))
        raise Unreadable(notation.no_such_slanted_cell(board, name))
    if not _ROW.fullmatch(text) and (slip := _slip(board, words)):
        raise Unreadable(f"{line}: {slip}.")
    or_swap = ", or swap on move 2" if has_pie else ""
    raise NoMove(f"That is no move of {game}: a move is one cell such as {example}{or_swap}.")


def cell_of(word: str) -> str | None:
    """Return the name of the cell that a word spells, without zeros before its number, or None."""
    match = _CELL.fullmatch(word)
    return match[1] + match[2] if match else None


def _slip(board: Board, words: Sequence[str]) -> str | None:
    line = " ".join(words)
    if match := _REVERSED.fullmatch(line):
        return f"the letter comes first; write {match[2]}{match[1]}"
    if match := _APART.fullmatch(line):
        return f"a cell is written without a space; write {match[1]}{match[2]}"
    if len(words) == 1:
        return _one_word(board, line)
    words = notation.without_joints(words)
    cells = [name for name in map(cell_of, words) if name]
    others = [word for word in words if not cell_of(word)]
    if len(words) == 2 and len(cells) == 1:
        if others[0] == "swap":
            return f"swap is a move of its own; write swap alone, or {cells[0]}"
        if others[0] in COLOURS:
            return f"whose turn it is says which colour is laid; write {cells[0]} alone"
    if not words or not notation.pieces(words[0]) or any(map(notation.is_prose, others)):
        return None
    if not all(map(notation.is_cells, notation.pieces(words[0]))):
        return None
    if not others:
        return f"that is {len(cells)} cells; a move is one stone on one cell"
    return "a move is one cell alone on its line"


def _one_word(board: Board, word: str) -> str | None:
    match = _NOT_QUITE_DIGITS.fullmatch(word)
    meant = match and match[1] + match[2].translate(_DIGITS)
    if meant in board.index:
        return f"after the letter come digits alone; write {meant} if that is meant"
    pieces = notation.pieces(word)
    if len(pieces) == 2 and cell_of(pieces[0]) and pieces[1] in COLOURS:
        return f"whose turn it is says which colour is laid; write {pieces[0]} alone"
    bare = "".join(pieces)
    if bare != word and cell_of(bare):
        return f"a cell is written without other signs; write {cell_of(bare)}"
    if not pieces or not all(map(notation.is_cells, pieces)):
        return None
    count = sum(len(notation.groups(piece)) for piece in pieces)
    if count > 1:
        return f"that is {count} cells; a move is one stone on one cell"
    return "a cell is one letter and one number"
