"""Bipod's plies and their reading: `f2 f4 g3`, `adopt`, `k3 o`, and the short forms of the posts."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, product

from rules import notation
from rules.board import LETTERS, Board
from rules.contract import Move, NoMove, Unreadable
from rules.games.bipod.paths import LEFT, RIGHT
from rules.stone_reading import Cells


@dataclass(frozen=True)
class Stone:
    """Runner's stone: a cell and `o` or `O`."""

    cell: str
    colour: str

    def __str__(self) -> str:
        return f"{self.cell} {self.colour}"


ADOPT: Move = "adopt"
"""The ply that makes its player Blocker for the rest of the game."""
NO_MOVE = "That is no move of Bipod: a move is cells such as f2 f4 g3, or adopt."


def read(board: Board, text: str) -> Move:
    """Return the ply that `text` spells. A line with another beginning or with a word of letters is prose."""
    words = notation.words(text) if len(text) <= notation.MAX_LENGTH else []
    if [word.lower() for word in words] == ["adopt"]:
        return ADOPT
    if _is_sentence(words):
        raise NoMove(NO_MOVE)
    if slip := _slip(words) or _beside(board, words):
        raise Unreadable(slip)
    pieces = notation.pieces(words[0]) if words else []
    if not pieces or not all(_cells_and_colour(piece)[0] for piece in pieces):
        raise NoMove(NO_MOVE)
    if any(notation.is_prose(word) for word in words[1:]):
        raise NoMove("That is a sentence and no move of Bipod: write a move alone on its line.")
    return _move(board, words)


def _slip(words: Sequence[str]) -> str | None:
    line = " ".join(words)
    others = [word for word in words if not notation.is_cells(word)]
    if len(words) > 1 and [word.lower() for word in others] == ["adopt"]:
        return f"{line}: adopt is a move of its own, without blocks; write adopt alone, or the blocks."
    plain = notation.without_joints(words)
    if plain != list(words) and all(_cells_and_colour(word)[0] or word in (LEFT, RIGHT) for word in plain):
        return f"{line}: put a space or a comma between cells; write {' '.join(plain)}."
    if len(words) == 2 and words[0] in (LEFT, RIGHT) and notation.is_cells(words[1]):
        return f"{line}: the cell comes first, then the colour; write {words[1]} {words[0]}."
    return notation.slip_in_cells(words)


_COLOURS = frozenset("x black white dark light".split())


def _beside(board: Board, words: Sequence[str]) -> str | None:
    """Return the error for a colour that does not belong to a single stone, such as `k3 l2 o`, or None."""
    line = " ".join(words)
    pieces = [piece for word in words for piece in notation.pieces(word)]
    cells, colour = pieces[:-1], pieces[-1] if pieces else ""
    if not cells or not all(map(notation.is_cells, cells)):
        return None
    stone, cell = colour in (LEFT, RIGHT), cells[0]
    if len(cells) > 1 or len(cell) > 2:
        alone = f"{line}: a colour goes with one cell alone; Runner lays one stone a move"
        return f"{alone}{_or_a_column(board, colour)}." if stone else None
    if not stone and colour.lower() not in _COLOURS:
        return None
    if cell not in board.index:
        return notation.no_such_cell(board, cell)
    if stone:
        apart = f"{line}: put a space between cell and colour; write {cell} {colour}."
        return apart if pieces != list(words) else None
    if len(colour) == 1:
        return f"{line}: a block has no colour; write {cell} alone{_or_a_column(board, colour)}."
    return f"{line}: a block has no colour, and Runner's are o and O; write {cell}, {cell} o or {cell} O."


def _is_sentence(words: Sequence[str]) -> bool:
    """True if the first word is neither cells nor a ply, as in most lines of a letter."""
    word = words[0] if words else ""
    return word.isascii() and notation.is_prose(word) and word.lower() != "adopt"


def _or_a_column(board: Board, letter: str) -> str:
    rows = notation.column_rows(board, letter)
    return f"; or, if {letter} is a column, add its row: {rows}" if rows else ""


def _cells_and_colour(word: str) -> tuple[str, str]:
    """Cut `k3o` into `k3` and `o`. The first part is empty if the word holds no cells."""
    if notation.is_cells(word):
        return word, ""
    if word[-1:] in (LEFT, RIGHT) and notation.is_cells(word[:-1]):
        return word[:-1], word[-1]
    return "", ""


def _move(board: Board, words: Sequence[str]) -> Move:
    parts: list[list[list[str]]] = []
    unclear = ""
    colour = ""
    for word in words:
        if colour:
            raise Unreadable(f"{word} after {colour}: a move with a colour is one cell and that colour.")
        cells, colour = _cells_and_colour(word)
        if not cells:
            colour = _colour(board, word, parts)
            continue
        for letters, digits in notation.groups(cells):
            ways = notation.readings(letters, digits)
            if min(len(letters), len(digits)) > 1:
                unclear = unclear or letters + digits
            else:
                _check(board, ways[0], letters + digits)
            parts.append(ways)
    if unclear:
        raise _ambiguous(board, unclear, parts)
    names = [name for ways in parts for name in ways[0]]
    if not colour:
        return Cells(tuple(names))
    if len(names) > 1:
        raise Unreadable(
            f"{' '.join(names)} {colour}: a colour goes with one cell alone; Runner lays one stone a move."
        )
    return Stone(names[0], colour)


def _colour(board: Board, word: str, before: Sequence[Sequence[Sequence[str]]]) -> str:
    if word in (LEFT, RIGHT) and sum(len(ways[0]) for ways in before) == 1:
        return word
    if len(word) == 1 and word in LETTERS:
        rows = notation.column_rows(board, word)
        if rows is None:
            raise Unreadable(f"{word}: there is no column {word}, columns run {notation.columns(board)}.")
        raise Unreadable(f"{word}: the row is missing; {rows}.")
    if word == "0" and len(before) == 1:
        cell = before[0][0][0]
        raise Unreadable(f"{cell} 0: a colour is a letter, not a zero; write {cell} o or {cell} O.")
    if word.isascii() and word.isdigit() and before:
        letter = before[-1][0][-1][0]
        raise Unreadable(f"{word}: the column is missing; write {letter}{word} if column {letter} is meant.")
    cells = notation.pieces(word)
    if len(cells) > 1 and all(map(notation.is_cells, cells)):
        raise Unreadable(f"{word}: put a space or a comma between cells; write {' '.join(cells)}.")
    if len(cells) == 1 and _cells_and_colour(cells[0])[0]:
        raise Unreadable(f"{word}: a cell is written without other signs; write {cells[0]}.")
    raise Unreadable(f"{word}: this is no cell; a cell is a column's letter and a row's digit, as in f2.")


def _check(board: Board, names: Sequence[str], group: str) -> None:
    for name in names:
        if name not in board.index:
            sentence = notation.no_such_cell(board, name)
            raise Unreadable(
                sentence if len(names) == 1 else f"{sentence[:-1]} ({group} means {' '.join(names)})."
            )


def _ambiguous(board: Board, group: str, parts: Sequence[Sequence[Sequence[str]]]) -> Unreadable:
    """Return the error for a ply with several readings, which names `group` and the readings."""
    readings = [
        " ".join(name for names in choice for name in names)
        for choice in islice(product(*parts), 4)
        if all(name in board.index for names in choice for name in names)
    ]
    clear = notation.join_words(readings, "or") if len(readings) in (1, 2) else "every cell apart"
    return Unreadable(f"{group}: several columns with several rows are not clear; write {clear}.")
