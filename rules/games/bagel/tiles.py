"""Bagel's 36 tiles; a layout is 36 letters, a position's cells 36 characters, both in reading order."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from random import Random

from rules.board import Board, board_of, hexagon, rows
from rules.notation import some

SUITS = {"b": "bagel", "g": "baguette", "c": "cup", "r": "croissant"}
"""Letter -> what the tile shows. There are nine tiles of each suit."""

RANDOM = "random"
HOLE = "d4"
EMPTY, WHITE, BLACK = ".OX"
DISCS = {"White": WHITE, "Black": BLACK}
RESERVE = 20
TIE_BREAKS = (6, 5, 4)
"""Lengths of rows that are compared in turn where the points are equal; no row is longer than 6."""


@cache
def board() -> Board:
    whole = hexagon(4, 4)
    places = zip(whole.names, whole.xy, strict=True)
    return board_of((name, x, y) for name, (x, y) in places if name != HOLE)


def deal(seed: int) -> str:
    """The layout of a seed, by `random()` alone: its numbers are the same in every version of Python."""
    numbers = Random(seed)
    tiles = [suit for suit in SUITS for _ in range(9)]
    return "".join(sorted(tiles, key=lambda _: numbers.random()))


def read_layout(text: str) -> str:
    """`random`, or suit letters in lower case; rows may stand apart by `/`. Raises ValueError."""
    letters = re.sub(r"[\s/]+", "", text.lower())
    if letters != RANDOM and not (letters and set(letters) <= set(SUITS)):
        raise ValueError(text)
    return letters


def misdealt(layout: str, chosen: Mapping[str, object]) -> str | None:
    counts = Counter(layout)
    if layout == RANDOM or all(counts[suit] == 9 for suit in SUITS):
        return None
    found = ", ".join(f"{counts[suit]} {suit}" for suit in SUITS)
    return f"a layout has nine of each suit, 36 letters in all, and this one has {found}"


@lru_cache(maxsize=512)
def mates(layout: str) -> tuple[tuple[int, ...], ...]:
    """By tile: the tiles of its suit in its row or a diagonal of either kind, across the hole too."""
    tiles = [(ord(name[0]), int(name[1]), suit) for name, suit in zip(board().names, layout, strict=True)]
    return tuple(
        tuple(
            other
            for other, (x, y, kind) in enumerate(tiles)
            if kind == suit and other != tile and 0 in (x - letter, y - row, x - letter - y + row)
        )
        for tile, (letter, row, suit) in enumerate(tiles)
    )


def scoring_rows(cells: str) -> Iterator[tuple[str, list[int]]]:
    """(side, tiles in order) of every unbroken row of three discs or more; the hole breaks rows."""
    for side, disc in DISCS.items():
        for row in rows(board(), {tile for tile, held in enumerate(cells) if held == disc}):
            if len(row) > 2:
                yield side, row


def score_table(cells: str) -> dict[str, dict[str, int]]:
    """By side: points (a row of n counts n - 2), rows of each length, discs left."""
    lengths: dict[str, Counter[int]] = {side: Counter() for side in DISCS}
    for side, row in scoring_rows(cells):
        lengths[side][len(row)] += 1
    return {
        side: {
            "points": sum((length - 2) * count for length, count in lengths[side].items()),
            **{f"rows of {length}": lengths[side][length] for length in (*TIE_BREAKS, 3)},
            "discs left": RESERVE - cells.count(disc),
        }
        for side, disc in DISCS.items()
    }


def verdict(cells: str) -> tuple[str, str]:
    """(winning side, reason) of a finished game: points, then rows of 6, of 5, of 4, then Black."""
    table = score_table(cells)
    each = f"{some(table['White']['points'], 'point', 'points')} each"
    for counted in ("points", *(f"rows of {length}" for length in TIE_BREAKS)):
        (least, _), (most, side) = sorted((table[side][counted], side) for side in DISCS)
        if most != least and counted == "points":
            return side, f"{side} wins: {some(most, 'point', 'points')} to {least}"
        if most != least:
            length = counted.removeprefix("rows ")
            return side, f"{side} wins: {each}, and {some(most, 'row', 'rows')} {length} to {least}"
    return "Black", f"Black wins: {each} and as many rows of 6, 5 and 4, and such a tie is Black's"
