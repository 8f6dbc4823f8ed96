"""The options of a design, and the board and the first stones that they ask for."""

from collections.abc import Mapping
from typing import Any

from rules.designed.forms import either
from rules.designed.plan import BoardLine, Design
from rules.designed.tables import BoardTables, tables
from rules.option import Option, choice_option
from rules.stone_placement import EMPTY


def setting_of(design: Design, options: Mapping[str, Any]) -> tuple[BoardLine, int]:
    """Return the board line that the options ask for, and its size."""
    islands = options.get("islands", design.boards[0].islands)
    boards = [board for board in design.boards if board.islands == islands]
    size = next(
        (options[board.word] for board in boards if board.size.is_option and board.word in options), None
    )
    if size is None:
        return boards[0], boards[0].size.usual
    return next(board for board in boards if board.size.is_option), size


def smallest(design: Design) -> dict[str, str]:
    """Return the options of the smallest board, as text."""
    line = min(design.boards, key=lambda board: board.cells(min(board.size.values)))
    chosen = {line.word: str(min(line.size.values))} if line.size.is_option else {}
    if len({board.islands for board in design.boards}) > 1:
        chosen = {"islands": str(line.islands), **chosen}
    return chosen


def tables_for(design: Design, options: Mapping[str, Any]) -> BoardTables:
    line, size = setting_of(design, options)
    (one, _), (other, _) = design.sides
    return tables(line, size, (one, other))


def first_cells(design: Design, options: Mapping[str, Any]) -> str:
    """Return the content of each cell at the start."""
    _, size = setting_of(design, options)
    board = tables_for(design, options).board
    (one, first), (_, second) = design.sides
    cells = dict.fromkeys(board.names, EMPTY)
    if isinstance(design.start, tuple):
        cells |= {cell: first if side == one else second for side, cell in design.start if cell in cells}
    elif design.start == "four":
        low, letters = size // 2, "abcdefghijklmnopqrstuvwxyz"
        a, b = letters[low - 1], letters[low]
        cells |= {f"{a}{low}": first, f"{b}{low + 1}": first, f"{a}{low + 1}": second, f"{b}{low}": second}
    elif design.start:
        rows = int(design.start.split()[1])
        cells |= {cell: first for cell in cells if int(cell[1:]) <= rows}
        cells |= {cell: second for cell in cells if int(cell[1:]) > size - rows}
    return "".join(cells.values())


def options_of(design: Design) -> tuple[Option, ...]:
    """Return the options: islands, size, scoring and pie, as far as the file leaves a choice."""
    found = []
    islands = list(dict.fromkeys(board.islands for board in design.boards))
    if len(islands) > 1:
        found.append(_number("islands", "islands round the board", islands[0], islands))
    sized = [board for board in design.boards if board.size.is_option]
    if sized:
        found.append(_size_option(design, sized))
    if len(design.ties) > 1:
        found.append(
            choice_option("scoring", "how equal scores are compared", next(iter(design.ties)), design.ties)
        )
    if design.opening_may_be_none:
        with_scoring = design.swap_with

        def usual(chosen: Mapping[str, Any]) -> str:
            return "yes" if not with_scoring or chosen.get("scoring") == with_scoring else "no"

        help = (
            "whether move 2 may be swap"
            if design.opening == "swap"
            else f"whether {design.opening} is played"
        )
        found.append(choice_option("pie", help, usual, ("yes", "no")))
    return tuple(found)


def _number(name: str, help: str, usual: int, values: list[int]) -> Option:
    def parse(text: str) -> int:
        if text not in map(str, values):
            raise ValueError(text)
        return int(text)

    return Option(name, help, usual, parse, _range(values))


def _range(values: list[int]) -> str:
    least, most = min(values), max(values)
    every = sorted(values) == list(range(least, most + 1)) and most > least
    return f"{least} to {most}" if every else either([str(value) for value in values])


def _size_option(design: Design, sized: list[BoardLine]) -> Option:
    word = sized[0].word
    by_islands = {board.islands: board.size for board in sized}

    def usual(chosen: Mapping[str, Any]) -> int | None:
        islands = chosen.get("islands", design.boards[0].islands)
        first = next(board for board in design.boards if board.islands == islands)
        return first.size.usual if first.size.is_option else None

    def fits(size: int, chosen: Mapping[str, Any]) -> str | None:
        islands = chosen.get("islands", design.boards[0].islands)
        if islands not in by_islands:
            return f"the board with {islands} islands has one size"
        values = by_islands[islands].values
        return None if size in values else f"with {islands} islands {word} is {_range([*values])}"

    every = sorted({size for board in sized for size in board.size.values})
    found = _number(word, "cells along a side of the board", every[0], every)
    rated = next((board.size.rated for board in sized if board.size.rated), None)
    first = sized[0].size.usual
    return Option(word, found.help, usual, found.parse, found.range, fits, rated, f"{first}")
