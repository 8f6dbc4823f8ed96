"""Shares, means, quartiles and histograms of the laboratory."""

from __future__ import annotations

import statistics
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.lab.statistics import MAX_BINS, histogram, mean, mean_share, quartiles, share, wilson

numbers = st.lists(st.integers(0, 3000), min_size=1, max_size=60)


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [(50, 100, 0.404, 0.596), (0, 10, 0.0, 0.278), (10, 10, 0.722, 1.0), (81, 263, 0.255, 0.366)],
)
def test_intervals_of_shares_are_those_of_the_literature(
    won: int, games: int, low: float, high: float
) -> None:
    assert (low, high) == pytest.approx(wilson(won, games), abs=0.0005)


@given(st.integers(0, 400), st.integers(1, 400))
def test_an_interval_holds_its_share_and_mirrors_that_of_the_others(won: int, more: int) -> None:
    games = won + more
    low, high = wilson(won, games)
    assert 0 <= low <= won / games <= high <= 1
    assert (1 - high, 1 - low) == pytest.approx(wilson(games - won, games))


@given(st.integers(0, 50), st.integers(1, 50))
def test_more_games_make_an_interval_narrower(won: int, lost: int) -> None:
    low, high = wilson(won, won + lost)
    narrow_low, narrow_high = wilson(4 * won, 4 * (won + lost))
    assert narrow_high - narrow_low < high - low


def test_nothing_is_known_of_no_games() -> None:
    found = share(0, 0)
    assert (0.5, 0.0, 1.0, 0) == (found.value, found.low, found.high, found.count)
    assert [] == histogram([])
    for function in (mean, quartiles):
        with pytest.raises(ValueError, match="no values"):
            function([])


@given(numbers)
def test_means_and_quartiles_are_those_of_the_standard_library(values: list[int]) -> None:
    found = mean(values)
    assert found.value == pytest.approx(statistics.fmean(values))
    assert found.low <= found.value <= found.high
    if len(values) > 1:
        error = statistics.stdev(values) / len(values) ** 0.5
        assert 1.95 * error <= found.high - found.value + 1e-6 <= 12.8 * error + 1e-5
        expected = statistics.quantiles(values, n=4, method="inclusive")
        assert expected == pytest.approx(list(quartiles(values)))


@pytest.mark.parametrize(("count", "width"), [(2, 12.71), (4, 3.18), (31, 2.04), (32, 1.96), (400, 1.96)])
def test_a_mean_of_few_values_has_a_wide_interval(count: int, width: float) -> None:
    values = [number % 2 for number in range(count)]
    error = statistics.stdev(values) / count**0.5
    assert mean(values).high - mean(values).value == pytest.approx(width * error)


@given(numbers)
def test_each_value_is_in_one_bin_of_a_histogram(values: list[int]) -> None:
    bins = histogram(values)
    assert len(bins) <= MAX_BINS
    assert [sum(each.low <= value <= each.high for value in values) for each in bins] == [
        each.count for each in bins
    ]
    assert sum(each.count for each in bins) == len(values)
    assert all(one.high + 1 == other.low for one, other in pairwise(bins))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_the_interval_of_a_mean_of_shares_is_one_of_shares(values: list[float]) -> None:
    found = mean_share(values)
    assert 0 <= found.low <= found.high <= 1
    assert found.value == mean(values).value
