"""Vacation by mail: planned, taken, cancelled, ended early, with the clocks."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.core.clock import vacation
from pbem.core.clock.dates import read_date
from pbem.core.clock.vacation import Vacation
from pbem.core.errors import Refusal
from pbem.duties.game_clock import WORKER_DELAY, check_due_games
from pbem.store import games, locks, players, vacations
from tests.apps import (
    BILL,
    JOAO,
    Clock,
    a_game,
    advance,
    last_words,
    letters,
    load,
    play,
    register,
    reply,
    writes,
)
from tests.people import NOON

DAY = timedelta(days=1)
TODAY = date(2026, 3, 1)


def ask(app: App, words: str, who: str = BILL) -> str:
    """Answer the last letter with `words`; return the reply's text."""
    writes(app, who, words)
    return last_words(app, who)


def deadline(app: App) -> datetime | None:
    game = load(app)
    return game.deadline


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-12-20", date(2026, 12, 20)),
        ("20.12.2026", date(2026, 12, 20)),
        ("20.12.", date(2026, 12, 20)),
        ("20 Dec", date(2026, 12, 20)),
        ("20th Dec", date(2026, 12, 20)),
        ("December 20", date(2026, 12, 20)),
        ("Dec 20, 2027", date(2027, 12, 20)),
        ("28 February", date(2027, 2, 28)),
        ("1 March", TODAY),
        ("29 Feb 2028", date(2028, 2, 29)),
        ("today", TODAY),
        ("tomorrow", date(2026, 3, 2)),
    ],
)
def test_a_day_is_read_as_people_write_it(text, day):
    assert day == read_date(text, TODAY)


@pytest.mark.parametrize("text", ["", "5/6", "31 Feb", "2026-13-01", "soon", "32.1.2026"])
def test_what_is_no_day_is_refused(text):
    with pytest.raises(Refusal):
        read_date(text, TODAY)


def test_days_from_now_stop_the_clocks_at_once(app: App, clock: Clock) -> None:
    a_game(app, "3d/move")
    flag = deadline(app)
    clock.pass_by(days=1)
    told = ask(app, "vacation 10 days")
    assert "You are on vacation" in told
    assert "You have 4 days left" in told
    assert flag + 10 * DAY == deadline(app)
    clock.now = flag + WORKER_DELAY
    check_due_games(app)
    assert flag + 10 * DAY == deadline(app)


def test_a_planned_vacation_holds_both_its_days_in_the_players_zone(app: App, clock: Clock) -> None:
    a_game(app, "3d/move")
    with app.store.write() as db:
        players.set_preference(db, players.player_by_name(db, "Bill"), "zone", "Europe/Berlin")
    flag = deadline(app)
    told = ask(app, "vacation 2 March to 2026-03-04")
    assert "planned" in told
    assert flag + 3 * DAY == deadline(app)
    clock.now = datetime(2026, 3, 1, 23, 0, 0, tzinfo=UTC)
    assert "You are on vacation" in ask(app, "vacation")
    clock.now = datetime(2026, 3, 4, 22, 59, 59, tzinfo=UTC)
    assert "You are on vacation" in ask(app, "vacation")
    clock.now = datetime(2026, 3, 4, 23, 0, 0, tzinfo=UTC)
    assert "You are not on vacation" in ask(app, "vacation")


def test_back_ends_it_and_gives_the_rest_back(app: App, clock: Clock) -> None:
    a_game(app, "3d/move")
    flag = deadline(app)
    ask(app, "vacation 10 days")
    clock.pass_by(days=4)
    told = ask(app, "back")
    assert "Welcome back, Bill" in told
    assert "You have 10 days left" in told
    assert flag + 4 * DAY == deadline(app)


def test_what_is_planned_can_be_cancelled_and_what_has_begun_cannot(app: App, clock: Clock) -> None:
    a_game(app, "3d/move")
    flag = deadline(app)
    ask(app, "vacation 2 March to 4 March")
    told = ask(app, "vacation cancel")
    assert "Your vacation is cancelled" in told
    assert "none planned" in told
    assert flag == deadline(app)
    ask(app, "vacation 2 days")
    assert "back" in ask(app, "vacation cancel")
    ask(app, "vacation 20 March to 21 March")
    told = ask(app, "vacation cancel")
    assert "Your planned vacation is cancelled, Bill; this one goes on until" in told
    assert "You have planned" not in told
    assert flag + 2 * DAY == deadline(app)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("vacation 22 days", "at most 21 days"),
        ("vacation 15 days", "you have 14 left"),
        ("vacation 5 March to 2 March 2026", "ends after it begins"),
        ("vacation 31 Feb to 3 March", "There is no 31 Feb"),
        ("back", "not on vacation"),
        ("vacation cancel", "no vacation planned"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(app: App, words: str, reason: str) -> None:
    a_game(app, "3d/move")
    flag = deadline(app)
    assert reason in ask(app, words)
    assert flag == deadline(app)


def test_two_vacations_do_not_overlap(app: App) -> None:
    a_game(app, "3d/move")
    ask(app, "vacation 5 days")
    assert "on vacation already" in ask(app, "vacation 3 days")


def test_a_vacation_stops_ones_own_clocks_alone(app: App) -> None:
    a_game(app, "3d/move")
    flag = deadline(app)
    ask(app, "vacation 5 days", JOAO)
    assert flag == deadline(app)


def test_a_move_made_on_vacation_adds_no_time(app: App, clock: Clock) -> None:
    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    reply(app, BILL, welcome, "challenge Joao bipod first 3d+1d")
    writes(app, JOAO, "accept")
    start = letters(app, BILL)[-1]
    ask(app, "vacation 5 days")
    assert "done" == reply(app, BILL, start, "f2")
    with app.store.read() as db:
        game = games.load_game(db, app.games_by_key, 1)
    assert 3 * DAY == game.clock.banks[0]
    assert NOON + 3 * DAY == game.deadline


def test_words_about_a_vacation_are_no_command(app: App) -> None:
    a_game(app, "3d/move")
    writes(app, BILL, "f2\nvacation was great, thanks")
    assert "vacation was great" in letters(app, JOAO)[-1].text


# Vacation days taken by the clock, and by the player.


def a_long_game(app: App) -> None:
    """Game 1 with two plies a side, Bill to play. In a shorter game the clock takes no vacation day."""
    a_game(app, "3d/move")
    play(app, 4)


def another_game(app: App) -> None:
    """Game 2 of the same two players, as long, Bill to play."""
    writes(app, BILL, "challenge Joao bipod first 3d/move")
    challenge = next(each for each in reversed(letters(app, JOAO)) if "accept" in each.text)
    reply(app, JOAO, challenge, "accept")
    advance(app, 2)


def taken(app: App) -> list[Vacation]:
    with app.store.read() as db:
        return list(vacations.vacations_of_players(db, [1])[1])


def test_a_day_the_clock_takes_is_seen_within_a_minute_in_the_players_other_games(
    app: App, clock: Clock
) -> None:
    a_long_game(app)
    clock.pass_by(hours=6)
    another_game(app)
    first = deadline(app)
    for moment in (first - DAY / 24, first + WORKER_DELAY, first + 2 * WORKER_DELAY):
        clock.now = moment
        check_due_games(app)
    with app.store.read() as db:
        player = players.player_by_name(db, "Bill")
        shown = {row.id: row.deadline for row in games.running_of_player(db, app.games_by_key, player)}
    assert {1: first + DAY, 2: first + DAY + timedelta(hours=6)} == shown


def test_of_two_flags_at_the_same_time_one_takes_a_day(app: App, clock: Clock) -> None:
    a_long_game(app)
    another_game(app)
    flag = deadline(app)
    clock.now = flag + WORKER_DELAY
    check_due_games(app)
    assert [(flag, flag + DAY)] == [(block.begins, block.ends) for block in taken(app)]


def test_the_clock_takes_no_day_while_somebody_plans_that_players_days(
    tmp_path: Path, postgresql_url: str, clock: Clock
) -> None:
    environ = {"PBEM_VAR": str(tmp_path), "PBEM_DATABASE": postgresql_url}
    app = open_app(config_from(environ), clock=clock)
    a_long_game(app)
    flag = deadline(app)
    clock.now = flag + WORKER_DELAY
    with app.store.write() as db:
        locks.advisory_lock(db, "days off of 1")
        check_due_games(app)
        assert [] == taken(app)
        vacations.store_vacation(db, 1, Vacation(flag - DAY, flag + 3 * DAY))
    check_due_games(app)
    assert [(flag - DAY, flag + 3 * DAY)] == [(block.begins, block.ends) for block in taken(app)]
    assert flag + 4 * DAY == deadline(app)
    app.close()


def test_days_asked_for_on_a_day_that_the_clock_took_begin_at_once(app: App, clock: Clock) -> None:
    a_long_game(app)
    flag = deadline(app)
    clock.now = flag + WORKER_DELAY
    check_due_games(app)
    clock.now = flag + timedelta(hours=6)
    assert "You are on vacation" in ask(app, "vacation 10 days")
    assert [(flag, clock.now, True), (clock.now, clock.now + 10 * DAY, False)] == [
        (block.begins, block.ends, block.automatic) for block in taken(app)
    ]
    assert clock.now + 10 * DAY == deadline(app)


def test_tomorrow_is_the_day_after_the_one_on_which_it_was_written(app: App, clock: Clock) -> None:
    a_game(app, "3d/move")
    ask(app, "vacation tomorrow to tomorrow")
    (block,) = taken(app)
    assert (datetime(2026, 3, 2, tzinfo=UTC), DAY) == (block.begins, block.length)


@pytest.mark.parametrize(
    ("words", "hours", "days_left"),
    [("vacation 28 March to 29 March", 47, 14), ("vacation 24 October to 25 October", 49, 28)],
)
def test_a_vacation_over_a_change_of_clocks_holds_whole_days_of_the_players_calendar(
    app: App, clock: Clock, words: str, hours: int, days_left: int
) -> None:
    a_game(app, "3d/move")
    with app.store.write() as db:
        players.set_preference(db, players.player_by_name(db, "Bill"), "zone", "Europe/Berlin")
    ask(app, words)
    (block,) = taken(app)
    assert timedelta(hours=hours) == block.length
    assert days_left == vacation.saved_time(NOON, [block], block.ends) // DAY


def test_who_wants_none_taken_keeps_the_days_and_has_the_grace_alone(app: App, clock: Clock) -> None:
    a_long_game(app)
    assert "autovacation is now off" in ask(app, "set autovacation off")
    flag = deadline(app)
    clock.now = flag + WORKER_DELAY
    check_due_games(app)
    assert ([], flag + DAY) == (taken(app), deadline(app))
    assert "a last 24 hours" in letters(app, BILL)[-1].text
    assert "autovacation is now on" in ask(app, "set auto-vacation on")
