"""Times in letters, in the reader's zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.outbound.times import day, time, zones


@pytest.mark.parametrize(
    ("moment", "zone", "told"),
    [
        ((2026, 3, 8, 12), "UTC", "Sunday 8 March 2026, 12:00 UTC"),
        ((2026, 3, 8, 12), "Europe/Berlin", "Sunday 8 March 2026, 13:00 CET"),
        ((2026, 7, 8, 12), "Europe/Berlin", "Wednesday 8 July 2026, 14:00 CEST"),
        ((2026, 3, 8, 12), "America/New_York", "Sunday 8 March 2026, 08:00 EDT"),
        ((2026, 3, 8, 22), "Asia/Tokyo", "Monday 9 March 2026, 07:00 JST"),
        ((2026, 1, 1, 1), "America/Sao_Paulo", "Wednesday 31 December 2025, 22:00 UTC-3"),
        ((2026, 3, 8, 12), "Asia/Kathmandu", "Sunday 8 March 2026, 17:45 UTC+5:45"),
        ((2026, 3, 8, 12), "Etc/GMT-2", "Sunday 8 March 2026, 14:00 UTC+2"),
    ],
)
def test_a_moment_is_told_in_the_readers_zone(moment, zone: str, told: str) -> None:
    assert told == time(datetime(*moment, tzinfo=UTC), zone)


def test_the_hour_that_comes_twice_and_the_one_that_never_comes_are_told_apart() -> None:
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    twice = [time(first + timedelta(hours=n), "Europe/Berlin") for n in (0, 1)]
    assert twice == [
        "Sunday 25 October 2026, 02:30 CEST",
        "Sunday 25 October 2026, 02:30 CET",
    ]
    before = datetime(2026, 3, 29, 0, 59, tzinfo=UTC)
    assert "01:59 CET" in time(before, "Europe/Berlin")
    assert "03:00 CEST" in time(before + timedelta(minutes=1), "Europe/Berlin")


def test_a_zone_that_this_machine_does_not_know_is_utc() -> None:
    for gone in ("Mars/Olympus", "../../etc/passwd", ""):
        assert "Sunday 8 March 2026, 12:00 UTC" == time(datetime(2026, 3, 8, 12, tzinfo=UTC), gone)


def test_the_year_is_there_where_it_is_another() -> None:
    moment, written = datetime(2026, 12, 31, 23, tzinfo=UTC), datetime(2026, 12, 5, tzinfo=UTC)
    assert "Thursday 31 December, 23:00 UTC" == time(moment, "UTC", written)
    assert "Friday 1 January 2027, 00:00 CET" == time(moment, "Europe/Berlin", written)


@given(st.integers(0, 4_000_000_000), st.sampled_from(sorted(zones())))
def test_every_zone_tells_every_moment_on_one_line(seconds: int, zone: str) -> None:
    moment = datetime.fromtimestamp(seconds, UTC)
    told = time(moment, zone)
    assert day(moment, zone) in told
    assert told.isprintable()
