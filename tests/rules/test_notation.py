"""Words, groups of cells, and what was probably meant."""

from __future__ import annotations

import pytest

from rules.board import trapezium
from rules.notation import columns, join_words, nearest, one_slip, readings, words


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("f2 f4", ["f2", "f4"]),
        (" f2,,f4 ,g3. ", ["f2", "f4", "g3"]),
        ("f2\u00a0f4", ["f2", "f4"]),
        ("", []),
        (" , ", []),
    ],
)
def test_a_line_is_cut_into_words_at_spaces_and_commas(line, expected):
    assert expected == words(line)


@pytest.mark.parametrize(
    ("letters", "digits", "expected"),
    [
        ("m", "1", [["m1"]]),
        ("mo", "1", [["m1", "o1"]]),
        ("e", "13", [["e1", "e3"]]),
        ("mo", "13", [["m1", "m3", "o1", "o3"], ["m1", "o3"]]),
        ("moq", "13", [["m1", "m3", "o1", "o3", "q1", "q3"]]),
    ],
)
def test_a_group_is_each_with_each_or_one_with_one(letters, digits, expected):
    assert expected == readings(letters, digits)


@pytest.mark.parametrize(
    ("items", "expected"), [([], ""), ([2], "2"), ([2, 4], "2 and 4"), ([2, 4, 6], "2, 4 and 6")]
)
def test_a_list_is_written_as_one_says_it(items, expected):
    assert expected == join_words(items)


@pytest.mark.parametrize(
    ("top", "expected"), [(17, "from a to z and A to G"), (12, "from a to w"), (14, "from a to z and A")]
)
def test_columns_run_on_from_small_letters_to_capitals(top, expected):
    assert expected == columns(trapezium(top, 3))


@pytest.mark.parametrize(
    ("one", "another", "expected"),
    [
        ("adopt", "adotp", True),
        ("adopt", "adpt", True),
        ("adopt", "addopt", True),
        ("adopt", "adobt", True),
        ("adopt", "adopts", True),
        ("adopt", "dopt", True),
        ("adopt", "adopt", False),
        ("adopt", "adapts", False),
        ("adopt", "daopz", False),
        ("ab", "ba", True),
        ("a", "", True),
    ],
)
def test_a_slip_is_one_letter_wrong_missing_or_too_many_or_two_swapped(one, another, expected):
    assert expected == one_slip(one, another) == one_slip(another, one)


def test_the_nearest_word_must_be_the_only_one():
    assert "show" == nearest("shw", ["show", "help"])
    assert nearest("tame", ["take", "time"]) is None
    assert nearest("zzz", ["show", "help"]) is None
