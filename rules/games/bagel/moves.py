"""Reading of Bagel's plies: `c4`, `c3 d3`, `swap`, in any case. Cells are sorted by letter, then number."""

from collections.abc import Sequence

from rules import notation
from rules.board import Board
from rules.contract import Move, NoMove, Unreadable
from rules.games.bagel.tiles import hole
from rules.stone_reading import SWAP, Cells

MAX_DISCS = 2
_COLOURS = frozenset("black white w x o".split())
"""Names for the colour of a disc, without `b`, which is a letter of the board."""


def read(board: Board, text: str) -> Move:
    """Return the ply that `text` spells. A line with another beginning or with a word of letters is prose."""
    words = notation.words(text.lower()) if len(text) <= notation.MAX_LENGTH else []
    if words == ["swap"]:
        return SWAP
    if slip := _slip(words):
        raise Unreadable(slip)
    pieces = notation.pieces(words[0]) if words else []
    if not pieces or not all(map(notation.is_cells, pieces)):
        raise NoMove("That is no move of Bagel: a move is one cell or two, such as c4 or c3 d3, or swap.")
    if any(map(notation.is_prose, words[1:])):
        raise NoMove("That is a sentence and no move of Bagel: write a move alone on its line.")
    cells = [cell for number, word in enumerate(words) for cell in _cells(board, word, words[:number])]
    for cell in cells:
        if cell not in board.index:
            raise Unreadable(no_such_tile(board, cell))
    if len(cells) > MAX_DISCS:
        raise Unreadable(f"{' '.join(cells)}: that is {len(cells)} discs; a move is one disc or two.")
    return Cells(tuple(sorted(cells)))


def _slip(words: Sequence[str]) -> str | None:
    line = " ".join(words)
    cells = [word for word in words if notation.is_cells(word)]
    others = [word for word in words if not notation.is_cells(word)]
    if others == ["pass"]:
        return f"{line}: nobody passes in Bagel; who is to play places a disc, and who cannot ends the game."
    if others == ["swap"]:
        return f"{line}: swap is a move of its own, without discs; write swap alone, or {' '.join(cells)}."
    pieces = [piece for word in words for piece in notation.pieces(word)]
    tiles = [piece for piece in pieces if piece not in _COLOURS]
    if len(pieces) == 2 and len(tiles) == 1 and notation.is_cells(tiles[0]):
        return f"{line}: whose turn it is says whose disc is placed; write {tiles[0]} alone."
    if len(cells) > 1 and cells == notation.without_joints(words) != list(words):
        if len(cells) > MAX_DISCS:
            return f"{line}: that is {len(cells)} discs; a move is one disc or two."
        return f"{line}: put a space between two cells; write {' '.join(cells)}."
    return notation.slip_in_cells(words)


def _cells(board: Board, word: str, before: Sequence[str]) -> list[str]:
    if notation.is_cells(word):
        return [_cell(letters, digits) for letters, digits in notation.groups(word)]
    if len(word) == 1 and "a" <= word <= "z":
        along = sorted(name for name in board.names if name[0] == word)
        if not along:
            raise Unreadable(no_such_tile(board, word))
        raise Unreadable(f"{word}: the row is missing. Write it behind the letter, as in {along[0]}.")
    if word.isascii() and word.isdigit() and before:
        letter = notation.groups(before[-1])[-1][0]
        raise Unreadable(f"{word}: the letter is missing; write {letter}{word} if letter {letter} is meant.")
    pieces = notation.pieces(word)
    if pieces and all(map(notation.is_cells, pieces)):
        how = "without other signs" if len(pieces) == 1 else "with a space between them"
        what = "a cell is" if len(pieces) == 1 else "cells are"
        raise Unreadable(f"{word}: {what} written {how}; write {' '.join(pieces)}.")
    last = max(board.names)[0]
    raise Unreadable(
        f"{word}: this is no cell; a cell is a letter from a to {last} and a row's digit, as in c4."
    )


def _cell(letters: str, digits: str) -> str:
    digits = digits.lstrip("0") or "0"
    if len(letters) == len(digits) == 1:
        return letters + digits
    both = notation.readings(letters, digits)[0]
    hint = f"; write {' '.join(both)} if both are meant" if len(both) == 2 else ""
    raise Unreadable(f"{letters}{digits}: a cell is one letter and one digit, as in c4{hint}.")


def no_such_tile(board: Board, cell: str) -> str:
    if cell == hole(len(board)):
        return f"{cell}: there is no tile, it is the hole in the middle."
    return notation.no_such_slanted_cell(board, cell)
