"""The ladder: challenges, wins, idle places, and the order after all of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.errors import Refusal
from pbem.core.events.ladder import (
    ENTERED,
    LEFT,
    SANK,
    WON,
    Change,
    Ladder,
    LadderChallenge,
    LadderLine,
    LadderResult,
    after_sinking,
    after_win,
    check_challenge,
    next_moment,
    order_after,
)

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
    there = [LadderChallenge(*each) for each in waiting]
    if not sentence:
        check_challenge(ORDER, LadderChallenge(lower, upper), there)
        return
    with pytest.raises(Refusal, match=sentence):
        check_challenge(ORDER, LadderChallenge(lower, upper), there)


NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def entered(*names: str) -> Change[str]:
    return Change(NOON, 1, ENTERED, names)


@given(st.permutations(range(4)))
def test_changes_count_in_the_order_in_which_they_happened(given: list[int]) -> None:
    changes = [
        entered("A", "B", "C", "D"),
        Change(NOON + HOUR, 4, WON, ("B", "A")),
        Change(NOON + 2 * HOUR, 3, WON, ("D", "B")),  # challenged first, over later
        Change(NOON + 3 * HOUR, 5, LEFT, ("A",)),
    ]
    assert ["D", "C", "B"] == order_after(changes[n] for n in given)


def test_of_two_at_a_moment_the_earlier_entry_counts_first() -> None:
    left, won = Change(NOON, 3, LEFT, ("A",)), Change(NOON, 2, WON, ("C", "A"))
    assert ["C", "B"] == order_after([left, won, entered("A", "B", "C")])


def test_what_concerns_nobody_on_the_ladder_changes_nothing() -> None:
    late = [Change(NOON, 2, kind, ("Z",)) for kind in (LEFT, SANK)]
    wins = [Change(NOON, 3, WON, pair) for pair in (("Z", "A"), ("B", "Z"))]
    assert ["A", "B"] == order_after([entered("A", "B"), *late, *wins, entered("B")])


def test_the_next_moment_is_that_of_the_oldest_challenge_or_of_the_next_look() -> None:
    day = timedelta(days=1)
    assert NOON + 7 * day == next_moment([], NOON)
    assert NOON + 5 * day + HOUR == next_moment([NOON + 6 * day, NOON + 5 * day], NOON)
    assert NOON + 7 * day == next_moment([NOON + 8 * day], NOON)


@pytest.mark.parametrize(
    ("score", "pair"),
    [("1-0", ("A", "B")), ("0-1", ("B", "A")), ("+", ("A", "B")), ("-", ("B", "A")), ("1/2", None)],
)
def test_a_result_is_seen_from_the_upper_player(score: str, pair: tuple[str, str] | None) -> None:
    result = LadderResult(NOON, 2, "A", "B", score, 7)
    assert (pair, score in "+-") == (result.pair, result.forfeit)
    assert ([] if pair is None else [Change(NOON, 2, WON, pair)]) == result.changes


def test_a_letter_shows_the_lines_near_to_a_player() -> None:
    lines = tuple(LadderLine(n, n, name, "") for n, name in enumerate("ABCDEFGHIJKLMN", 1))
    shown = Ladder(1, "", "", lines, ())
    assert list("ABCDEFGHIJ") == [line.name for line in shown.around("A")]
    assert list("CDEFGHIJKL") == [line.name for line in shown.around("H")]
    assert list("ABCDEFGHIJ") == [line.name for line in shown.around("Z")]
    assert ([], list("ABC"), list("DEFG")) == tuple(
        [line.name for line in shown.above(name)] for name in "ADH"
    )
