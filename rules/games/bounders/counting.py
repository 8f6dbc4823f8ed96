"""The counting of Bounders. A scoring is a sequence of comparisons, and the first difference decides."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rules.board import Board, groups
from rules.notation import join_words, some

EMPTY, LIGHT, DARK = ".OX"

SIDES = {LIGHT: "Light", DARK: "Dark"}


@dataclass(frozen=True)
class Territory:
    """A maximal connected region of empty cells, and the stones beside it."""

    cells: tuple[int, ...]
    light: int
    dark: int
    """The number of stones of each colour. A stone that touches several of the cells counts once."""

    @property
    def owner(self) -> str:
        """Return the colour with more stones round it, `LIGHT` or `DARK`, or `EMPTY` if neither has more."""
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
    """The numbers of one side that a scoring may compare."""

    sizes: tuple[int, ...]
    stones: int
    opened: bool
    """True if this side's seat placed the first stone (and so offered the pie)."""


@dataclass(frozen=True)
class Comparison:
    """One line of the score table: a compared value, and the words of the outcome if it decides."""

    name: str
    value: Callable[[Count], float]
    reason: str
    """The words after `Light wins: `, with {won} and {lost}, the winner's value and the loser's."""
    units: tuple[str, str] = ("", "")
    """The singular and plural of the counted unit, both "" if {won} is a number alone."""
    fewer: bool = False


_POINTS = "point", "points"
POINTS = Comparison("points", lambda count: sum(count.sizes), "{won} to {lost}", _POINTS)
POINTS_AND_HALF = Comparison(
    "points",
    lambda count: sum(count.sizes) if count.opened else sum(count.sizes) + 0.5,
    "{won} to {lost}, with the half point of second, who did not begin",
    _POINTS,
)
LARGEST = Comparison(
    "largest territory",
    lambda count: count.sizes[0] if count.sizes else 0,
    "equal points, and the largest territory has {won} to {lost}",
    ("cell", "cells"),
)
NUMBER = Comparison(
    "territories",
    lambda count: len(count.sizes),
    "equal points, equal largest territories, and {won} to {lost}",
    ("territory", "territories"),
)
STONES = Comparison(
    "stones played",
    lambda count: count.stones,
    "equal points and territories, and fewer stones, {won} to {lost}",
    fewer=True,
)
_OPENED = "equal points, territories and stones, and whoever {} wins"
OFFERED, PLACED = (
    Comparison(name, lambda count: count.opened, _OPENED.format(name))
    for name in ("offered the pie", "placed the first stone")
)

SCORINGS: Mapping[str, tuple[Comparison, ...]] = {
    "tournament": (POINTS, LARGEST, NUMBER, STONES, OFFERED),
    "basic": (POINTS,),
    "half": (POINTS_AND_HALF,),
}


@dataclass(frozen=True)
class CountedGame:
    """The winner and the reason. `compared` has the comparisons made, the deciding one last."""

    counts: Mapping[str, Count]
    compared: tuple[Comparison, ...]
    winner: str | None
    """The winning colour, None for a draw."""

    @property
    def reason(self) -> str:
        last = self.compared[-1]
        light, dark = last.value(self.counts[LIGHT]), last.value(self.counts[DARK])
        if self.winner is None:
            return f"Draw: {some(light, *_POINTS)} each"
        won, lost = (light, dark) if self.winner == LIGHT else (dark, light)
        reason = last.reason.format(won=some(won, *last.units), lost=f"{lost:g}")
        return f"{SIDES[self.winner]} wins: {reason}"

    def table(self) -> dict[str, dict[str, object]]:
        return {
            side: {each.name: _plain(each.value(self.counts[colour])) for each in self.compared}
            for colour, side in SIDES.items()
        }


def _plain(value: float) -> object:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


def result(counts: Mapping[str, Count], scoring: str, pie: bool) -> CountedGame:
    order = tuple(PLACED if each is OFFERED and not pie else each for each in SCORINGS[scoring])
    for number, each in enumerate(order, start=1):
        light, dark = each.value(counts[LIGHT]), each.value(counts[DARK])
        if light != dark:
            winner = LIGHT if (light > dark) != each.fewer else DARK
            return CountedGame(counts, order[:number], winner)
    return CountedGame(counts, order, None)


def awards(found: Sequence[Territory]) -> list[str]:
    sentences = []
    for owner, who in ((LIGHT, "Light"), (DARK, "Dark"), (EMPTY, "Nobody")):
        if own := sizes(found, owner):
            how_many = some(len(own), "territory", "territories")
            cells = "cell" if own == (1,) else "cells"
            sentences.append(f"{who} is awarded {how_many}, of {join_words(own)} {cells}.")
    return sentences


def sizes(found: Sequence[Territory], owner: str) -> tuple[int, ...]:
    """Return the number of cells in each territory awarded to `owner`, the largest first."""
    return tuple(sorted((len(each.cells) for each in found if each.owner == owner), reverse=True))
