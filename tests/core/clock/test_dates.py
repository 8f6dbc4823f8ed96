"""Due times of digests, also on days of 23 or 25 hours."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.clock.dates import next_digest, previous_digest, read_hour, zone_of

ZONES = [
    *("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Havana"),
    *("Asia/Kathmandu", "Pacific/Apia", "America/Sao_Paulo", "Africa/Casablanca", "Pacific/Kiritimati"),
]
YEARS = st.integers(0, 15_000_000).map(
    lambda minutes: datetime(2005, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        *(("7", 7), ("07:00", 7), ("7h", 7), ("7.00", 7), ("0", 0), ("23", 23), ("19h00", 19)),
        *(("7am", 7), ("7 pm", 19), ("12am", 0), ("12 PM", 12)),
        *(("24", None), ("7:30", None), ("13pm", None), ("0am", None), ("", None), ("off", None)),
    ],
)
def test_an_hour_is_read_as_people_write_it(text: str, hour: int | None) -> None:
    assert hour == read_hour(text)


def test_a_zone_that_nobody_knows_is_read_as_utc() -> None:
    assert UTC is zone_of("Europe/Atlantis")
    assert UTC is zone_of("../../etc/passwd")


def test_an_hour_that_a_day_does_not_have_is_told_when_the_clocks_have_gone_forward() -> None:
    berlin = zone_of("Europe/Berlin")
    saturday = at("2026-03-28T02:00+01:00")
    sunday = next_digest(saturday, 2, berlin)
    assert at("2026-03-29T03:00+02:00") == sunday
    assert at("2026-03-30T02:00+02:00") == next_digest(sunday, 2, berlin)


def test_an_hour_that_a_day_has_twice_is_told_once() -> None:
    berlin = zone_of("Europe/Berlin")
    first = next_digest(at("2026-10-24T12:00+02:00"), 2, berlin)
    assert at("2026-10-25T02:00+02:00") == first
    assert at("2026-10-26T02:00+01:00") == next_digest(first, 2, berlin)


def test_in_a_gap_at_midnight_the_day_has_its_digest_all_the_same() -> None:
    havana = zone_of("America/Havana")
    sunday = next_digest(at("2026-03-07T12:00-05:00"), 0, havana)
    assert at("2026-03-08T01:00-04:00") == sunday
    assert at("2026-03-09T00:00-04:00") == next_digest(sunday, 0, havana)


@given(YEARS, st.integers(0, 23), st.sampled_from(ZONES))
def test_of_ten_days_in_a_row_each_has_one_digest(start: datetime, hour: int, name: str) -> None:
    zone = zone_of(name)
    due = [next_digest(start, hour, zone)]
    for _ in range(9):
        due.append(next_digest(due[-1], hour, zone))
    days = [moment.astimezone(zone).date() for moment in due]
    assert sorted(set(days)) == days
    skipped = {days[0] + timedelta(days=n) for n in range((days[-1] - days[0]).days)} - set(days)
    if name != "Pacific/Apia":  # Samoa skipped 30 December 2011
        assert set() == skipped
    assert {hour, (hour + 1) % 24} >= {moment.astimezone(zone).hour for moment in due}


@given(YEARS, st.integers(0, 23), st.sampled_from(ZONES))
def test_what_comes_next_came_after_what_came_before(now: datetime, hour: int, name: str) -> None:
    zone = zone_of(name)
    due = next_digest(now, hour, zone)
    assert due > now >= previous_digest(due, hour, zone)
    assert due == next_digest(previous_digest(due, hour, zone), hour, zone)
