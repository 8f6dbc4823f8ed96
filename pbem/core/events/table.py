"""The table of a round robin, from results alone.

A forfeit counts like a played game for points, Sonneborn-Berger and direct result, but not as a win as second
seat, since no game was won on the board. Everybody in a round robin meets everybody, so a withdrawal has the
same effect on opponents met before and after it.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

P = TypeVar("P", bound=Hashable)

FIRST, SECOND, DRAW, FORFEIT_WIN, FORFEIT_LOSS = "1-0", "0-1", "1/2", "+", "-"
HALVES = {FIRST: (2, 0), SECOND: (0, 2), DRAW: (1, 1), FORFEIT_WIN: (2, 0), FORFEIT_LOSS: (0, 2)}
"""Half points of first and second seat, by result; `+` and `-` are forfeits seen from the first seat."""


@dataclass(frozen=True)
class TableResult(Generic[P]):
    """A counted game: first seat, second seat, and a key of `HALVES`."""

    first: P
    second: P
    score: str


@dataclass(frozen=True)
class Standing(Generic[P]):
    """A line of a table. `direct`: points against players with equal points and equal Sonneborn-Berger."""

    player: P
    points: float
    sonneborn_berger: float
    direct: float
    wins_second: int


_FRACTIONS = ("", "¼", "½", "¾")


def points_text(points: float) -> str:
    """Points as people read them: `0`, `½`, `2½`; Sonneborn-Berger may have quarters."""
    whole, quarters = divmod(round(4 * points), 4)
    return f"{whole or '' if quarters else whole}{_FRACTIONS[quarters]}"


def points_phrase(points: float) -> str:
    """Points with their noun: `½ point`, `1 point`, `2½ points`."""
    return f"{points_text(points)} {'point' if 0 < points <= 1 else 'points'}"


class BadResult(ValueError):
    """Raised for a result that no table can hold, with a sentence for the person who made the data."""


def standings(players: Sequence[P], results: Iterable[TableResult[P]]) -> list[Standing[P]]:
    """Return the rows of a table, best first. Players equal in all criteria stay in the order given.

    Raises BadResult for a player who is listed twice, who is not listed or who plays against themselves, and
    for an unknown score.
    """
    games = list(results)
    _check(players, games)
    halves = half_points(players, games)
    quarters = dict.fromkeys(players, 0)
    for one, other, got in _sides(games):
        quarters[one] += got * halves[other]
    direct = dict.fromkeys(players, 0)
    for one, other, got in _sides(games):
        if (halves[one], quarters[one]) == (halves[other], quarters[other]):
            direct[one] += got
    wins = Counter(game.second for game in games if game.score == SECOND)
    rows = [
        Standing(player, halves[player] / 2, quarters[player] / 4, direct[player] / 2, wins[player])
        for player in players
    ]
    return sorted(rows, key=_key, reverse=True)  # a reversed sort keeps the order of equals


def half_points(players: Iterable[P], results: Iterable[TableResult[P]]) -> dict[P, int]:
    """Twice the points of each player."""
    found = dict.fromkeys(players, 0)
    for one, _other, got in _sides(results):
        found[one] += got
    return found


def _key(row: Standing[P]) -> tuple[float, ...]:
    return row.points, row.sonneborn_berger, row.direct, row.wins_second


def _sides(results: Iterable[TableResult[P]]) -> Iterable[tuple[P, P, int]]:
    """Yield each result twice: a player, their opponent, the player's half points."""
    for game in results:
        first, second = HALVES[game.score]
        yield game.first, game.second, first
        yield game.second, game.first, second


def _check(players: Sequence[P], games: Iterable[TableResult[P]]) -> None:
    known = Counter(players)
    for player, number in known.items():
        if number > 1:
            raise BadResult(f"{player} is among the players twice.")
    for number, game in enumerate(games, 1):
        for player in (game.first, game.second):
            if player not in known:
                raise BadResult(f"Result {number}: {player} is not among the players.")
        if game.first == game.second:
            raise BadResult(f"Result {number}: {game.first} plays against themselves.")
        if game.score not in HALVES:
            raise BadResult(f"Result {number}: {game.score} is none of {' '.join(HALVES)}.")


def read_results(data: object) -> tuple[list[str], list[TableResult[str]]]:
    """Players and results of `{"players": [...], "results": [[first, second, score], ...]}`.

    Raises BadResult where the data has another shape.
    """
    if not isinstance(data, Mapping) or not {"players", "results"} <= data.keys():
        raise BadResult('An object with "players" and "results" is needed.')
    players, results = data["players"], data["results"]
    if not isinstance(players, list) or not all(isinstance(each, str) and each for each in players):
        raise BadResult('"players" is a list of names.')
    if not isinstance(results, list):
        raise BadResult('"results" is a list.')
    return players, [_read_result(number, each) for number, each in enumerate(results, 1)]


def _read_result(number: int, data: object) -> TableResult[str]:
    if not isinstance(data, list) or len(data) != 3 or not all(isinstance(part, str) for part in data):
        raise BadResult(f'Result {number}: three texts are needed, such as ["A", "B", "1-0"].')
    return TableResult(*data)
