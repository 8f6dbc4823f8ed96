"""The counting of Bounders: balance while it is played, territories and comparisons at its end.

A position's cells are a string, one character a cell in reading order, as drawn. Every scoring is a
row of comparisons; the first in which the sides differ decides.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rules.board import Board, groups
from rules.notation import join_words

EMPTY, LIGHT, DARK = ".OX"
"""The contents of a cell, as drawn."""

SIDES = {LIGHT: "Light", DARK: "Dark"}


def leads(board: Board, cells: Sequence[str]) -> tuple[int, ...]:
    """By cell: how many more light than dark stones it touches; balanced cells have 0."""
    worth = [1 if content == LIGHT else -1 if content == DARK else 0 for content in cells]
    return tuple(sum(worth[beside] for beside in near) for near in board.near)


@dataclass(frozen=True)
class Territory:
    """A connected region of empty cells, as large as can be, and the stones that touch it."""

    cells: tuple[int, ...]
    light: int
    dark: int
    """Different stones of each colour; one that touches several of the cells counts once."""

    @property
    def owner(self) -> str:
        """`LIGHT` or `DARK`, whichever bounds it with more stones; `EMPTY` where neither does."""
        if self.light == self.dark:
            return EMPTY
        return LIGHT if self.light > self.dark else DARK


def territories(board: Board, cells: Sequence[str]) -> list[Territory]:
    found = []
    for group in groups(board, [content == EMPTY for content in cells]):
        stones = {beside for cell in group for beside in board.near[cell] if cells[beside] != EMPTY}
        light = sum(cells[stone] == LIGHT for stone in stones)
        found.append(Territory(tuple(sorted(group)), light, len(stones) - light))
    return found


@dataclass(frozen=True)
class Count:
    """All that may be compared of one side."""

    sizes: tuple[int, ...]
    """Cells of each territory awarded, the largest first."""
    stones: int
    opened: bool
    """True where its seat placed the first stone (and so offered the pie)."""

    @property
    def points(self) -> int:
        return sum(self.sizes)


def count(found: Sequence[Territory], cells: str, colour: str, opened: bool) -> Count:
    sizes = sorted((len(each.cells) for each in found if each.owner == colour), reverse=True)
    return Count(tuple(sizes), cells.count(colour), opened)


@dataclass(frozen=True)
class Comparison:
    """One line of the score table: what is compared and how a difference reads in the outcome."""

    name: str
    value: Callable[[Count], float]
    reason: Callable[[float, float], str]
    """(the winner's value, the loser's) -> the words after `Light wins: `."""
    fewer: bool = False
    """True where the lower value wins."""


def some(number: float, what: str, several: str = "") -> str:
    """`1 point`, `12 points`."""
    return f"{number:g} {what if number == 1 else several or what + 's'}"


def _with_half(count: Count) -> float:
    return count.points if count.opened else count.points + 0.5


POINTS = Comparison(
    "points", lambda count: count.points, lambda won, lost: f"{some(won, 'point')} to {lost:g}"
)
POINTS_AND_HALF = Comparison(
    "points",
    _with_half,
    lambda won, lost: f"{some(won, 'point')} to {lost:g}, with the half point of second, who did not begin",
)
LARGEST = Comparison(
    "largest territory",
    lambda count: count.sizes[0] if count.sizes else 0,
    lambda won, lost: f"equal points, and the largest territory has {some(won, 'cell')} to {lost:g}",
)
NUMBER = Comparison(
    "territories",
    lambda count: len(count.sizes),
    lambda won, lost: (
        f"equal points, equal largest territories, and {some(won, 'territory', 'territories')} to {lost:g}"
    ),
)
STONES = Comparison(
    "stones played",
    lambda count: count.stones,
    lambda won, lost: f"equal points and territories, and fewer stones, {won:g} to {lost:g}",
    fewer=True,
)
OFFERED = Comparison(
    "offered the pie",
    lambda count: count.opened,
    lambda won, lost: "equal points, territories and stones, and whoever offered the pie wins",
)
PLACED = Comparison(
    "placed the first stone",
    lambda count: count.opened,
    lambda won, lost: "equal points, territories and stones, and whoever placed the first stone wins",
)

SCORINGS: Mapping[str, tuple[Comparison, ...]] = {
    "tournament": (POINTS, LARGEST, NUMBER, STONES, OFFERED),
    "basic": (POINTS,),
    "half": (POINTS_AND_HALF,),
}


def comparisons(scoring: str, pie: bool) -> tuple[Comparison, ...]:
    """The comparisons in order; without a pie nobody offered one, but somebody began."""
    return tuple(PLACED if each is OFFERED and not pie else each for each in SCORINGS[scoring])


@dataclass(frozen=True)
class Result:
    """The winner and the reason; `compared` are the comparisons made, down to the one that decided."""

    counts: Mapping[str, Count]
    """By colour."""
    compared: tuple[Comparison, ...]
    winner: str | None
    """A colour, None for a draw."""

    @property
    def reason(self) -> str:
        last = self.compared[-1]
        light, dark = last.value(self.counts[LIGHT]), last.value(self.counts[DARK])
        if self.winner is None:
            return f"Draw: {some(light, 'point')} each"
        won, lost = (light, dark) if self.winner == LIGHT else (dark, light)
        return f"{SIDES[self.winner]} wins: {last.reason(won, lost)}"

    def table(self) -> dict[str, dict[str, object]]:
        """Side -> what was compared -> its value; `yes` and `no` for what is no number."""
        return {
            side: {each.name: _shown(each.value(self.counts[colour])) for each in self.compared}
            for colour, side in SIDES.items()
        }


def _shown(value: float) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value


def result(counts: Mapping[str, Count], order: Sequence[Comparison]) -> Result:
    """The counts compared in that order until one differs."""
    for number, each in enumerate(order, start=1):
        light, dark = each.value(counts[LIGHT]), each.value(counts[DARK])
        if light != dark:
            winner = LIGHT if (light > dark) != each.fewer else DARK
            return Result(counts, tuple(order[:number]), winner)
    return Result(counts, tuple(order), None)


def awarded(found: Sequence[Territory]) -> list[str]:
    """Sentences that tell every territory: whose, and how many cells each has."""
    sentences = []
    for owner, who in ((LIGHT, "Light is awarded"), (DARK, "Dark is awarded"), (EMPTY, "Nobody is awarded")):
        sizes = sorted((len(each.cells) for each in found if each.owner == owner), reverse=True)
        if sizes:
            how_many = some(len(sizes), "territory", "territories")
            cells = "cell" if sizes == [1] else "cells"
            sentences.append(f"{who} {how_many}, of {join_words(sizes)} {cells}.")
    return sentences
