"""Statistics of games: the counts and their certainty."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.ratings.statistics import MAX_BINS, Share, bins, median, months

counted = st.dictionaries(st.integers(0, 900), st.integers(1, 50), max_size=60)


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [(50, 100, 0.404, 0.596), (0, 10, 0.0, 0.278), (10, 10, 0.722, 1.0), (81, 263, 0.255, 0.366)],
)
def test_an_interval_is_wilsons(part: int, whole: int, low: float, high: float) -> None:
    assert (low, high) == pytest.approx(Share(part, whole).interval, abs=0.0005)


def test_nothing_is_known_of_no_games() -> None:
    assert (0.0, 1.0) == Share(0, 0).interval
    assert Share(0, 0).seats_may_be_equal


def test_few_games_leave_it_open_who_is_ahead_and_many_do_not() -> None:
    assert Share(6, 10).seats_may_be_equal
    assert not Share(600, 1000).seats_may_be_equal


@given(counted)
def test_every_game_is_in_one_bin(lengths: dict[int, int]) -> None:
    found = bins(lengths)
    assert sum(lengths.values()) == sum(each.n for each in found)
    assert len(found) <= MAX_BINS
    for each in found:
        assert sum(n for length, n in lengths.items() if each.low <= length <= each.high) == each.n


def test_half_of_the_games_do_not_pass_the_median() -> None:
    assert 12 == median({3: 1, 12: 3, 90: 2})


def test_months_have_no_gaps_and_begin_with_the_first() -> None:
    found = months({"2025-11": 3, "2026-01": 2}, "2026-02")
    assert [("2025-11", 3), ("2025-12", 0), ("2026-01", 2), ("2026-02", 0)] == found
    assert 24 == len(months({"2001-01": 1}, "2026-02"))
