"""Hexagonal Thing's board and cards, as data. A hex's number is its place from the foot of its column."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

COLUMNS = {"a": 4, "b": 5, "c": 6, "d": 7, "e": 6, "f": 5, "g": 4}
HEXES = tuple(f"{column}{number}" for column, count in COLUMNS.items() for number in range(1, count + 1))
"""All 37 names in the order in which a board is written: a1 to a4, b1 to b5, and on to g4."""


def place(name: str) -> tuple[int, int]:
    column = "abcdefg".index(name[0])
    return column, 14 - 2 * int(name[1:]) - abs(column - 3)


PLACES: Mapping[str, tuple[int, int]] = {name: place(name) for name in HEXES}
RANK: dict[str, int] = {name: rank for rank, name in enumerate(HEXES)}

WHITE_START, BLACK_START = "d7", "d1"

BOARD = "BCSP" "CSBCS" "PBCSBC" "JSDBDSJ" "CBSCBP" "SCBSC" "PSCB"  # fmt: skip
"""The printed board, recovered from the text of the designer's print. A half turn leaves it unchanged."""

THINGS = "b3,c2,c5,d4,e2,e5,f3"
"""The hexes on which Things begin. No text gives them, but by symmetry the middle one is certain."""


class Kind(NamedTuple):
    """A kind of hex. `label` is for a board in text, `look` is a key of `rules.looks`."""

    name: str
    label: str
    look: str


KINDS: Mapping[str, Kind] = {
    "B": Kind("Buy", "Bu", "buy"),
    "S": Kind("Sell", "Se", "sell"),
    "C": Kind("Change", "Ch", "change"),
    "J": Kind("Just Visiting", "JV", "visiting"),
    "P": Kind("£10", "10", "pounds"),
    "D": Kind("$20", "20", "dollars"),
}


STEPS = {"N": (-1, -1), "U": (0, -2), "E": (1, -1), "W": (-1, 1), "D": (0, 2), "S": (1, 1)}
"""The step of each direction, in the order of cards; North is up-left and East up-right."""

CARDS = tuple(f"{steps}{direction}" for direction in STEPS for steps in (1, 2, 3))
"""All eighteen cards in their order: 1N 2N 3N 1U ... 3S."""

ORDER: dict[str, int] = {card: rank for rank, card in enumerate(CARDS)}


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Return hexes or cards in their fixed order."""
    return tuple(sorted(names, key=(RANK | ORDER).__getitem__))


WHITE_CARDS = tuple(card for card in CARDS if card[1] in "WDS")
BLACK_CARDS = tuple(card for card in CARDS if card[1] in "NUE")


def _way(start: str, card: str) -> tuple[str, ...]:
    names = {at: name for name, at in PLACES.items()}
    dx, dy = STEPS[card[1]]
    x, y = PLACES[start]
    way = [names.get((x + dx * step, y + dy * step), "") for step in range(1, int(card[0]) + 1)]
    return tuple(way) if all(way) else ()


WAYS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    start: {card: _way(start, card) for card in CARDS} for start in HEXES
}
"""Start -> card -> the hexes on its way, the landing hex last; () if it leads off the board."""
