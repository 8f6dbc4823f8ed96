"""Games whose clocks rest on weekends, by mail, on pages and in records."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.app import App
from pbem.core.clock.time_control import read_pace
from pbem.core.play import director
from pbem.core.records.gamerecord import spent_seconds
from pbem.duties.game_clock import WORKER_DELAY, check_due_games
from pbem.inbox.director import decide_as_director
from pbem.store import games
from pbem.store.vacations import vacations_of_players
from pbem.web import create_app
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    Clock,
    Town,
    a_game,
    ask,
    begin,
    ending,
    example,
    last_words,
    load,
    play,
    player,
    register,
    sound,
    writes,
)
from tests.duties.test_reminders import hours, is_reminder, until, wish

DAY, HOUR, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(seconds=1)
FRIDAY = datetime(2026, 12, 4, 10, 35, tzinfo=UTC)
MONDAY = datetime(2026, 12, 7, tzinfo=UTC)

pytestmark = pytest.mark.each_database


@pytest.fixture
def clock() -> Clock:
    return Clock(FRIDAY)


def page(app: App, path: str = "/games/1") -> str:
    return " ".join(create_app(app).test_client().get(path).text.split())


def test_letters_and_the_page_tell_a_deadline_behind_the_weekend(app: App, clock: Clock) -> None:
    register(app, JOAO, "Joao")
    register(app, BILL, "Bill")
    ask(app, BILL, "challenge Joao bipod 1d/move weekends first")
    told = last_words(app, JOAO)
    assert "Time: 1d/move weekends 1 day for each move, weekends off" in told
    assert "(each clock rests on its owner's Saturday and Sunday)" in told
    writes(app, JOAO, "accept")
    assert "until Monday 7 December, 10:35 UTC; the clock shows 1 day." in last_words(app, BILL)
    assert "Time: 1 day for each move, weekends off" in last_words(app, BILL)
    assert "Monday 7 December 2026, 10:35 UTC" in page(app)
    clock.now = FRIDAY + DAY
    told = ask(app, BILL, "show")
    assert "until Monday 7 December, 10:35 UTC; the clock is stopped at 10 hours." in told
    assert "Your clock: 10 hours, resting until Monday 7 December, 00:00 UTC" in told
    assert "resting until" in page(app) and "7 December 2026, 00:00</time>" in page(app)
    data = create_app(app).test_client().get("/api/games/1").json["clock"]
    assert "1d/move weekends" == data["pace"]
    assert "2026-12-07T10:35:00Z" == data["running"]["deadline"]
    hand = data["running"]["first"]
    assert ("2026-12-07T00:00:00Z", False) == (hand["stands_until"], hand["runs"])
    rests = ask(app, JOAO, "show")
    assert "Bill's clock: 10 hours, resting until Monday 7 December, 00:00 UTC" in rests


def test_a_rematch_has_the_same_clock(app: App) -> None:
    a_game(app, "7d+1d weekends")
    writes(app, BILL, "resign yes")
    ask(app, JOAO, "rematch")
    assert "7d+1d weekends" in last_words(app, BILL)


def test_a_move_before_monday_begins_is_in_time(app: App, clock: Clock) -> None:
    begin(app, "12h/move weekends")
    play(app, 3)
    clock.now = FRIDAY.replace(hour=12, minute=0)
    assert "done" == writes(app, JOAO, "g1")
    assert MONDAY == load(app).deadline
    clock.now = MONDAY - SECOND
    check_due_games(app)
    assert "done" == writes(app, BILL, example(load(app)))
    assert MONDAY + 12 * HOUR == load(app).deadline


def test_time_that_is_over_with_friday_lasts_until_monday_begins(app: App, clock: Clock) -> None:
    begin(app, "12h/move weekends")
    play(app, 3)
    clock.now = FRIDAY.replace(hour=12, minute=0)
    assert "done" == writes(app, JOAO, "g1")
    clock.now = MONDAY + WORKER_DELAY - SECOND
    check_due_games(app)
    assert ending(app) is None
    clock.now += SECOND
    check_due_games(app)
    assert ("timeout", MONDAY) == (ending(app).how, ending(app).at)


def test_another_zone_moves_the_deadline_of_a_turn_that_runs(app: App, clock: Clock) -> None:
    a_game(app, "14h/move weekends")
    assert "until Monday 7 December, 00:35 UTC" in last_words(app, BILL)
    ask(app, BILL, "set zone New York")
    assert FRIDAY + 14 * HOUR == load(app).deadline
    with app.store.read() as db:
        (row,) = games.running_of_player(db, app.games_by_key, player(app, "Bill"))
    assert FRIDAY + 14 * HOUR == row.deadline
    assert "until Friday 4 December, 19:35 EST" in ask(app, BILL, "show 1")


def test_a_zone_that_is_set_on_a_weekend_moves_none_that_has_begun(app: App, clock: Clock) -> None:
    a_game(app, "14h/move weekends")
    clock.now = FRIDAY + DAY
    ask(app, BILL, "set zone New York")
    assert MONDAY + 35 * timedelta(minutes=1) == load(app).deadline
    clock.now = MONDAY - HOUR
    ask(app, BILL, "set zone UTC-12")
    assert MONDAY + 35 * timedelta(minutes=1) == load(app).deadline


def test_time_that_was_used_stays_through_other_zones_and_a_player_who_is_forgotten(
    app: App, clock: Clock
) -> None:
    a_game(app, "14d weekends")
    ask(app, BILL, "set zone Tokyo")
    clock.now = FRIDAY + 5 * DAY
    play(app, 1)
    before = spent_seconds(load(app))
    assert int(timedelta(days=3).total_seconds()) == before[2]
    ask(app, BILL, "set zone UTC-12")
    clock.now += 12 * DAY
    assert before == spent_seconds(load(app))
    left = load(app).clock.banks[0]
    ask(app, BILL, "forget me")
    writes(app, BILL, "yes")
    assert (before, left) == (spent_seconds(sound(app)), load(app).clock.banks[0])


def replace_bill(app: App) -> None:
    anna = player(app, "Anna")
    decide_as_director(app, 1, lambda game, now: director.replace_seated(game, 0, anna, "Ill.", now))


def test_whoever_takes_a_seat_has_weekends_of_their_own(app: App, clock: Clock) -> None:
    clock.now = MONDAY - 4 * DAY + 22 * HOUR
    a_game(app, "26h weekends")
    register(app, ANNA, "Anna")
    ask(app, ANNA, "set zone New York")
    clock.now += HOUR
    replace_bill(app)
    assert clock.now + 26 * HOUR == load(app).deadline  # on Saturday in UTC, on Friday in New York


def test_the_time_that_a_replaced_player_has_used_stays(app: App, clock: Clock) -> None:
    a_game(app, "5d weekends")
    register(app, ANNA, "Anna")
    clock.now = FRIDAY + 3 * DAY
    play(app, 1)
    replace_bill(app)
    ask(app, BILL, "set zone UTC-12")
    assert {2: DAY.total_seconds()} == spent_seconds(load(app))


def test_reminders_come_at_their_share_of_the_time_without_weekends(town: Town) -> None:
    wish(town, quiet="off")
    town.now = MONDAY - 7 * DAY
    town.game(BILL, JOAO, time_control=read_pace("7d+1d weekends"))
    found = until(town, 9 * DAY)
    assert [84, 24 * 8] == hours(found) and all(is_reminder(letter) for _, letter in found)
    assert "until Wednesday 9 December, 00:00 UTC; the clock shows 1 day." in " ".join(
        found[1][1].text.split()
    )


def test_no_reminder_comes_on_a_weekend(town: Town) -> None:
    wish(town, quiet="off", remind="24h")
    town.now = FRIDAY.replace(hour=0, minute=0)
    town.game(BILL, JOAO, time_control=read_pace("48h/move weekends"))
    assert [3 * 24] == hours(until(town, 4 * DAY - HOUR))


def test_a_vacation_that_overlaps_a_weekend_is_told_with_its_own_end(app: App, clock: Clock) -> None:
    a_game(app, "5d weekends")
    ask(app, BILL, "vacation 5 Dec to 8 Dec")
    clock.now = FRIDAY + 2 * DAY
    told = ask(app, BILL, "show 1")
    assert "You are on vacation until Wednesday 9 December, 00:00 UTC." in told
    assert "stopped for the vacation" in told
    # 13:25 of Friday, Wednesday to Friday, Monday, and 10:35 of Tuesday are five days
    assert "until Tuesday 15 December, 10:35 UTC" in told


def test_five_days_of_vacation_in_a_row_are_taken_by_the_clock_across_a_weekend(
    app: App, clock: Clock
) -> None:
    a_game(app, "1d/move weekends")
    play(app, 4)
    for _ in range(12):
        clock.now += DAY
        check_due_games(app)
    assert "timeout" == ending(app).how
    with app.store.read() as db:
        assert 5 == len(vacations_of_players(db, [1])[1])  # from Monday to Saturday, at 10:35
    assert MONDAY + 7 * DAY == ending(app).at
