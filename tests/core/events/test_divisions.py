"""Divisions of a league: sizes, ratings, promotion and relegation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.events.divisions import (
    MAX_SIZE,
    MIN_SIZE,
    MOVING,
    division_sizes,
    first_divisions,
    next_divisions,
)

sizes = st.integers(MIN_SIZE, MAX_SIZE)


@given(st.integers(0, 3000), sizes)
def test_sizes_are_even_and_within_bounds(players: int, size: int) -> None:
    found = division_sizes(players, size)
    assert players == sum(found)
    assert sorted(found, reverse=True) == found
    if players >= MIN_SIZE:
        assert found[0] - found[-1] <= 1
        assert MIN_SIZE <= found[-1] <= found[0] <= MAX_SIZE
    if players >= 2 * size and size > 2 * MIN_SIZE:
        assert found[0] <= size


@pytest.mark.parametrize("size", [3, 11])
def test_no_division_is_smaller_than_four_or_larger_than_ten(size: int) -> None:
    with pytest.raises(ValueError, match="4 to 10"):
        division_sizes(12, size)


@given(st.dictionaries(st.integers(0, 99), st.floats(0, 3000)), st.sets(st.integers(0, 99)), sizes)
def test_the_first_divisions_go_by_rating_with_new_players_below(
    ratings: dict[int, float], new: set[int], size: int
) -> None:
    players = sorted({*ratings, *new})
    flat = [player for division in first_divisions(players, ratings, size) for player in division]
    assert sorted(flat) == players
    values = [ratings.get(player, -1) for player in flat]
    assert sorted(values, reverse=True) == values


@given(st.integers(1, 6), sizes)
def test_two_go_up_and_two_go_down_where_all_play_on(number: int, size: int) -> None:
    tables = [[f"{n}{place:02}" for place in range(size)] for n in range(number)]
    players = [player for table in tables for player in table]
    found = next_divisions(tables, players, {}, size)
    for n, table in enumerate(tables):
        expected = set(table)
        if n:
            expected = expected - set(table[:MOVING]) | set(tables[n - 1][-MOVING:])
        if n + 1 < number:
            expected = expected - set(table[-MOVING:]) | set(tables[n + 1][:MOVING])
        assert expected == set(found[n])


@given(st.lists(st.integers(4, 10), min_size=1, max_size=5), st.data(), sizes)
def test_everybody_who_entered_plays_once(shape: list[int], data: st.DataObject, size: int) -> None:
    tables = [[(n, place) for place in range(each)] for n, each in enumerate(shape)]
    old = [player for table in tables for player in table]
    staying = data.draw(st.sets(st.sampled_from(old)))
    new = [(9, n) for n in range(data.draw(st.integers(0, 12)))]
    found = next_divisions(tables, [*sorted(staying), *new], {}, size)
    flat = [player for division in found for player in division]
    assert sorted([*staying, *new]) == sorted(flat)
    assert new == [player for player in flat if player in new] == flat[len(staying) :]


def test_the_third_goes_up_too_where_somebody_leaves_above() -> None:
    tables = [["a", "b", "c", "d", "e"], ["f", "g", "h", "i", "j"]]
    players = ["a", "c", "d", "e", "f", "g", "h", "i", "j", "new"]
    found = next_divisions(tables, players, {}, 5)
    assert [{"a", "c", "f", "g", "h"}, {"d", "e", "i", "j", "new"}] == [set(each) for each in found]


def test_the_third_from_the_bottom_goes_down_too_where_divisions_become_smaller() -> None:
    tables = [["a", "b", "c", "d", "e", "x"], ["f", "g", "h", "i", "j"]]
    players = ["a", "b", "c", "d", "f", "g", "h", "i", "j", "e"]
    found = next_divisions(tables, players, {}, 6)
    assert {"a", "b", "c", "f", "g"} >= set(found[0]) and {"f", "g"} <= set(found[0])


def test_whoever_is_both_first_and_last_of_a_small_rest_goes_up() -> None:
    tables = [["a", "b", "c", "d"], ["e", "f", "g", "h"], ["i", "j", "k", "l"]]
    players = ["a", "b", "c", "d", "g", "h", "i", "j", "k", "l"]
    found = next_divisions(tables, players, {}, 5)
    assert {"a", "b", "g", "h"} <= set(found[0])
