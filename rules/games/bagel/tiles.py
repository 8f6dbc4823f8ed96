"""Bagel's 36 or 60 tiles. A layout has a letter for each tile, a position a cell, in reading order."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from random import Random

from rules.board import LETTERS, Board, board_of, hexagon, rows
from rules.notation import join_words, some

SUITS = {"b": "bagel", "g": "baguette", "c": "cup", "r": "croissant"}
"""Letter -> what the tile shows. Each suit has the same number of tiles."""

RANDOM = "random"
SIDES = {36: 4, 60: 5}
"""The number of tiles -> the number of tiles on a side of the board."""
EMPTY, WHITE, BLACK = ".OX"
DISCS = {"White": WHITE, "Black": BLACK}


def reserve(tiles: int) -> int:
    """Return the number of a side's discs: half of the tiles plus two, by the designer's rule for 36."""
    return tiles // 2 + 2


def tie_breaks(tiles: int) -> tuple[int, ...]:
    """Return the row lengths to compare in a tie, the longest first."""
    return tuple(range(2 * SIDES[tiles] - 2, 3, -1))


def hole(tiles: int) -> str:
    """The cell in the middle, which has no tile."""
    side = SIDES[tiles]
    return f"{LETTERS[side - 1]}{side}"


@cache
def board(tiles: int = 36) -> Board:
    whole = hexagon(SIDES[tiles], SIDES[tiles])
    places = zip(whole.names, whole.xy, strict=True)
    return board_of((name, x, y) for name, (x, y) in places if name != hole(tiles))


def deal(seed: int, count: int = 36) -> str:
    """Return a seed's layout. Only `random()` is used, since its results are the same in every Python."""
    numbers = Random(seed)
    tiles = [suit for suit in SUITS for _ in range(count // len(SUITS))]
    return "".join(sorted(tiles, key=lambda _: numbers.random()))


def read_layout(text: str) -> str:
    """Return `random`, or suit letters in lower case. A `/` may stand between rows."""
    return re.sub(r"[\s/]+", "", text.lower())


def read_size(text: str) -> int | None:
    """Return 5, or None for 4, since records leave the usual size out."""
    if text not in ("4", "5"):
        raise ValueError(text)
    return 5 if text == "5" else None


def misdealt(layout: str, chosen: Mapping[str, object]) -> str | None:
    """Return why a layout does not fit this size, or None. Raise ValueError for letters that are no suits."""
    tiles = count_tiles(chosen)
    if layout == RANDOM:
        return None
    each = {36: "nine", 60: "fifteen"}[tiles]
    if not layout or not set(layout) <= set(SUITS):
        if tiles == 36:
            raise ValueError(layout)
        return f"on this board layout is random or {tiles} letters, {each} each of b, g, c and r"
    counts = Counter(layout)
    if all(counts[suit] == tiles // len(SUITS) for suit in SUITS):
        return None
    found = ", ".join(f"{counts[suit]} {suit}" for suit in SUITS)
    return f"a layout has {each} of each suit, {tiles} letters in all, and this one has {found}"


def count_tiles(options: Mapping[str, object]) -> int:
    return 60 if options.get("size") == 5 else 36


@lru_cache(maxsize=512)
def mates(layout: str) -> tuple[tuple[int, ...], ...]:
    """Return each tile's mates: tiles of its suit in its row or diagonals, also across the hole."""
    tiles = [
        (ord(name[0]), int(name[1]), suit)
        for name, suit in zip(board(len(layout)).names, layout, strict=True)
    ]
    return tuple(
        tuple(
            other
            for other, (x, y, kind) in enumerate(tiles)
            if kind == suit and other != tile and 0 in (x - letter, y - row, x - letter - y + row)
        )
        for tile, (letter, row, suit) in enumerate(tiles)
    )


def scoring_rows(cells: str) -> Iterator[tuple[str, list[int]]]:
    """Yield (side, ordered tiles) for every unbroken row of three or more. The hole breaks rows."""
    for side, disc in DISCS.items():
        for row in rows(board(len(cells)), {tile for tile, held in enumerate(cells) if held == disc}):
            if len(row) > 2:
                yield side, row


def score_table(cells: str) -> dict[str, dict[str, int]]:
    """Return each side's points, row counts by length, and discs left. A row of n discs scores n - 2."""
    lengths: dict[str, Counter[int]] = {side: Counter() for side in DISCS}
    for side, row in scoring_rows(cells):
        lengths[side][len(row)] += 1
    return {
        side: {
            "points": sum((length - 2) * count for length, count in lengths[side].items()),
            **{f"rows of {length}": lengths[side][length] for length in (*tie_breaks(len(cells)), 3)},
            "discs left": reserve(len(cells)) - cells.count(disc),
        }
        for side, disc in DISCS.items()
    }


def verdict(cells: str) -> tuple[str, str]:
    """Return (winning side, reason). Points decide, then rows from the longest to 4, then Black."""
    table = score_table(cells)
    lengths = tie_breaks(len(cells))
    each = f"{some(table['White']['points'], 'point', 'points')} each"
    for counted in ("points", *(f"rows of {length}" for length in lengths)):
        (least, _), (most, side) = sorted((table[side][counted], side) for side in DISCS)
        if most != least and counted == "points":
            return side, f"{side} wins: {some(most, 'point', 'points')} to {least}"
        if most != least:
            length = counted.removeprefix("rows ")
            return side, f"{side} wins: {each}, and {some(most, 'row', 'rows')} {length} to {least}"
    return "Black", f"Black wins: {each} and as many rows of {join_words(lengths)}, and such a tie is Black's"
