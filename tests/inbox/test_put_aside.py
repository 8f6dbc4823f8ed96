"""Mail deferred by our own failure: its writer's clock stops.

The other player's clock starts when all is handled.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.app import App
from pbem.core.game.clock_display import clock_display
from pbem.core.game.journal import PLY, SAY
from pbem.duties.game_clock import WORKER_DELAY, check_due_games
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import reply_mail
from pbem.store import inbox
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    OPERATOR,
    Broken,
    Clock,
    begin,
    ending,
    last_words,
    letters,
    load,
    play,
    register,
    state,
    writes,
)
from tests.inbox.test_director import replace_player
from tests.inbox.test_late_answers import put_aside, retry

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
WEEK = 7 * DAY


@pytest.fixture
def app_config() -> dict[str, str]:
    return {"PBEM_OPERATOR": OPERATOR}


def to_play(app: App, pace: str = "1d/move") -> None:
    """A game of four plies, Bill to play."""
    begin(app, pace)
    play(app, 4)


def pass_days(app: App, clock: Clock, days: int) -> None:
    """Pass time, with the clock's round every hour."""
    for _ in range(24 * days):
        clock.now += HOUR
        check_due_games(app)


def test_no_flag_falls_while_a_mail_of_who_is_to_play_waits_for_us(app: App, clock: Clock) -> None:
    to_play(app)
    key = put_aside(app, clock, BILL, "h4")
    came = clock.now - 4 * MINUTE
    before = len(letters(app, BILL)), len(letters(app, JOAO))
    pass_days(app, clock, 5)
    assert ending(app) is None
    assert before == (len(letters(app, BILL)), len(letters(app, JOAO))), "nobody is reminded"
    (told,) = letters(app, OPERATOR)
    assert key in told.text
    assert "done" == retry(app, key)
    game = load(app)
    ply = game.journal[-1]
    assert (PLY, clock.now, came) == (ply.kind, ply.at, ply.effective_time)
    assert clock.now + DAY == game.deadline, "the other's time starts now"


def test_the_page_says_that_the_clock_stands(app: App, clock: Clock) -> None:
    to_play(app)
    put_aside(app, clock, BILL, "h4")
    seen = clock_display(load(app), clock.now)
    assert seen is not None
    assert (False, clock.now - 4 * MINUTE + WEEK) == (
        seen.player_clocks[0].runs,
        seen.player_clocks[0].stopped_until,
    )


def test_after_a_week_the_clock_goes_on(app: App, clock: Clock) -> None:
    to_play(app)
    left = load(app).deadline
    assert left is not None
    put_aside(app, clock, BILL, "h4")
    pass_days(app, clock, 7)
    assert ending(app) is None
    pass_days(app, clock, 1)
    check_due_games(app)
    assert left + WEEK == ending(app).at


def test_a_second_mail_put_aside_makes_it_no_more_than_a_week(app: App, clock: Clock) -> None:
    to_play(app)
    left = load(app).deadline
    assert left is not None
    put_aside(app, clock, BILL, "h4")
    pass_days(app, clock, 5)
    put_aside(app, clock, BILL, "h4")
    pass_days(app, clock, 4)
    assert left + WEEK == ending(app).at


def test_what_is_refused_when_it_is_handled_has_cost_its_writer_no_time(app: App, clock: Clock) -> None:
    to_play(app)
    left = load(app).deadline
    assert left is not None
    key = put_aside(app, clock, BILL, "f77")
    came = clock.now - 4 * MINUTE
    clock.now += 3 * DAY
    assert "refused" == retry(app, key)
    assert clock.now + (left - came) == load(app).deadline
    clock.now += DAY + WORKER_DELAY
    check_due_games(app)
    assert ending(app) is not None, "it stands no more"


def test_an_answer_to_several_boards_stops_the_clock_in_each_game(app: App, clock: Clock) -> None:
    to_play(app)
    writes(app, BILL, "challenge Joao bipod first 1d/move")
    writes(app, JOAO, "accept")
    writes(app, BILL, "boards")
    flags = [load(app, number).deadline for number in (1, 2)]
    key = put_aside(app, clock, BILL, "game 1\nh4")
    came = clock.now - 4 * MINUTE
    pass_days(app, clock, 5)
    assert [None, None] == [load(app, number).state.ending for number in (1, 2)]
    assert "done" == retry(app, key)
    assert (clock.now, came) == (load(app).journal[-1].at, load(app).journal[-1].effective_time)
    assert flags[1] is not None
    assert clock.now + (flags[1] - came) == load(app, 2).deadline, "it stands no more"


def test_the_clock_of_who_takes_the_seat_over_stands_for_no_mail_of_who_left(app: App, clock: Clock) -> None:
    to_play(app)
    register(app, ANNA, "Anna")
    put_aside(app, clock, BILL, "h4")
    replace_player(app, 0, "Anna")
    assert clock.now + DAY == load(app).deadline


@pytest.mark.parametrize("who", ["the other", "somebody else", "an old address"])
def test_only_a_mail_from_who_is_to_play_stops_the_clock(app: App, clock: Clock, who: str) -> None:
    to_play(app)
    flag = load(app).deadline
    letter = letters(app, JOAO if who == "the other" else BILL)[-1]
    writer = {"the other": JOAO, "somebody else": "eve@example.com", "an old address": BILL}[who]
    address = letter.header("Reply-To")
    if who == "an old address":
        address = address.replace("+", "+a", 1)
    broken = replace(app, step=Broken(99))
    receive(broken, reply_mail(letter, writer, "h4"), writer, [address])
    for _ in range(4):
        work_through(broken)
        clock.now += MINUTE
    pass_days(app, clock, 1)
    clock.now += WORKER_DELAY
    check_due_games(app)
    assert flag == ending(app).at


def test_nothing_is_claimed_while_a_mail_of_the_other_waits_for_us(app: App, clock: Clock) -> None:
    to_play(app, "1d/move unrated soft")
    clock.now += DAY + WORKER_DELAY
    check_due_games(app)
    assert load(app).state.flagged is not None
    key = put_aside(app, clock, BILL, "h4")
    clock.now += DAY
    assert "refused" == writes(app, JOAO, "claim win")
    assert "could not be handled yet" in last_words(app, JOAO)
    assert "done" == retry(app, key)
    assert 5 == len(load(app).state.plies)


def test_a_mail_that_was_slow_to_be_handled_costs_the_other_nothing(app: App, clock: Clock) -> None:
    to_play(app)
    letter = letters(app, BILL)[-1]
    receive(app, reply_mail(letter, BILL, "h4\n\nHello!"), BILL, [letter.header("Reply-To")])
    came = clock.now
    clock.now += 40 * MINUTE
    work_through(app)
    game = load(app)
    assert (came, clock.now) == (game.journal[-1].effective_time, game.journal[-1].at)
    assert clock.now + DAY == game.deadline


def test_a_pause_agreed_to_before_the_flag_counts_from_then(app: App, clock: Clock) -> None:
    to_play(app)
    writes(app, BILL, "pause 5 days")
    letter = letters(app, JOAO)[-1]
    clock.now += DAY - MINUTE
    receive(app, reply_mail(letter, JOAO, "accept"), JOAO, [letter.header("Reply-To")])
    came = clock.now
    clock.now += HOUR
    work_through(app)
    check_due_games(app)
    assert (((came, came + 5 * DAY),), None) == (load(app).agreed, ending(app))


def test_two_mails_that_are_handled_again_do_not_wait_for_each_other(app: App, clock: Clock) -> None:
    begin(app, "60d/move", plies=1)
    writes(app, BILL, "draw")
    keys = [
        put_aside(app, clock, JOAO, "pause 5 days"),
        put_aside(app, clock, BILL, "pause 3 days"),
    ]
    clock.now += 15 * DAY  # the lapse of the offer must wait for earlier mail
    with app.store.write() as db:
        inbox.reopen_mails(db, [int(key[1:]) for key in keys])
    for _ in range(3):
        check_due_games(app)
        work_through(app)
        clock.now += MINUTE
    assert "new" not in [state(app, key) for key in keys]
    clock.now += 60 * DAY
    check_due_games(app)
    assert ending(app) is not None or load(app).clock.grace, "the clocks go on"


def test_a_mail_handled_again_still_waits_for_one_that_came_before_what_is_due(
    app: App, clock: Clock
) -> None:
    begin(app, "60d/move", plies=1)
    writes(app, BILL, "draw")
    key = put_aside(app, clock, BILL, "pause 3 days")
    clock.now += 14 * DAY - 10 * MINUTE
    letter = letters(app, JOAO)[-1]
    (agreed,) = receive(app, reply_mail(letter, JOAO, "accept"), JOAO, [letter.header("Reply-To")])
    clock.now += DAY
    assert retry(app, key) is None
    work_through(app)
    assert ("done", "agreement") == (state(app, agreed), load(app).state.ending.how)
    clock.now += MINUTE
    work_through(app)
    assert "refused" == state(app, key)
    assert SAY not in [entry.kind for entry in load(app).journal]
