"""A slow judge of games of joining, which knows cells by letter and row alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from random import Random
from textwrap import dedent

from rules.contract import Position, Rules, replay

Cell = tuple[int, int]
"""(letter from 1, row from 1)."""

BESIDE = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1))


def cell(name: str) -> Cell:
    return ord(name[0]) - ord("a") + 1, int(name[1:])


def beside(one: Cell) -> set[Cell]:
    return {(one[0] + letters, one[1] + rows) for letters, rows in BESIDE}


def cells_of(position: Position) -> dict[str, set[Cell]]:
    """All cells, and those of each glyph."""
    spots = position.picture().spots
    found: dict[str, set[Cell]] = {"all": {cell(spot.name) for spot in spots}, "X": set(), "O": set()}
    for spot in spots:
        if spot.glyph.upper() in "XO":
            found[spot.glyph.upper()].add(cell(spot.name))
    return found


def groups(stones: set[Cell]) -> Iterator[set[Cell]]:
    left = set(stones)
    while left:
        group, edge = set[Cell](), {left.pop()}
        while edge:
            group |= edge
            edge = {other for one in edge for other in beside(one)} & left
            left -= edge
        yield group


def has_ring(group: set[Cell], board: set[Cell]) -> bool:
    """True if the group goes round a cell: of its own, or of a part of the board without a boundary."""
    if any(beside(one) <= group for one in group):
        return True
    return not all(any(not beside(one) <= board for one in part) for part in groups(board - group))


def random_game(rules: Rules, options: Mapping[str, str], seed: int) -> Iterator[Position]:
    """The positions of a game by chance."""
    rng, position = Random(seed), rules.start(options)
    yield position
    while position.outcome is None:
        position = position.follow(position.sample(rng))
        yield position


def laid(position: Position, first: str, second: str = "") -> Position:
    """The position after these stones, laid in turn."""
    both = zip_longest(first.split(), second.split())
    return replay(position, [name for pair in both for name in pair if name])


def drawn(position: Position, board: str, order: str = "XO") -> Position:
    """The position with the stones that are drawn. Whatever else stands there is lettering."""
    rows = [line.split("\\")[0] for line in dedent(board).splitlines()]
    glyphs = [glyph for row in rows for glyph in row if glyph in ".XO"]
    names = [spot.name for spot in position.picture().spots]
    assert len(glyphs) == len(names)
    own = (" ".join(n for n, glyph in zip(names, glyphs, strict=True) if glyph == side) for side in order)
    return laid(position, *own)
