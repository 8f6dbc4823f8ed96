"""Round robins by the Berger tables. No player has one seat more than once oftener than the other."""

from collections.abc import Hashable, Sequence
from typing import TypeVar

P = TypeVar("P", bound=Hashable)

Pairing = tuple[P, P]
"""First seat, second seat."""


def round_robin(players: Sequence[P]) -> list[list[Pairing[P]]]:
    """The rounds in which each meets each once. With an odd number one is free in each round.

    Of an odd number each is first as often as second; of an even one the two differ by one.
    """
    rounds = len(players) - 1 + len(players) % 2
    return [_round(players, number, rounds) for number in range(1, rounds + 1)]


def pairings(players: Sequence[P], *, double: bool = False) -> list[Pairing[P]]:
    """All games of a round robin, round by round. A `double` one comes again with seats changed."""
    once = [pairing for rounds in round_robin(players) for pairing in rounds]
    return [*once, *((second, first) for first, second in once)] if double else once


def _round(players: Sequence[P], number: int, rounds: int) -> list[Pairing[P]]:
    """Return a round's games. Two places meet by their sum, modulo the rounds."""
    found = [] if len(players) % 2 else [_with_last(players, number, rounds)]
    for one in range(1, rounds + 1):
        other = (number + 1 - one - 1) % rounds + 1
        if one < other:
            low, high = players[one - 1], players[other - 1]
            found.append((low, high) if (one + other) % 2 else (high, low))
    return found


def _with_last(players: Sequence[P], number: int, rounds: int) -> Pairing[P]:
    """Return the last place's game, with the place that would meet itself."""
    place = next(place for place in range(1, rounds + 1) if 2 * place % rounds == (number + 1) % rounds)
    pair = players[place - 1], players[-1]
    return pair if 2 * place <= len(players) else (pair[1], pair[0])
