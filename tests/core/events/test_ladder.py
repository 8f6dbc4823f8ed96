"""The ladder: challenges, wins and idle places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.errors import Refusal
from pbem.core.events.ladder import Challenge, after_sinking, after_win, check_challenge

ORDER = list("ABCDEFG")


@given(st.permutations(ORDER), st.sampled_from(ORDER), st.sampled_from(ORDER))
def test_a_win_from_below_changes_two_places_and_no_other(order: list[str], winner: str, loser: str) -> None:
    after = after_win(order, winner, loser)
    assert sorted(order) == sorted(after)
    assert after.index(winner) <= after.index(loser)
    assert [one for one in order if one not in (winner, loser)] == [
        one for one in after if one not in (winner, loser)
    ]
    assert (after == order) == (order.index(winner) <= order.index(loser))


@given(st.permutations(ORDER), st.sets(st.sampled_from(ORDER)))
def test_idle_players_sink_by_one_and_keep_their_order(order: list[str], idle: set[str]) -> None:
    after = after_sinking(order, idle)
    assert sorted(order) == sorted(after)
    for group in (idle, set(order) - idle):
        assert [one for one in order if one in group] == [one for one in after if one in group]
    for one in idle:
        below = [other for other in order[order.index(one) + 1 :] if other not in idle]
        assert after.index(one) == order.index(one) + bool(below)


@pytest.mark.parametrize(
    ("lower", "upper", "waiting", "sentence"),
    [
        ("E", "A", [], ""),
        ("F", "A", [], "one to 4 places"),
        ("A", "B", [], "one to 4 places"),
        ("A", "A", [], "one to 4 places"),
        ("Z", "A", [], "Z is not on this ladder"),
        ("B", "A", [("B", "A")], "challenged A already"),
        ("E", "A", [("E", "B"), ("E", "C")], "You have 2 challenges"),
        ("E", "A", [("B", "A"), ("C", "A")], "A has 2 challenges"),
        ("E", "A", [("E", "B"), ("C", "A"), ("D", "E"), ("F", "E")], ""),
    ],
)
def test_a_challenge_goes_up_to_four_places_and_two_at_a_time(
    lower: str, upper: str, waiting: list[tuple[str, str]], sentence: str
) -> None:
    there = [Challenge(*each) for each in waiting]
    if not sentence:
        check_challenge(ORDER, Challenge(lower, upper), there)
        return
    with pytest.raises(Refusal, match=sentence):
        check_challenge(ORDER, Challenge(lower, upper), there)
