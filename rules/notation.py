"""Splitting of players' text into words, cells and groups, and their likely meaning, with case kept."""

import re
from collections.abc import Iterable, Sequence
from itertools import product

from rules.board import Board

MAX_LENGTH = 200
"""The most characters of a move in any game. A longer line is prose."""

_GROUP = re.compile(r"([A-Za-z]{1,6})([0-9]{1,6})")
_GROUPS = re.compile(r"(?:[A-Za-z]{1,6}[0-9]{1,6})+")
_NOT_PLAIN = re.compile(r"[^A-Za-z0-9]+")


def words(text: str) -> list[str]:
    """Split a line at spaces and commas, and drop a full stop or `!` at its end."""
    return text.strip().rstrip(".!").replace(",", " ").split()


_JOINTS = frozenset("and & + - / und et och og".split())
"""Signs and words that people write between two cells."""


def without_joints(words: Sequence[str]) -> list[str]:
    """Remove an `and` or sign between words: `f2 f4 and g3` -> `f2 f4 g3`."""
    inner = [word for word in words[1:-1] if word.lower() not in _JOINTS]
    return [*words[:1], *inner, *words[1:][-1:]]


def is_cells(word: str) -> bool:
    """True if a word consists of groups of letters and digits, such as `f2`, `mo1`, `e13f2`."""
    return _GROUPS.fullmatch(word) is not None


def pieces(word: str) -> list[str]:
    """Split a word at signs that are no letters or digits: `f2-f4` gives `f2`, `f4`."""
    return [piece for piece in _NOT_PLAIN.split(word) if piece]


def is_prose(word: str) -> bool:
    """True if the word can only stand in a sentence: it has two letters or more, and no digit."""
    return sum(map(str.isalpha, word)) > 1 and not any(map(str.isdigit, word))


def groups(word: str) -> list[tuple[str, str]]:
    """Return the groups of a word for which `is_cells` is True: `e13f2` -> `("e", "13")`, `("f", "2")`."""
    return _GROUP.findall(word)


def slip_in_cells(words: Sequence[str]) -> str | None:
    """Return a sentence if cells are turned round (`2f`) or cut in two (`f 2`), else None."""
    line = " ".join(words)
    turned = [word[::-1] for word in words]
    if words and all(map(_is_cell, turned)):
        return f"{line}: the letter comes first; write {' '.join(turned)}."
    cells = [a + b for a, b in zip(words[::2], words[1::2], strict=False)]
    if words and len(words) == 2 * len(cells) and all(map(_is_cell, cells)):
        return f"{line}: a cell is written without a space; write {' '.join(cells)}."
    return None


def _is_cell(word: str) -> bool:
    return len(word) == 2 and is_cells(word)


def readings(letters: str, digits: str) -> list[list[str]]:
    """Return a group's meanings: all combinations (`mo1` is m1 o1), or in pairs (`mo13` is m1 o3)."""
    each = [letter + digit for letter, digit in product(letters, digits)]
    if min(len(letters), len(digits)) < 2 or len(letters) != len(digits):
        return [each]
    return [each, [letter + digit for letter, digit in zip(letters, digits, strict=True)]]


def join_words(items: Iterable[object], joint: str = "and") -> str:
    texts = [str(item) for item in items]
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} {joint} {texts[-1]}"


def some(number: float, one: str, several: str) -> str:
    return f"{number:g} {one if number == 1 else several}".rstrip()


def no_such_cell(board: Board, name: str) -> str:
    """Return why `name`, a letter and a digit, is no cell of `board`, with cells near it."""
    column, row = name[0], name[1:]
    rows = column_rows(board, column)
    in_row = [cell for cell in board.names if cell[1:] == row]
    if not rows:
        reason = f"there is no column {column}, columns run {columns(board)}"
    elif not in_row:
        reason = f"there is no row {row}; {rows}"
    else:
        place = next(x for name, (x, _) in zip(board.names, board.xy, strict=True) if name[0] == column)
        beside = [name for name in in_row if abs(board.xy[board.index[name]][0] - place) == 1]
        extent = f"runs from {in_row[0]} to {in_row[-1]}"
        reason = f"{rows}, and row {row} {f'has {join_words(beside)} beside it' if beside else extent}"
    swapped = name.swapcase()
    return f"{name}: {reason}{f'; {swapped} is a cell' if swapped in board.index else ''}."


def columns(board: Board) -> str:
    letters = sorted({name[0] for name in board.names}, key=str.swapcase)
    runs = [[c for c in letters if c.islower()], [c for c in letters if c.isupper()]]
    return "from " + " and ".join(f"{run[0]} to {run[-1]}" if len(run) > 1 else run[0] for run in runs if run)


def column_rows(board: Board, column: str) -> str | None:
    rows = [cell[1:] for cell in board.names if cell[0] == column]
    if len(rows) < 2:
        return f"column {column} has row {rows[0]} alone" if rows else None
    return f"column {column} has rows {join_words(rows)}"


def no_such_slanted_cell(board: Board, name: str) -> str:
    """Return why `name` is no cell of a `slanted` board, with cells near it."""
    letter, row = name[0], name[1:]
    rows = sorted(int(cell[1:]) for cell in board.names if cell[0] == letter)
    in_row = [cell for cell in board.names if cell[1:] == row]
    letters = sorted({cell[0] for cell in board.names})
    if not rows:
        return f"{name}: there is no letter {letter}; letters run from {letters[0]} to {letters[-1]}."
    starts = [number for number in rows if number - 1 not in rows]
    ends = [number for number in rows if number + 1 not in rows]
    runs = [str(a) if a == b else f"{a} to {b}" for a, b in zip(starts, ends, strict=True)]
    has = f"letter {letter} has row{'s' if len(rows) > 1 else ''} {join_words(runs)}"
    if not in_row:
        return f"{name}: there is no row {row}; {has}."
    if len(in_row) == 1:
        return f"{name}: {has}, and row {row} is {in_row[0]} alone."
    return f"{name}: {has}, and row {row} runs from {in_row[0]} to {in_row[-1]}."


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """Return the only choice that is a single typing mistake from `word`, or None."""
    near = [choice for choice in choices if one_slip(word, choice)]
    return near[0] if len(near) == 1 else None


def one_slip(a: str, b: str) -> bool:
    """True if one letter is wrong, missing or too many, or two neighbours are swapped."""
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    rest_a, rest_b = a[start:], b[start:]
    swapped = rest_a[:2] == rest_b[:2][::-1] and len(rest_a) > 1 and rest_a[2:] == rest_b[2:]
    return swapped or rest_a[1:] == rest_b[1:] or rest_a[1:] == rest_b or rest_a == rest_b[1:]
