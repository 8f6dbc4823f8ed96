"""A match of two clubs, board by board."""

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pbem.core.errors import Refusal
from pbem.core.events.divisions import by_rating
from pbem.core.events.league import EventGame, games_left
from pbem.core.events.season import SIGNS, TableCell
from pbem.core.events.table import HALVES, points_text
from rules import find

P = TypeVar("P", bound=Hashable)

MATCH = "match"
_CLUB = re.compile(r"[A-Za-z]{2,30}")
_TAKEN = ("league", "ladder", MATCH, "the")


def check_clubs(clubs: Sequence[str]) -> None:
    """Raise Refusal for names that no two clubs can have."""
    for name in clubs:
        if find(name) is not None or name.lower() in _TAKEN:
            raise Refusal(f"No club can be called {name}, for {name} means something else in letters.")
        if not _CLUB.fullmatch(name):
            raise Refusal(f"The name of a club is one word of 2 to 30 letters, a to z; {name} is none.")
    if len({name.lower() for name in clubs}) < len(clubs):
        raise Refusal("The two clubs need different names.")


def club_number(clubs: Sequence[str], word: str) -> int:
    """Return the number of the club that a word names, else 0."""
    return next((n for n, name in enumerate(clubs, 1) if name.lower() == word.lower()), 0)


def pair_boards(
    first: Sequence[P], second: Sequence[P], ratings: Mapping[P, float]
) -> tuple[list[tuple[P, P]], list[P]]:
    """Return the boards, best players first, and the players for whom there is no board.

    Both clubs are given in the order of joining, which decides among players without a rating.
    """
    one, two = by_rating(first, ratings), by_rating(second, ratings)
    number = min(len(one), len(two))
    return list(zip(one[:number], two[:number], strict=True)), [*one[number:], *two[number:]]


@dataclass(frozen=True)
class MatchBoard:
    """A board: each club's player, and the results as the first club reads them.

    In the first of `cells` the first club's player has the first seat. `left` names who withdrew.
    """

    number: int
    players: tuple[str, str]
    cells: tuple[TableCell, ...]
    halves: tuple[int, int]
    left: tuple[str, ...] = ()


@dataclass(frozen=True)
class Match:
    """A match for letters and pages. `members` are each club's names."""

    event: int
    title: str
    rules: str
    clubs: tuple[str, str]
    members: tuple[tuple[str, ...], tuple[str, ...]]
    boards: tuple[MatchBoard, ...]
    games_left: int

    @property
    def halves(self) -> tuple[int, int]:
        """Twice the points of each club."""
        return sum(each.halves[0] for each in self.boards), sum(each.halves[1] for each in self.boards)

    @property
    def score(self) -> str:
        """The points of both clubs in words."""
        return ", ".join(
            f"{club} {points_text(each / 2)}" for club, each in zip(self.clubs, self.halves, strict=True)
        )

    @property
    def leader(self) -> str:
        """The club that has more points, or ""."""
        first, second = self.halves
        return "" if first == second else self.clubs[first < second]

    @property
    def spare(self) -> list[str]:
        """The names of those who have no board, once there are boards."""
        seated = {name for board in self.boards for name in board.players}
        return [name for club in self.members for name in club if self.boards and name not in seated]

    @property
    def follower(self) -> str:
        """The club that has fewer points, or ""."""
        return next((club for club in self.clubs if self.leader and club != self.leader), "")

    @property
    def has_forfeits(self) -> bool:
        return any(cell.sign in ("+", "-") for board in self.boards for cell in board.cells)

    @property
    def decided(self) -> bool:
        """True if the club behind cannot catch up any more."""
        first, second = self.halves
        return abs(first - second) > 2 * self.games_left

    def board_of(self, name: str) -> MatchBoard | None:
        return next((each for each in self.boards if name in each.players), None)


def show_board(
    number: int,
    pair: tuple[int, int],
    games: Sequence[EventGame],
    names: Mapping[int, str],
    gone: Sequence[int],
) -> MatchBoard:
    """Make a board. `pair` holds each club's player, `gone` the players who withdrew."""
    cells, halves = [], [0, 0]
    for game in games:
        side = pair.index(game.first)
        cells.append(TableCell(SIGNS[game.score][side] if game.score in SIGNS else "", game.game))
        got = HALVES.get(game.score or "", (0, 0))
        halves[0] += got[side]
        halves[1] += got[1 - side]
    left = tuple(names[each] for each in pair if each in gone)
    players = (names[pair[0]], names[pair[1]])
    return MatchBoard(number, players, tuple(cells), (halves[0], halves[1]), left)


def count_left(games: Mapping[int, Sequence[EventGame]]) -> int:
    """The number of games without a result on all boards."""
    return sum(len(games_left(each)) for each in games.values())
