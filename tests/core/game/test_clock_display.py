"""Clocks as shown at one moment: time left, vacations, stops."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.clock.clock import NO_STOPS, ClockStops
from pbem.core.clock.intervals import FOREVER
from pbem.core.clock.time_control import read_pace
from pbem.core.game.clock_display import clock_display, describe_duration
from tests.people import NOON, SEED_GAME, a_game

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


def timed(plies: int, pace: str = "7d+1d<=14d", stops: ClockStops = NO_STOPS):
    return replace(a_game(SEED_GAME[:plies]), time_control=read_pace(pace), stops=stops)


def test_whoever_is_to_play_has_less_by_the_minute_and_the_other_does_not():
    game = timed(4)  # the fourth ply was made four hours after noon
    seen = clock_display(game, NOON + 6 * HOUR)
    assert (True, False) == (seen.player_clocks[0].runs, seen.player_clocks[1].runs)
    assert "Bill" == seen.running.name
    assert game.clock.banks[0] - 2 * HOUR == seen.player_clocks[0].left
    assert game.clock.banks[1] == seen.player_clocks[1].left
    assert NOON + 6 * HOUR + seen.running.left == seen.deadline


def test_a_game_without_a_clock_or_at_its_end_shows_none():
    assert None is clock_display(timed(4, "none"), NOON)
    assert None is clock_display(
        timed(0).with_entries([replace(a_game().journal[0], n=2, kind="resign", seat=0)]), NOON
    )


def test_who_is_away_stands_still_with_the_time_left_and_the_day_of_return():
    away = (NOON + 5 * HOUR, NOON + 10 * DAY)
    seen = clock_display(timed(4, stops=ClockStops(vacation=((away,), ()))), NOON + 3 * DAY)
    before = clock_display(timed(4), NOON + 5 * HOUR)
    assert (before.player_clocks[0].left, away[1], away[1]) == (
        seen.player_clocks[0].left,
        seen.player_clocks[0].away_until,
        seen.player_clocks[0].stopped_until,
    )
    assert not seen.running.runs
    assert away[1] + seen.player_clocks[0].left == seen.deadline
    assert (None, None) == (seen.player_clocks[1].away_until, seen.player_clocks[1].stopped_until)


def test_a_bot_has_no_vacation_and_its_clock_never_runs():
    game = timed(4, stops=ClockStops(vacation=(((NOON, FOREVER),), ())))
    bots = (replace(game.seats[0], name="bot3", address="bot3@bots.invalid"), game.seats[1])
    seen = clock_display(replace(game, seats=bots), NOON + 3 * DAY)
    assert (True, None, False) == (seen.running.bot, seen.running.away_until, seen.running.runs)
    assert not seen.player_clocks[1].bot


def test_what_stops_both_clocks_is_no_vacation():
    stop = (NOON + 5 * HOUR, NOON + 8 * HOUR)
    seen = clock_display(timed(4, stops=ClockStops(both=(stop,))), NOON + 6 * HOUR)
    assert [(None, stop[1])] * 2 == [(hand.away_until, hand.stopped_until) for hand in seen.player_clocks]


@pytest.mark.parametrize(
    ("time", "told"),
    [
        (7 * DAY, "7 days"),
        (6 * DAY + 23 * HOUR + 54 * MINUTE, "6 days and 23 hours"),
        (DAY + 30 * MINUTE, "1 day"),
        (23 * HOUR + 59 * MINUTE, "1 day"),
        (2 * HOUR + 40 * MINUTE, "2 hours and 40 minutes"),
        (HOUR + MINUTE, "1 hour and 1 minute"),
        (59 * MINUTE + timedelta(seconds=59), "59 minutes"),
        (timedelta(seconds=59), "less than a minute"),
        (timedelta(), "less than a minute"),
    ],
)
def test_a_length_of_time_is_told_in_two_units_at_most(time, told):
    assert told == describe_duration(time)


@given(st.timedeltas(min_value=MINUTE, max_value=400 * DAY))
def test_a_length_of_time_is_told_at_most_five_minutes_longer_than_it_is(time):
    sizes = {"day": DAY, "hour": HOUR, "minute": MINUTE}
    words = describe_duration(time).replace(" and ", " ").split()
    told = sum(
        (int(n) * sizes[unit.rstrip("s")] for n, unit in zip(words[::2], words[1::2], strict=True)),
        timedelta(),
    )
    assert told <= time < told + MINUTE if time < 3 * HOUR else told - 5 * MINUTE <= time < told + 55 * MINUTE


def test_a_turn_whose_letter_comes_after_the_undo_window_has_its_whole_time():
    assert ["3 days", "2 days and 23 hours"] == [
        describe_duration(3 * DAY - late) for late in (5 * MINUTE, 5 * MINUTE + timedelta(seconds=1))
    ]
    assert "2 hours and 59 minutes" == describe_duration(
        3 * HOUR - MINUTE
    )  # rounded down, as every minute is shown
