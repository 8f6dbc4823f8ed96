"""Fallen flags: a vacation day, a grace, an end.

Each is dated to the flag, however late the clock is read.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.clock import vacation
from pbem.core.clock.clock import ClockStops
from pbem.core.clock.intervals import union
from pbem.core.clock.time_control import read_pace
from pbem.core.clock.vacation import Vacation
from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.game.journal import CLOSE, GRACE, TIMEOUT, WARN
from pbem.core.play.clock_events import MAX_SILENCE, WARNING_PERIOD, next_flag_event, vacation_day_follows
from tests.people import BILL, NOON, SEED_PLIES, a_game

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
LATE = NOON + 400 * DAY
NONE_LEFT = [Vacation(NOON - DAY, NOON + 13 * DAY)]


def at_pace(pace: str, plies: int = 4) -> Game:
    return replace(a_game(SEED_PLIES[:plies]), time_control=read_pace(pace))


def run_down(game: Game, taken: list[Vacation], **wishes: bool) -> list:
    """Apply all clock events until the game has ended."""
    found = []
    while (event := next_flag_event(game, LATE, taken, **wishes)) is not None:
        found.append(event)
        if event.entry is not None:
            game = game.with_entries([event.entry])
        else:
            taken = [*taken, event.vacation]
            away = union((block.begins, block.ends) for block in taken)
            stops = ClockStops(vacation=(away, ()) if event.seat == 0 else ((), away))
            game = replace(game, stops=stops)
    return found


def test_nothing_falls_before_its_moment():
    game = at_pace("1d/move")
    flag = NOON + 4 * HOUR + DAY
    assert flag == game.deadline
    assert next_flag_event(game, flag - timedelta(seconds=1), [], days_off=False) is None
    assert flag == next_flag_event(game, flag, [], days_off=False).entry.at


def test_a_game_without_a_clock_is_closed_for_silence_alone_and_takes_no_days_off():
    game = a_game(SEED_PLIES[:4])
    since = game.journal[-1].at
    assert next_flag_event(game, since + MAX_SILENCE - WARNING_PERIOD - timedelta(seconds=1), []) is None
    told = next_flag_event(game, LATE, []).entry
    assert (WARN, LATE) == (told.kind, told.at), "who is told late has seven days from then on"
    warned = game.with_entries([told])
    assert next_flag_event(warned, LATE + WARNING_PERIOD - timedelta(seconds=1), []) is None
    closed = next_flag_event(warned, LATE + WARNING_PERIOD, []).entry
    assert (CLOSE, LATE + WARNING_PERIOD) == (closed.kind, closed.at)
    assert "void" == warned.with_entries([closed]).state.ending.how


def test_a_flag_of_a_game_that_would_be_void_takes_no_day_off():
    assert [GRACE, TIMEOUT] == [event.entry.kind for event in run_down(at_pace("3d/move", 3), [])]
    assert not vacation_day_follows(at_pace("3d/move", 3), [], days_off=True)
    assert vacation_day_follows(at_pace("3d/move", 4), [], days_off=True)


def test_a_game_that_is_over_never_falls():
    game = at_pace("1d/move")
    ended = game.with_entries([next_flag_event(game, LATE, NONE_LEFT).entry])
    assert next_flag_event(ended, LATE, NONE_LEFT) is None


def test_a_short_turn_without_days_off_ends_the_game_at_the_flag():
    game = at_pace("1d/move")
    (event,) = run_down(game, NONE_LEFT)
    flag = NOON + 4 * HOUR + DAY
    assert (TIMEOUT, 0, flag) == (event.entry.kind, event.seat, event.entry.at)
    ending = game.with_entries([event.entry]).state.ending
    assert ("timeout", 1, flag) == (ending.how, ending.winner, ending.at)
    assert "Bill ran out of time" == ending.reason


@pytest.mark.parametrize(
    ("time_control", "graced"), [("3d/move", True), ("71h/move", False), ("7d+1d<=14d", True)]
)
def test_turns_of_three_days_and_more_have_a_grace(time_control, graced):
    events = run_down(at_pace(time_control), NONE_LEFT)
    assert ([GRACE, TIMEOUT] if graced else [TIMEOUT]) == [event.entry.kind for event in events]


def test_after_the_grace_the_loss_is_dated_to_the_flag():
    game = at_pace("3d/move")
    grace, timeout = (event.entry for event in run_down(game, NONE_LEFT))
    flag = NOON + 4 * HOUR + 3 * DAY
    assert (flag, flag + DAY) == (grace.at, timeout.at)
    ending = game.with_entries([grace, timeout]).state.ending
    assert flag == ending.at


def test_a_grace_is_no_time_to_keep():
    game = at_pace("3d+1h<=4d")
    (grace,) = [event.entry for event in run_down(game, NONE_LEFT)][:1]
    game = game.with_entries([grace])
    played = game.clock.played(1, game.clock.since + 3 * DAY + HOUR, game.stops)
    assert (HOUR, timedelta()) == (played.banks[0], played.grace)


def test_an_unreachable_player_has_twice_the_grace():
    game = at_pace("3d/move")
    gone = replace(BILL, suspended=frozenset({BILL.address}))
    game = replace(game, seats=(gone, game.seats[1]))
    assert 2 * DAY == timedelta(seconds=run_down(game, NONE_LEFT)[0].entry.data["seconds"])


def test_a_flag_takes_days_off_first_five_at_most_then_the_grace_then_the_game():
    events = run_down(at_pace("3d/move"), [])
    flag = NOON + 4 * HOUR + 3 * DAY
    days = [event.vacation for event in events if event.vacation]
    assert [Vacation(flag + n * DAY, flag + (n + 1) * DAY, True) for n in range(5)] == days
    assert [GRACE, TIMEOUT] == [event.entry.kind for event in events[5:]]
    assert flag + 5 * DAY == events[5].entry.at


def test_a_player_who_wants_no_days_taken_keeps_them():
    assert [GRACE, TIMEOUT] == [
        event.entry.kind for event in run_down(at_pace("3d/move"), [], days_off=False)
    ]


@pytest.mark.parametrize(("plies", "void"), [(0, True), (3, True), (4, False)])
def test_a_game_with_fewer_than_two_plies_a_side_is_void(plies, void):
    game = at_pace("1d/move", plies)
    (event,) = run_down(game, NONE_LEFT)
    ending = game.with_entries([event.entry]).state.ending
    assert ("void" if void else "timeout") == ending.how
    assert (ending.winner is None) == void


# ----------------------------------------------------------------------------------------- days off


def test_a_player_begins_with_fourteen_days_and_gets_one_for_every_twelve():
    assert 14 * DAY == vacation.saved_time(NOON, [], NOON)
    assert 15 * DAY == vacation.saved_time(NOON, [], NOON + 12 * DAY)
    assert 30 * DAY == vacation.saved_time(NOON, [], NOON + 12 * 16 * DAY)
    assert 30 * DAY == vacation.saved_time(NOON, [], NOON + 5000 * DAY)


def test_days_taken_are_gone_and_come_back_slowly():
    taken = [Vacation(NOON, NOON + 14 * DAY)]
    assert timedelta() == vacation.saved_time(NOON, taken, NOON)
    assert 2 * DAY == vacation.saved_time(NOON, taken, NOON + 24 * DAY)


blocks = st.lists(st.tuples(st.integers(0, 600), st.integers(1, 21)), max_size=8)


@given(blocks, st.integers(0, 800))
def test_days_left_are_never_below_nothing_nor_above_the_most(plan, day):
    taken = [Vacation(NOON + begin * DAY, NOON + (begin + length) * DAY) for begin, length in plan]
    assert timedelta() <= vacation.saved_time(NOON, taken, NOON + day * DAY) <= vacation.MAX_SAVED


def test_a_sixth_automatic_day_in_a_row_is_not_taken_but_one_after_a_gap_is():
    row = [Vacation(NOON + n * DAY, NOON + (n + 1) * DAY, True) for n in range(5)]
    assert vacation.automatic_vacation(NOON - 100 * DAY, row, NOON + 5 * DAY) is None
    assert Vacation(NOON + 6 * DAY, NOON + 7 * DAY, True) == vacation.automatic_vacation(
        NOON - 100 * DAY, row, NOON + 6 * DAY
    )


def test_the_flags_of_two_games_taking_turns_take_five_days_in_a_row_and_no_more():
    taken: list[Vacation] = []
    for n in range(12):  # each flag falls six hours after the day taken before
        flag = NOON + n * (DAY + 6 * HOUR)
        if (block := vacation.automatic_vacation(NOON - 100 * DAY, taken, flag)) is not None:
            taken.append(block)
    assert [n * (DAY + 6 * HOUR) for n in range(5)] == [block.begins - NOON for block in taken[:5]]
    assert NOON + 6 * (DAY + 6 * HOUR) == taken[5].begins, "a day without one begins another row"


def test_an_automatic_day_ends_where_a_planned_vacation_begins():
    plan = Vacation(NOON + 5 * HOUR, NOON + 5 * DAY)
    block = vacation.automatic_vacation(NOON - 100 * DAY, [plan], NOON)
    assert (NOON, plan.begins, True) == (block.begins, block.ends, block.automatic)
    both = vacation.saved_time(NOON - 100 * DAY, [plan, block], NOON + 5 * DAY)
    assert vacation.saved_time(NOON - 100 * DAY, [plan], NOON + 5 * DAY) - 5 * HOUR <= both


def test_days_asked_for_take_the_place_of_what_is_left_of_an_automatic_one():
    day = Vacation(NOON, NOON + DAY, automatic=True)
    now = NOON + 6 * HOUR
    wanted = vacation.plan_vacation(NOON - 12 * DAY, [day], now, now + 10 * DAY, now)
    assert Vacation(now, now + 10 * DAY) == wanted
    assert Vacation(NOON, now, automatic=True) == vacation.shorten_automatic(day, now)
    assert day == vacation.shorten_automatic(day, NOON + DAY)
    with pytest.raises(Refusal, match="on vacation already"):
        vacation.plan_vacation(NOON, [wanted], now + DAY, now + 2 * DAY, now + DAY)


LONG_HERE = NOON - 1000 * DAY


def take(taken, flag):
    """The vacations, after a flag outside them took a day, if allowed."""
    block = vacation.automatic_vacation(LONG_HERE, taken, flag)
    assert block is not None
    return [*(each for each in taken if each.id != block.id), replace(block, id=block.id or len(taken) + 1)]


@given(st.integers(1, 24 * 3600 - 1))
def test_two_flags_that_fall_together_take_one_day_whichever_is_looked_at_first(seconds):
    first, second = NOON, NOON + timedelta(seconds=seconds)
    (day,) = take(take([], second), first)
    assert first == day.begins
    assert second + DAY == day.ends  # a deadline never moves forward
    spent = vacation.saved_time(LONG_HERE, [], NOON) - vacation.saved_time(LONG_HERE, [day], NOON)
    assert DAY == spent


def test_a_player_whose_last_day_was_taken_for_a_later_flag_has_it_for_the_earlier_one_too():
    taken = [
        Vacation(NOON - 100 * DAY, NOON - 87 * DAY, id=1),
        Vacation(NOON + HOUR, NOON + HOUR + DAY, True, id=2),
    ]
    assert vacation.saved_time(NOON, taken, NOON) < DAY
    both = vacation.automatic_vacation(NOON, taken, NOON)
    assert (2, NOON, NOON + HOUR + DAY) == (both.id, both.begins, both.ends)


def test_a_flag_on_the_day_a_vacation_begins_takes_only_the_hours_until_then():
    planned = Vacation(NOON + 5 * HOUR, NOON + 5 * DAY, id=1)
    assert Vacation(NOON, NOON + 5 * HOUR, True) == vacation.automatic_vacation(LONG_HERE, [planned], NOON)


def test_flags_of_several_games_make_no_row_longer_than_five():
    taken = []
    for n in range(5):
        taken = take(taken, NOON + n * (DAY + timedelta(seconds=30)))
    assert 5 == len(taken)
    assert vacation.automatic_vacation(LONG_HERE, taken, taken[-1].ends + timedelta(seconds=30)) is None
    assert vacation.automatic_vacation(LONG_HERE, taken, taken[-1].ends + DAY) is not None
