"""Relative times in pages."""

from datetime import UTC, datetime, timedelta

import pytest

from pbem.web.filters import ago
from tests.web.markup import read

NOW = datetime(2026, 3, 4, 5, 58, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "past", "future"),
    [
        (0, "just now", "just now"),
        (59, "just now", "in a minute"),
        (60, "1 minute ago", "in 1 minute"),
        (3 * 60, "3 minutes ago", "in 3 minutes"),
        (3599, "59 minutes ago", "in 59 minutes"),
        (3600, "1 hour ago", "in 1 hour"),
        (2 * 3600 - 1, "1 hour ago", "in 1 hour"),
        (86399, "23 hours ago", "in 23 hours"),
        (86400, "1 day ago", "in 1 day"),
        (30 * 86400 - 1, "29 days ago", "in 29 days"),
        (30 * 86400, "2 February 2026", "3 April 2026"),
    ],
)
def test_a_distance_is_told_in_whole_units_that_have_passed_or_are_left(
    seconds: int, past: str, future: str
) -> None:
    distance = timedelta(seconds=seconds)
    assert [past, future] == [read(ago(moment, NOW)).text for moment in (NOW - distance, NOW + distance)]
