"""Weekends on which a clock rests: by the owner's zone, in summer time, and through changes of zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.clock.clock import Clock, ClockStops
from pbem.core.clock.intervals import FOREVER, Interval, interval_at, moment_after, time_outside
from pbem.core.clock.time_control import read_pace
from pbem.core.clock.weekends import EARLIEST, Weekends, zones_of_seat
from pbem.core.errors import Refusal

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
FRIDAY_NOON = MONDAY + 4 * DAY + 12 * HOUR
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Etc/GMT-14", "Etc/GMT+12")


def utc(month: int, day: int, hour: int = 0) -> datetime:
    return datetime(2026, month, day, hour, tzinfo=UTC)


def always(zone: str) -> Weekends:
    return Weekends(((FOREVER, zone),))


def first_from(weekends: Weekends, moment: datetime) -> Interval:
    return next(span for span in weekends.since(moment) if span[1] > moment)


def stops(
    zone: str = "UTC", *, both: tuple[Interval, ...] = (), away: tuple[Interval, ...] = ()
) -> ClockStops:
    return ClockStops(both, (away, ()), weekends=(always(zone), always("UTC")))


# ------------------------------------------------------------------------------------------- pace


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("7d+1d weekends", "7d+1d weekends"),
        ("7D+1D<=14D Weekends", "7d+1d<=14d weekends"),
        ("3d/move weekends", "3d/move weekends"),
        ("weekends", "7d+1d<=14d weekends"),
        ("brisk weekends", "1d/move weekends"),
    ],
)
def test_weekends_stand_behind_a_pace(text: str, spelled: str) -> None:
    assert spelled == str(read_pace(text)) == str(read_pace(spelled))
    assert read_pace(text).weekends and not read_pace(text.lower().removesuffix("weekends") or "1d").weekends


def test_without_a_clock_nothing_rests() -> None:
    with pytest.raises(Refusal, match="Without a clock nothing rests"):
        read_pace("none weekends")


# --------------------------------------------------------------------------------------- weekends


@pytest.mark.parametrize("zone", ZONES)
@given(hours=st.integers(0, 24 * 400))
def test_a_moment_is_in_a_weekend_where_the_calendar_on_the_wall_says_so(zone: str, hours: int) -> None:
    moment = MONDAY + hours * HOUR
    local = moment.astimezone(ZoneInfo(zone))
    rests = interval_at(always(zone).since(moment), moment)
    assert (local.weekday() >= 5) == (rests is not None)
    if rests is not None:
        ends = rests[1].astimezone(ZoneInfo(zone))
        assert (0, 0, 0) == (ends.weekday(), ends.hour, ends.minute)


@pytest.mark.parametrize(("friday", "hours"), [((3, 6), 48), ((3, 27), 47), ((10, 23), 49)])
def test_a_weekend_has_an_hour_less_or_more_where_summer_time_begins_or_ends(
    friday: tuple[int, int], hours: int
) -> None:
    begins, ends = first_from(always("Europe/Berlin"), utc(*friday))
    assert hours * HOUR == ends - begins


def test_weekends_follow_each_other_without_end() -> None:
    many = list(islice(always("Europe/Berlin").since(MONDAY), 300))
    assert all(one[1] < other[0] for one, other in pairwise(many))
    assert many[0][1] <= MONDAY


@pytest.mark.parametrize(
    ("change", "old", "new", "expected"),
    [
        # before the weekend: the new zone's
        (utc(3, 5), "UTC", "Etc/GMT+5", (utc(3, 7, 5), utc(3, 9, 5))),
        # on the weekend: it ends as it began
        (utc(3, 7, 12), "UTC", "Etc/GMT+5", (utc(3, 7), utc(3, 9))),
        (utc(3, 8, 23), "UTC", "Etc/GMT-5", (utc(3, 7), utc(3, 9))),
        # in the new zone it is Saturday already
        (utc(3, 6, 20), "UTC", "Etc/GMT-10", (utc(3, 6, 20), utc(3, 8, 14))),
        # after it: no second one, though in the new zone Sunday is not over
        (utc(3, 9, 1), "UTC", "Etc/GMT+12", (utc(3, 7), utc(3, 9))),
    ],
)
def test_a_change_of_zone_moves_no_weekend_that_has_begun_and_makes_no_second_one(
    change: datetime, old: str, new: str, expected: Interval
) -> None:
    weekends = Weekends(((change, old), (FOREVER, new)))
    assert expected == first_from(weekends, utc(3, 4))
    following = [span for span in islice(weekends.since(utc(3, 4)), 9) if span[0] > expected[0]]
    assert first_from(always(new), utc(3, 12)) == following[0]


@given(st.lists(st.tuples(st.integers(0, 24 * 21), st.sampled_from(ZONES)), max_size=6))
def test_no_change_of_zone_makes_more_than_one_weekend_a_week_or_a_longer_one(
    changes: list[tuple[int, str]],
) -> None:
    ends = [MONDAY + hours * HOUR for hours, _ in sorted(changes)]
    zones = [*zip(ends, (zone for _, zone in changes), strict=True), (FOREVER, "UTC")]
    found = list(islice(Weekends(tuple(zones)).since(MONDAY), 8))
    assert all(ends - begins <= 49 * HOUR for begins, ends in found)
    # The longest way from one zone to another takes less than 27 hours.
    assert time_outside(found, MONDAY, MONDAY + 28 * DAY) >= 20 * DAY - 27 * HOUR


def test_the_zones_of_a_seat_are_those_of_whoever_sits_there() -> None:
    one = ((utc(3, 10), "UTC"), (FOREVER, "Europe/Berlin"))
    other = ((utc(3, 1), "Asia/Tokyo"), (utc(3, 30), "Asia/Kolkata"), (FOREVER, "Asia/Tokyo"))
    sat = [(one, EARLIEST, utc(3, 20)), (other, utc(3, 20), FOREVER)]
    assert (
        (utc(3, 10), "UTC"),
        (utc(3, 20), "Europe/Berlin"),
        (utc(3, 30), "Asia/Kolkata"),
        (FOREVER, "Asia/Tokyo"),
    ) == zones_of_seat(sat)


# ----------------------------------------------------------------------------------------- clocks


def test_a_flag_comes_later_by_the_weekends_before_it() -> None:
    clock = Clock.started(read_pace("7d weekends"), 0, FRIDAY_NOON)
    assert FRIDAY_NOON + 11 * DAY == clock.deadline(stops())
    assert FRIDAY_NOON + 7 * DAY == clock.deadline(ClockStops())
    assert 6 * DAY + 12 * HOUR == clock.left(0, stops(), FRIDAY_NOON + 2 * DAY)


def test_time_that_ends_with_friday_ends_with_sunday() -> None:
    clock = Clock.started(read_pace("12h weekends"), 0, FRIDAY_NOON)
    assert utc(3, 9) == clock.deadline(stops())
    assert timedelta() == clock.left(0, stops(), utc(3, 8))
    berlin = Clock.started(read_pace("11h weekends"), 0, FRIDAY_NOON)
    assert utc(3, 8, 23) == berlin.deadline(stops("Europe/Berlin"))


@pytest.mark.parametrize(
    ("pace", "left"),
    [
        ("7d+1d weekends", 7 * DAY + 12 * HOUR),
        ("7d+1d<=7d weekends", 7 * DAY),
        ("7d weekends", 6 * DAY + 12 * HOUR),
        ("3d/move weekends", 3 * DAY),
    ],
)
def test_a_ply_on_a_weekend_costs_the_time_before_it_and_earns_its_increment(
    pace: str, left: timedelta
) -> None:
    clock = Clock.started(read_pace(pace), 0, FRIDAY_NOON).played(1, utc(3, 8, 9), stops())
    assert left == clock.banks[0]


def test_each_clock_rests_on_the_weekend_of_its_owner() -> None:
    both = ClockStops(weekends=(always("Etc/GMT-12"), always("Etc/GMT+12")))
    first = Clock.started(read_pace("3d/move weekends"), 0, FRIDAY_NOON)
    second = Clock.started(read_pace("3d/move weekends"), 1, FRIDAY_NOON)
    assert utc(3, 11, 12) == first.deadline(both)  # it rests at once, to Sunday noon
    assert utc(3, 11, 12) == second.deadline(both)
    assert 3 * DAY == first.left(0, both, FRIDAY_NOON + DAY)
    assert 2 * DAY == second.left(1, both, FRIDAY_NOON + DAY)


def test_a_vacation_or_a_pause_stops_a_clock_no_second_time_on_a_weekend() -> None:
    clock = Clock.started(read_pace("5d+1d weekends"), 0, MONDAY)
    friday_and_saturday = (utc(3, 6), utc(3, 8))
    for found in (stops(away=(friday_and_saturday,)), stops(both=(friday_and_saturday,))):
        assert utc(3, 10) == clock.deadline(found)  # four days, and Monday
        stop = interval_at(found.of(0, utc(3, 7)), utc(3, 7))
        assert (utc(3, 6), utc(3, 9)) == stop


def test_a_ply_earns_its_increment_on_a_weekend_but_not_on_a_vacation() -> None:
    clock = Clock.started(read_pace("5d+1d weekends"), 0, MONDAY)
    away = stops(away=((utc(3, 6), utc(3, 8)),))
    assert 1 * DAY == clock.played(1, utc(3, 7, 9), away).banks[0]
    assert 2 * DAY == clock.played(1, utc(3, 8, 9), away).banks[0]


def test_a_clock_that_is_stopped_for_ever_has_no_deadline() -> None:
    clock = Clock.started(read_pace("7d weekends"), 0, MONDAY)
    assert clock.deadline(stops(both=((utc(3, 4), FOREVER),))) is None


@given(
    st.lists(st.tuples(st.integers(0, 900), st.integers(0, 200)), max_size=4),
    st.integers(0, 800),
    st.integers(0, 400),
)
def test_the_stops_with_weekends_are_what_counting_hours_gives(
    spans: list[tuple[int, int]], begin: int, length: int
) -> None:
    own = tuple((MONDAY + at * HOUR, MONDAY + (at + long) * HOUR) for at, long in spans)
    here, left = MONDAY + begin * HOUR, length

    def stopped(moment: datetime) -> bool:
        return moment.weekday() >= 5 or any(first <= moment < last for first, last in own)

    since = here
    while left or stopped(here):
        left -= not stopped(here)
        here += HOUR
    found = stops(both=own).of(0, since)
    assert here == moment_after(found, since, length * HOUR)
    assert length * HOUR == time_outside(found, since, here)
