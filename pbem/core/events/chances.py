"""The places that players can still reach, computed exactly on points.

A player wins all that is left to them. The half points of the other games are then shared out so that nobody
gets more than is allowed: a matching of half points with players. Ties on points count as reached, since
Sonneborn-Berger may decide them.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

from pbem.core.events.table import TableResult, half_points

P = TypeVar("P", bound=Hashable)

Pair = tuple[P, P]


def can_reach(
    player: P, place: int, players: Sequence[P], results: Iterable[TableResult[P]], left: Iterable[Pair[P]]
) -> bool:
    """True if `player` can still be level on points with `place`. `left` has the games to come."""
    if place >= len(players):
        return True
    games = [game for game in left if player not in game]
    halves = half_points(players, results)
    best = halves[player] + 2 * sum(player in game for game in left)
    others = [other for other in players if other != player]
    most = Counter({other: halves[other] for other in others})
    most.update(each for game in games for each in (*game, *game))
    if max(most.values()) <= best:
        return True  # as in most of a season, and found without a matching
    return any(
        _fits(games, {other: best - halves[other] for other in others if other not in above}, set(above))
        for above in combinations(others, place - 1)
    )


def is_certain(
    player: P, place: int, players: Sequence[P], results: Iterable[TableResult[P]], left: Iterable[Pair[P]]
) -> bool:
    """True if `player` certainly has `place` or better. All below are behind on points."""
    if place >= len(players):
        return True
    games, done = list(left), list(results)
    halves = half_points(players, done)
    others = [other for other in players if other != player]
    return not any(_all_reach(games, halves, player, level) for level in combinations(others, place))


def _all_reach(games: Sequence[Pair[P]], halves: Mapping[P, int], player: P, level: Collection[P]) -> bool:
    """True if all of `level` can still reach the player's present points."""
    needed = {other: max(0, halves[player] - halves[other]) for other in level}
    room = {other: sum(needed.values()) for other in {each for game in games for each in game}}
    room |= needed
    units = _matched([game for game in games if any(each in needed for each in game)], room, set(level))
    return units >= sum(needed.values())


def _fits(games: Sequence[Pair[P]], room: Mapping[P, int], free: Collection[P]) -> bool:
    """True if each game's two half points find a player, either one of `free` or one with room."""
    if any(space < 0 for space in room.values()):
        return False
    bound = [game for game in games if not any(each in free for each in game)]
    return _matched(bound, room, set(room)) == 2 * len(bound)


def _matched(games: Sequence[Pair[P]], room: Mapping[P, int], takers: Collection[P]) -> int:
    """Return the most half points that `takers` can have within `room`. Found by augmenting paths."""
    units = [game for game in games for _half in range(2)]
    held: dict[P, list[int]] = {each: [] for each in takers}

    def place(unit: int, seen: set[P]) -> bool:
        for each in units[unit]:
            if each not in held or each in seen:
                continue
            seen.add(each)
            if len(held[each]) < room[each]:
                held[each].append(unit)
                return True
            for n, other in enumerate(held[each]):
                if place(other, seen):
                    held[each][n] = unit
                    return True
        return False

    return sum(place(unit, set()) for unit in range(len(units)))
