"""Round robins: everybody meets everybody once, with both seats as often, by the Berger tables."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.core.events.schedule import pairings, round_robin

BERGER = {
    4: "1-4 2-3 / 4-3 1-2 / 2-4 3-1",
    6: "1-6 2-5 3-4 / 6-4 5-3 1-2 / 2-6 3-1 4-5 / 6-5 1-4 2-3 / 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5 / 8-5 6-4 7-3 1-2 / 2-8 3-1 4-7 5-6 / 8-6 7-5 1-4 2-3 / "
    "3-8 4-2 5-1 6-7 / 8-7 1-6 2-5 3-4 / 4-8 5-3 6-2 7-1",
}
"""The tables as they are printed for chess."""


@pytest.mark.parametrize("number", BERGER)
def test_rounds_are_those_of_the_berger_tables(number: int) -> None:
    printed = [set(line.split()) for line in BERGER[number].split(" / ")]
    assert printed == [{f"{a}-{b}" for a, b in each} for each in round_robin(range(1, number + 1))]


@pytest.mark.parametrize("number", range(2, 24))
def test_each_meets_each_once_and_plays_once_a_round(number: int) -> None:
    players = range(number)
    met = Counter(frozenset(pair) for pair in pairings(players))
    assert met == Counter(frozenset((a, b)) for a in players for b in players if a < b)
    for games in round_robin(players):
        busy = [player for pair in games for player in pair]
        assert len(busy) == len(set(busy)) == number - number % 2


@pytest.mark.parametrize("number", range(2, 24))
def test_each_is_first_as_often_as_second(number: int) -> None:
    first = Counter(pair[0] for pair in pairings(range(number)))
    second = Counter(pair[1] for pair in pairings(range(number)))
    assert all(abs(first[player] - second[player]) == 1 - number % 2 for player in range(number))


def test_nobody_and_one_have_no_games() -> None:
    assert [] == pairings([]) == pairings(["A"])
