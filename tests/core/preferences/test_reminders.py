"""Reminder times against a minute-by-minute walk, with quiet hours.

Quiet hours follow the reader's own clock.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.clock.clock import ClockStops
from pbem.core.clock.intervals import FOREVER, Intervals, union
from pbem.core.clock.time_control import read_pace
from pbem.core.errors import Refusal
from pbem.core.play.director import replace_seated
from pbem.core.players import Preferences
from pbem.core.preferences.reminders import (
    MIN_TURN_AGE,
    QuietHours,
    Reminder,
    newest_due,
    quiet_hours,
    read_quiet,
    read_times,
    reminder_times,
    reminders,
    schedule_reminders,
    turn_entry,
)
from tests.people import BILL, JOAO, NOON, SEED_GAME, a_game

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Asia/Kolkata")
NEVER = QuietHours(None, UTC)


def usual(turn: timedelta) -> list[timedelta]:
    return [before for _which, before in reminder_times("usual", turn)]


def test_a_long_turn_is_told_of_at_half_its_time_and_a_day_before_the_flag():
    assert [84 * HOUR, 24 * HOUR] == usual(7 * DAY)
    assert [48 * HOUR, 24 * HOUR] == usual(4 * DAY)
    assert [18 * HOUR] == usual(3 * DAY)
    assert [6 * HOUR] == usual(DAY)


def test_one_s_own_times_are_used_instead_and_none_where_none_are_wanted():
    assert (("48h", 2 * DAY), ("12h", 12 * HOUR)) == reminder_times("48h 12h", 7 * DAY)
    assert () == reminder_times("off", 7 * DAY)


# --------------------------------------------------------------------------- minute by minute


def walked(
    turn: timedelta, since: datetime, pauses: Intervals, times, hours, zone
) -> list[tuple[datetime, str]]:
    """The same by walking: time used in each minute, and quiet minutes."""
    minutes: list[tuple[datetime, bool, bool]] = []
    used, moment = timedelta(), since
    points: dict[timedelta, int] = {}
    while used < turn:
        paused = any(begin <= moment < end for begin, end in pauses)
        hour = moment.astimezone(zone).hour
        quiet = hours is not None and (
            hours[0] <= hour < hours[1] if hours[0] < hours[1] else hour >= hours[0] or hour < hours[1]
        )
        if not paused:
            points.setdefault(used, len(minutes))
        minutes.append((moment, paused, quiet))
        used += timedelta() if paused else MINUTE
        moment += MINUTE

    def will_do(place: int) -> bool:
        return minutes[place][0] - since >= MIN_TURN_AGE and not minutes[place][1]

    found: dict[datetime, str] = {}
    for number, (which, before) in enumerate(times):
        if turn - before <= timedelta():
            continue
        own = points[turn - before]
        moved = own
        while moved > 0 and minutes[moved][2] and minutes[moved - 1][2]:
            moved -= 1
        if moved == 0 and minutes[0][2]:
            moved = -1  # the quiet hours began before the turn
        places = [moved] if moved >= 0 else []
        if number == len(times) - 1:
            places += [own, points.get(MIN_TURN_AGE, -1)]
        place = next((each for each in places if each >= 0 and will_do(each)), None)
        if place is not None:
            found[minutes[place][0]] = which
    return sorted(found.items())


@st.composite
def turns(draw):
    zone = ZoneInfo(draw(st.sampled_from(ZONES)))
    autumn, spring = datetime(2026, 10, 20, tzinfo=UTC), datetime(2026, 3, 5, tzinfo=UTC)
    since = (
        draw(st.sampled_from((autumn, spring, datetime(2026, 4, 1, tzinfo=UTC))))
        + draw(st.integers(0, 30 * 24 * 60)) * MINUTE
    )
    turn = draw(st.integers(1, 9 * 24)) * HOUR
    edges = draw(st.lists(st.integers(0, 8 * 24 * 60), max_size=6, unique=True).map(sorted))
    pauses = union(
        (since + begin * MINUTE, since + end * MINUTE)
        for begin, end in zip(edges[::2], edges[1::2], strict=False)
    )
    hours = draw(st.none() | st.tuples(st.integers(0, 23), st.integers(0, 23)).filter(lambda h: h[0] != h[1]))
    own = st.lists(st.integers(1, 96), min_size=1, max_size=4, unique=True).map(
        lambda each: " ".join(f"{hour}h" for hour in sorted(each, reverse=True))
    )
    times = reminder_times(draw(st.just("usual") | own), turn)
    return turn, since, pauses, times, hours, zone


@given(turns())
def test_every_moment_is_that_which_a_walk_through_all_minutes_finds(case):
    turn, since, pauses, times, hours, zone = case
    found = schedule_reminders(turn, since, pauses, times, QuietHours(hours, zone))
    assert walked(turn, since, pauses, times, hours, zone) == [(each.at, each.which) for each in found]


# ------------------------------------------------------------------------------------ by example


def test_the_last_one_before_a_flag_comes_even_where_it_could_not_be_moved_out_of_the_night():
    evening = datetime(2026, 6, 1, 20, tzinfo=UTC)  # the flag falls at one o'clock
    quiet = QuietHours((22, 7), UTC)
    (only,) = schedule_reminders(5 * HOUR, evening, (), reminder_times("usual", 5 * HOUR), quiet)
    assert Reminder(evening + 5 * HOUR - 75 * MINUTE, "last", True) == only


def test_a_turn_of_three_hours_or_less_has_none():
    assert () == schedule_reminders(3 * HOUR, NOON, (), reminder_times("usual", 3 * HOUR), NEVER)
    assert () != schedule_reminders(4 * HOUR, NOON, (), reminder_times("usual", 4 * HOUR), NEVER)


def test_a_time_of_one_s_own_that_the_turn_does_not_have_is_passed_over():
    assert ["12h"] == [
        each.which for each in schedule_reminders(DAY, NOON, (), reminder_times("48h 12h", DAY), NEVER)
    ]


def test_two_that_the_night_brings_together_are_one_and_it_is_the_last():
    turn = 7 * DAY
    times = reminder_times("10h 8h", turn)
    since = datetime(2026, 6, 1, 12, tzinfo=UTC)  # flag at noon: two and four in the morning
    (only,) = schedule_reminders(turn, since, (), times, QuietHours((22, 7), UTC))
    assert (datetime(2026, 6, 7, 22, tzinfo=UTC), True) == (only.at, only.last)


@pytest.mark.parametrize("wish", ["usual", "30h 12h"])
def test_while_clocks_stand_without_an_end_nobody_is_reminded_not_even_of_what_went_before(wish):
    stands = (NOON + 4 * HOUR + 52 * MINUTE, FOREVER)  # the director stopped the clocks
    assert () == schedule_reminders(36 * HOUR, NOON, (stands,), reminder_times(wish, 36 * HOUR), NEVER)


@given(st.integers(1, 200), st.integers(1, 24 * 60))
def test_a_pause_moves_a_reminder_by_exactly_its_length(hours, minutes):
    pause = (NOON + 5 * HOUR, NOON + 5 * HOUR + minutes * MINUTE)
    times = reminder_times("usual", 8 * DAY)
    before = schedule_reminders(8 * DAY, NOON, (), times, NEVER)
    after = schedule_reminders(8 * DAY, NOON, (pause,), times, NEVER)
    assert [each.at + minutes * MINUTE for each in before] == [each.at for each in after]


@pytest.mark.parametrize("zone", ZONES)
def test_quiet_hours_hold_at_the_clock_on_the_wall_when_clocks_change(zone):
    local, quiet = ZoneInfo(zone), QuietHours((22, 7), ZoneInfo(zone))
    for first in (datetime(2026, 3, 27, tzinfo=UTC), datetime(2026, 10, 30, tzinfo=UTC)):
        for quarter in range(4 * 24 * 12):
            moment = first + quarter * 15 * MINUTE
            hour, inside = moment.astimezone(local).hour, moment + MINUTE
            assert (hour >= 22 or hour < 7) == (quiet.before(inside) < inside), moment


# ------------------------------------------------------------------------------------- of a game


def test_the_reminders_of_a_game_are_those_of_whoever_is_to_play():
    preferences = Preferences(remind="30h", quiet="off")
    game = replace(
        a_game(SEED_GAME[:1]),
        time_control=read_pace("3d/move"),
        seats=(BILL, replace(JOAO, preferences=preferences)),
    )
    assert [Reminder(game.deadline - 30 * HOUR, "30h", True)] == list(reminders(game, game.clock))
    assert () == reminders(
        replace(game, time_control=read_pace("none")), replace(game, time_control=read_pace("none")).clock
    )


def test_who_is_away_is_reminded_of_nothing_until_the_return():
    away = (NOON + HOUR, NOON + 10 * DAY)
    game = replace(a_game(), time_control=read_pace("3d/move"), stops=ClockStops(vacation=((away,), ())))
    assert [game.deadline - 18 * HOUR] == [each.at for each in reminders(_loud(game), _loud(game).clock)]
    assert game.deadline - 18 * HOUR > away[1]


def _loud(game):
    return replace(game, seats=(replace(BILL, preferences=Preferences(quiet="off")), JOAO))


def test_words_between_players_do_not_begin_a_turn():
    game = a_game(SEED_GAME[:2])
    said = replace(game.journal[-1], n=4, kind="say", data={"words": "Hello"})
    assert (3, 3) == (turn_entry(game), turn_entry(game.with_entries([said])))


def test_a_turn_goes_on_where_the_one_who_waits_is_replaced_and_so_nobody_is_reminded_twice():
    game = a_game(SEED_GAME[:2])
    ann, to_play = replace(BILL, id=99, name="Ann"), game.state.to_play
    for seat, turn in ((to_play, 4), (1 - to_play, turn_entry(game))):
        entry = replace_seated(game, seat, ann, "He has moved away", NOON + DAY)
        assert turn == turn_entry(game.with_entries([entry]))


def test_of_several_that_are_due_the_newest_is_sent_and_one_long_past_is_not():
    early, late = Reminder(NOON, "half", False), Reminder(NOON + HOUR, "last", True)
    assert late == newest_due((early, late), NOON + HOUR)
    assert early == newest_due((early, late), NOON + 59 * MINUTE)
    assert None is newest_due((early,), NOON + 3 * HOUR)
    assert None is newest_due((early,), NOON - MINUTE)


# ------------------------------------------------------------------------------ what one may write


@pytest.mark.parametrize(
    ("written", "kept"),
    [("48h 12h", "48h 12h"), ("12h 2d", "48h 12h"), ("12h, 12H", "12h"), ("off", "off"), ("usual", "usual")],
)
def test_times_are_read_generously_and_kept_in_order(written, kept):
    assert kept == read_times(written)


@pytest.mark.parametrize("written", ["0h", "31d", "1h 2h 3h 4h 5h 6h"])
def test_times_that_cannot_be_are_refused_with_those_that_can(written):
    with pytest.raises(Refusal, match="remind 48h 12h"):
        read_times(written)


@pytest.mark.parametrize(
    ("written", "hours"),
    [("22-7", (22, 7)), ("22:00 - 07:00", (22, 7)), ("10pm to 7am", (22, 7)), ("0-6", (0, 6)), ("off", None)],
)
def test_quiet_hours_are_read_generously(written, hours):
    assert hours == quiet_hours(read_quiet(written))


@pytest.mark.parametrize("written", ["22", "22-25", "22:30-7", "7-7", "night"])
def test_quiet_hours_that_are_none_are_refused(written):
    with pytest.raises(Refusal, match="set quiet 22-7"):
        read_quiet(written)
