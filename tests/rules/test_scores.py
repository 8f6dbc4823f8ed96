"""The score table as text."""

from __future__ import annotations

from rules.picture import score_lines


def test_each_side_is_a_column_and_each_thing_counted_a_line():
    scores = {
        "White (O)": {"points": 12, "rows of 6": 1},
        "Black (X)": {"points": 9.5, "rows of 6": 0},
    }
    assert score_lines(scores) == [
        "            White (O)   Black (X)",
        "points             12         9.5",
        "rows of 6           1           0",
    ]


def test_long_values_widen_their_column():
    assert score_lines({"A": {"money": 1000}, "B": {"money": 5}}) == [
        "           A   B",
        "money   1000   5",
    ]


def test_what_one_side_does_not_count_is_left_blank():
    assert score_lines({"A": {"points": 1, "pie": 1}, "B": {"points": 2}}) == [
        "         A   B",
        "points   1   2",
        "pie      1",
    ]


def test_a_game_without_scores_has_no_table():
    assert [] == score_lines({})
