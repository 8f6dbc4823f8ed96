"""Glicko-2: its author's own example, and common sense about ratings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.ratings.glicko import MAX_DEVIATION, NEWCOMER, Rating, update_rating

ratings = st.builds(
    Rating,
    value=st.floats(0, 3500),
    deviation=st.floats(20, 350),
    volatility=st.floats(0.03, 0.12),
)
scores = st.sampled_from((0.0, 0.5, 1.0))
periods = st.floats(0, 1000)


def test_the_authors_example_gives_the_authors_numbers():
    games = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = update_rating(Rating(1500, 200, 0.06), games, periods=1)
    assert (1464.05, 151.52) == (round(after.value, 2), round(after.deviation, 2))
    assert 0.05999 == pytest.approx(after.volatility, abs=0.000_01)


def test_the_authors_figure_for_somebody_who_did_not_play():
    assert 200.2714 == pytest.approx(
        update_rating(Rating(1500, 200, 0.06), [], periods=1).deviation, abs=0.000_1
    )


@given(ratings, ratings, periods)
def test_who_wins_rises_and_who_loses_falls(player, other, time):
    assert (
        update_rating(player, [(other, 1.0)], time).value
        >= player.value
        >= update_rating(player, [(other, 0.0)], time).value
    )


@given(ratings, ratings, scores)
def test_a_game_makes_a_rating_surer_where_no_time_went_by(player, other, score):
    assert update_rating(player, [(other, score)]).deviation < player.deviation


@given(ratings, ratings, scores, periods)
def test_no_rating_is_less_sure_than_a_newcomers_or_out_of_reason(player, other, score, time):
    after = update_rating(player, [(other, score)], time)
    assert 0 < after.deviation <= MAX_DEVIATION
    assert 0 < after.volatility < 1
    assert abs(after.value - player.value) < 1500


def test_two_newcomers_who_draw_stay_where_they_are_and_are_better_known():
    after = update_rating(NEWCOMER, [(NEWCOMER, 0.5)])
    assert 1500 == pytest.approx(after.value)
    assert 290 < after.deviation < 291


def test_a_years_rest_makes_a_known_player_provisional_no_sooner_than_it_should():
    known = Rating(1700, 60, 0.06)
    assert known.after(52).deviation < 110 < known.after(80).deviation
