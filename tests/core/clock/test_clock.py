"""Time controls, pauses and clocks, against a minute-by-minute simulation."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.core.clock.clock import Clock, ClockStops
from pbem.core.clock.intervals import FOREVER, interval_at, moment_after, time_inside, time_outside, union
from pbem.core.clock.time_control import NONE, PRESETS, TimeControl, read_pace, read_time
from pbem.core.errors import Refusal

START = datetime(2026, 3, 1, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def at(minutes: int) -> datetime:
    return START + minutes * MINUTE


moments = st.integers(0, 400)
some_spans = st.lists(st.tuples(moments, moments).map(lambda two: (at(two[0]), at(two[1]))), max_size=6)


def paused_minutes(spans: list[tuple[datetime, datetime]], begin: int, end: int) -> int:
    return sum(any(a <= at(minute) < b for a, b in spans) for minute in range(begin, end))


# ------------------------------------------------------------------------------------------ spans


@given(some_spans)
def test_a_union_is_sorted_apart_and_covers_the_same_minutes(spans):
    one = union(spans)
    assert all(a < b for a, b in one)
    assert all(b < c for (_, b), (c, _) in pairwise(one))
    assert paused_minutes(spans, 0, 400) == paused_minutes(list(one), 0, 400)


@given(some_spans, moments, moments)
def test_time_covered_and_outside_are_what_counting_minutes_gives(spans, begin, end):
    begin, end = sorted((begin, end))
    paused = paused_minutes(spans, begin, end)
    assert paused * MINUTE == time_inside(union(spans), at(begin), at(end))
    assert (end - begin - paused) * MINUTE == time_outside(union(spans), at(begin), at(end))


@given(some_spans, moments, st.integers(0, 300))
def test_the_moment_reached_is_what_counting_minutes_gives(spans, begin, length):
    here, left = begin, length
    while left or any(a <= at(here) < b for a, b in spans):
        left -= not any(a <= at(here) < b for a, b in spans)
        here += 1
    assert at(here) == moment_after(union(spans), at(begin), length * MINUTE)


def test_what_never_goes_on_is_never_reached():
    open_end = union([(at(10), FOREVER)])
    assert at(9) == moment_after(open_end, START, 9 * MINUTE)
    assert FOREVER == moment_after(open_end, START, 10 * MINUTE)
    assert (at(10), FOREVER) == interval_at(open_end, at(500))
    assert interval_at(open_end, at(9)) is None


# ------------------------------------------------------------------------------------------- pace


@pytest.mark.parametrize(
    ("text", "time_control"),
    [
        ("3d/move", TimeControl(3 * DAY, fixed=True)),
        ("36h/move", TimeControl(36 * HOUR, fixed=True)),
        ("7d+1d<=14d", TimeControl(7 * DAY, DAY, 14 * DAY)),
        ("7D + 1D <= 14D", TimeControl(7 * DAY, DAY, 14 * DAY)),
        ("10d", TimeControl(10 * DAY)),
        ("2d+12h", TimeControl(2 * DAY, 12 * HOUR)),
        ("none", NONE),
        ("brisk", TimeControl(DAY, fixed=True)),
        ("normal", TimeControl(7 * DAY, DAY, 14 * DAY)),
        ("leisure", TimeControl(14 * DAY, 2 * DAY, 30 * DAY)),
        ("postal", TimeControl(30 * DAY, 3 * DAY, 60 * DAY)),
    ],
)
def test_a_pace_is_read_and_written_in_one_form(text, time_control):
    assert time_control == read_pace(text)
    assert time_control == read_pace(str(time_control))


@pytest.mark.parametrize("text", ["", "3", "3d/game", "0d/move", "400d", "14d+1d<=7d", "x", "3d/move/move"])
def test_what_is_no_pace_is_refused_with_a_sentence(text):
    with pytest.raises(Refusal, match=r"\.$"):
        read_pace(text)


def test_presets_are_paces_and_times_are_read():
    assert all(preset == str(read_pace(name)) for name, preset in PRESETS.items())
    assert (2 * DAY, 36 * HOUR) == (read_time("2d"), read_time("36H"))
    with pytest.raises(Refusal):
        read_time("two days")


# ----------------------------------------------------------------------------------------- clocks


def simulated(
    time_control: TimeControl, turns: list[int], vacation: tuple[list, list], both: list
) -> tuple[list[int], list]:
    """Banks after turns of these minutes, and each turn's last minute. All is counted minute by minute."""
    assert time_control.bank is not None
    banks = [time_control.bank // MINUTE] * 2
    now, ends = 0, []
    for number, length in enumerate(turns):
        seat = number % 2
        pauses = [*both, *vacation[seat]]
        ends.append(_flag(banks[seat], pauses, now))
        used = sum(not any(a <= at(m) < b for a, b in pauses) for m in range(now, now + length))
        now += length
        away = any(a <= at(now) < b for a, b in vacation[seat])
        rest = max(0, banks[seat] - used)
        more = rest if away else rest + time_control.increment // MINUTE
        cap = time_control.cap // MINUTE if time_control.cap else None
        banks[seat] = (
            time_control.bank // MINUTE if time_control.fixed else more if cap is None else min(cap, more)
        )
    return banks, ends


def _flag(left: int, pauses: list, now: int) -> int:
    while left or any(a <= at(now) < b for a, b in pauses):
        left -= not any(a <= at(now) < b for a, b in pauses)
        now += 1
    return now


paces = st.sampled_from([read_pace(text) for text in ("1h/move", "2h+1h<=3h", "1h+1h", "2h")])


@given(paces, st.lists(st.integers(0, 90), max_size=6), some_spans, some_spans, some_spans)
def test_banks_and_deadlines_are_what_counting_minutes_gives(time_control, turns, mine, theirs, both):
    stops = ClockStops(union(both), (union(mine), union(theirs)))
    clock, now, ends = Clock.started(time_control, 0, START), START, []
    for number, length in enumerate(turns):
        ends.append(clock.deadline(stops))
        now += length * MINUTE
        clock = clock.played((number + 1) % 2, now, stops)
    banks, flags = simulated(time_control, turns, (mine, theirs), both)
    assert [bank * MINUTE for bank in banks] == list(clock.banks)
    assert [at(flag) for flag in flags] == ends
    assert all(bank >= timedelta() for bank in clock.banks)


@given(paces, st.integers(0, 200), some_spans)
@example(read_pace("2h+1h<=3h"), 0, [(at(120), at(121))])
def test_at_the_deadline_nothing_is_left_and_before_it_something_is(time_control, elapsed, pauses):
    clock, stops = Clock.started(time_control, 1, START), ClockStops(union(pauses))
    deadline = clock.deadline(stops)
    assert timedelta() == clock.left(1, stops, deadline)
    used_up = next(
        (begin for begin, end in stops.both if end == deadline), deadline
    )  # no clock runs out in a pause
    assert timedelta() < clock.left(1, stops, used_up - timedelta(seconds=1))
    assert clock.banks[0] == clock.left(0, stops, at(elapsed))


def test_a_game_without_a_clock_has_no_deadline_and_takes_no_time():
    clock = Clock.started(NONE, 0, START)
    assert clock.deadline(ClockStops()) is None
    later = clock.played(1, START + 500 * DAY, ClockStops())
    assert (1, START + 500 * DAY) == (later.running, later.since)
    assert later.deadline(ClockStops()) is None


def test_a_clock_that_stands_for_good_has_no_deadline():
    stops = ClockStops(union([(at(5), FOREVER)]))
    clock = Clock.started(read_pace("1h/move"), 0, START)
    assert clock.deadline(stops) is None
    assert 55 * MINUTE == clock.left(0, stops, at(10_000))


def test_time_given_is_kept_above_the_cap():
    time_control = read_pace("7d+1d<=14d")
    clock = Clock.started(time_control, 0, START).given(0, 10 * DAY)
    assert 17 * DAY == clock.left(0, ClockStops(), START)
    clock = clock.played(1, START + DAY, ClockStops())
    assert 16 * DAY == clock.banks[0]


def test_the_other_turn_begins_when_the_undo_window_ends():
    clock = Clock.started(read_pace("1h/move"), 0, START)
    clock = clock.played(1, at(10), ClockStops(), from_=at(15))
    assert at(75) == clock.deadline(ClockStops())


def test_after_the_end_no_clock_runs():
    clock = Clock.started(read_pace("1h/move"), None, START)
    assert clock.deadline(ClockStops()) is None
    assert not clock.ticks
