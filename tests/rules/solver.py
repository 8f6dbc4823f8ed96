"""An exhaustive solver, the outside judge of the search: slow, without chance, and sure."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from random import Random

from rules.contract import Position, Rules, Seat


class Solver:
    """The value of positions for seat 0, by looking at everything that can follow."""

    def __init__(self) -> None:
        self.known: dict[Hashable, float] = {}

    def value(self, position: Position) -> float:
        """1 where seat 0 wins, 0 where seat 1 does, 0.5 for a draw."""
        if position.outcome is not None:
            winner = position.outcome.winner
            return 0.5 if winner is None else 1.0 - winner
        key = position.key()
        if key not in self.known:
            self.known[key] = self._best(position)
        return self.known[key]

    def _best(self, position: Position) -> float:
        assert position.complete
        wanted = 1.0 if position.to_play == 0 else 0.0
        best = 1 - wanted
        for move in position.actions():
            value = self.value(position.follow(move))
            if value == wanted:
                return value
            if abs(value - wanted) < abs(best - wanted):
                best = value
        return best


def late_position(rules: Rules, chosen: Mapping[str, str], seed: int, empty: int) -> Position | None:
    """A position of a game of chance with at most so many playable cells, None if it was over before."""
    rng, position = Random(seed), rules.start(chosen, seed)
    while position.outcome is None:
        if position.complete and len(position.playable()) <= empty:
            return position
        position = position.follow(position.sample(rng))
    return None


class Force:
    """The wins that a seat can force within some plies, where not all plies of a game are listed."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.known: dict[tuple[Hashable, int], bool] = {}

    def wins(self, position: Position, plies: int) -> bool:
        """True where the win is sure: every reply was looked at."""
        if position.outcome is not None:
            return position.outcome.winner == self.seat
        if not plies:
            return False
        mine = position.to_play == self.seat
        if not mine and not position.complete:
            return False
        key = position.key(), plies
        if key not in self.known:
            after = (self.wins(position.follow(move), plies - 1) for move in position.actions())
            self.known[key] = any(after) if mine else all(after)
        return self.known[key]
