"""The drawing of a designed game: its stones, its islands, and the land of both sides at the end."""

from collections.abc import Iterator
from functools import cache

from rules.board import joints, slanted_labels, square_labels
from rules.designed.endings import Designed
from rules.designed.tables import BoardTables
from rules.grids import HEX
from rules.picture import Label, Line, Picture
from rules.stone_placement import EMPTY
from rules.stone_placement import draw as draw_stones

LOOKS = {"-": "shut", "x": "dark-land", "o": "light-land"}


def draw(position: Designed) -> Picture:
    tables = position.tables
    lines = (
        [Line("route", ends) for ends in joints(tables.board, frozenset(position.won))]
        if _joins(position)
        else []
    )
    return draw_stones(position, LOOKS, _legend(position), lines, _labels(tables))


def _joins(position: Designed) -> bool:
    """True if what decided the game is one connected group on hexes, which is drawn as a way."""
    return bool(position.decisive) and position.board.grid is HEX


def _legend(position: Designed) -> Iterator[tuple[str, str]]:
    for side, glyph in position.players:
        if glyph in position.cells or not position.design.limits:
            yield glyph, f"a {side.lower()} {'man' if position.design.men else 'stone'}"
    shown = position.glyphs
    for side, glyph in position.players:
        if glyph.lower() in shown:
            yield glyph.lower(), f"land of {side}"
    if "-" in shown:
        yield "-", "land of nobody" if position.outcome else "an empty cell that may not be played now"
    if position.tables.places:
        yield f"[1] to [{len(position.tables.places)}]", "islands"
    if EMPTY in shown and position.design.limits and not position.outcome:
        yield EMPTY, "a cell that may be played"


@cache
def _labels(tables: BoardTables) -> tuple[Label, ...]:
    board = tables.board
    if board.grid is not HEX:
        return square_labels(board)
    if not tables.places:
        return slanted_labels(board)
    islands = (
        Label("island", str(number), x, y)
        for number, places in enumerate(_outside(tables), 1)
        for x, y in places
    )
    return (*slanted_labels(board, room=2), *islands)


def _outside(tables: BoardTables) -> Iterator[list[tuple[int, int]]]:
    """Yield the places of each island round the board, those of owned islands one step outside."""
    xy = tables.board.xy
    top, bottom = min(y for _, y in xy), max(y for _, y in xy)
    middle = (min(x for x, _ in xy) + max(x for x, _ in xy)) / 2
    for number, places in enumerate(tables.places):
        if not any(tables.owned):
            yield list(places)
            continue
        side = number * 4 // len(tables.places)
        inner = places[:-1] if side in (0, 2) else places[1:-1]
        if side in (0, 2):
            yield [(x + 1, top - 1 if side == 0 else bottom + 1) for x, _ in inner]
        else:
            yield [(x + (2 if x > middle else -2), y) for x, y in inner]
