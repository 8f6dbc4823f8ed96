"""Mail deferred by our own failure: its writer's clock stops.

The other player's clock starts when all is handled.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.actions.game_clock import LATER, tick
from pbem.app import Office
from pbem.core.game.clock_display import dial
from pbem.core.game.clock_fold import made
from pbem.core.game.journal import PLY, SAY
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import answer
from pbem.store import inbox
from tests.actions.test_director import replace_player
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
from tests.inbox.test_late_answers import put_aside, retry

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
WEEK = 7 * DAY


@pytest.fixture
def office_settings() -> dict[str, str]:
    return {"PBEM_OPERATOR": OPERATOR}


def to_play(office: Office, pace: str = "1d/move") -> None:
    """A game of four plies, Bill to play."""
    begin(office, pace)
    play(office, 4)


def pass_days(office: Office, clock: Clock, days: int) -> None:
    """Pass time, with the clock's round every hour."""
    for _ in range(24 * days):
        clock.now += HOUR
        tick(office)


def test_no_flag_falls_while_a_mail_of_who_is_to_play_waits_for_us(office: Office, clock: Clock) -> None:
    to_play(office)
    key = put_aside(office, clock, BILL, "h4")
    came = clock.now - 4 * MINUTE
    before = len(letters(office, BILL)), len(letters(office, JOAO))
    pass_days(office, clock, 5)
    assert ending(office) is None
    assert before == (len(letters(office, BILL)), len(letters(office, JOAO))), "nobody is reminded"
    (told,) = letters(office, OPERATOR)
    assert key in told.text
    assert "done" == retry(office, key)
    game = load(office)
    ply = game.journal[-1]
    assert (PLY, clock.now, came) == (ply.kind, ply.at, made(ply))
    assert clock.now + DAY == game.deadline, "the other's time starts now"


def test_the_page_says_that_the_clock_stands(office: Office, clock: Clock) -> None:
    to_play(office)
    put_aside(office, clock, BILL, "h4")
    seen = dial(load(office), clock.now)
    assert seen is not None
    assert (False, clock.now - 4 * MINUTE + WEEK) == (seen.of(0).runs, seen.of(0).stands_until)


def test_after_a_week_the_clock_goes_on(office: Office, clock: Clock) -> None:
    to_play(office)
    left = load(office).deadline
    assert left is not None
    put_aside(office, clock, BILL, "h4")
    pass_days(office, clock, 7)
    assert ending(office) is None
    pass_days(office, clock, 1)
    tick(office)
    assert left + WEEK == ending(office).at


def test_a_second_mail_put_aside_makes_it_no_more_than_a_week(office: Office, clock: Clock) -> None:
    to_play(office)
    left = load(office).deadline
    assert left is not None
    put_aside(office, clock, BILL, "h4")
    pass_days(office, clock, 5)
    put_aside(office, clock, BILL, "h4")
    pass_days(office, clock, 4)
    assert left + WEEK == ending(office).at


def test_what_is_refused_when_it_is_handled_has_cost_its_writer_no_time(office: Office, clock: Clock) -> None:
    to_play(office)
    left = load(office).deadline
    assert left is not None
    key = put_aside(office, clock, BILL, "f77")
    came = clock.now - 4 * MINUTE
    clock.now += 3 * DAY
    assert "refused" == retry(office, key)
    assert clock.now + (left - came) == load(office).deadline
    clock.now += DAY + LATER
    tick(office)
    assert ending(office) is not None, "it stands no more"


def test_an_answer_to_several_boards_stops_the_clock_in_each_game(office: Office, clock: Clock) -> None:
    to_play(office)
    writes(office, BILL, "challenge Joao bipod first 1d/move")
    writes(office, JOAO, "accept")
    writes(office, BILL, "boards")
    flags = [load(office, number).deadline for number in (1, 2)]
    key = put_aside(office, clock, BILL, "game 1\nh4")
    came = clock.now - 4 * MINUTE
    pass_days(office, clock, 5)
    assert [None, None] == [load(office, number).state.ending for number in (1, 2)]
    assert "done" == retry(office, key)
    assert (clock.now, came) == (load(office).journal[-1].at, made(load(office).journal[-1]))
    assert flags[1] is not None
    assert clock.now + (flags[1] - came) == load(office, 2).deadline, "it stands no more"


def test_the_clock_of_who_takes_the_seat_over_stands_for_no_mail_of_who_left(
    office: Office, clock: Clock
) -> None:
    to_play(office)
    register(office, ANNA, "Anna")
    put_aside(office, clock, BILL, "h4")
    replace_player(office, 0, "Anna")
    assert clock.now + DAY == load(office).deadline


@pytest.mark.parametrize("who", ["the other", "somebody else", "an old address"])
def test_only_a_mail_from_who_is_to_play_stops_the_clock(office: Office, clock: Clock, who: str) -> None:
    to_play(office)
    flag = load(office).deadline
    letter = letters(office, JOAO if who == "the other" else BILL)[-1]
    writer = {"the other": JOAO, "somebody else": "eve@example.com", "an old address": BILL}[who]
    address = letter.header("Reply-To")
    if who == "an old address":
        address = address.replace("+", "+a", 1)
    broken = replace(office, step=Broken(99))
    receive(broken, answer(letter, writer, "h4"), writer, [address])
    for _ in range(4):
        work_through(broken)
        clock.now += MINUTE
    pass_days(office, clock, 1)
    clock.now += LATER
    tick(office)
    assert flag == ending(office).at


def test_nothing_is_claimed_while_a_mail_of_the_other_waits_for_us(office: Office, clock: Clock) -> None:
    to_play(office, "1d/move unrated soft")
    clock.now += DAY + LATER
    tick(office)
    assert load(office).state.flagged is not None
    key = put_aside(office, clock, BILL, "h4")
    clock.now += DAY
    assert "refused" == writes(office, JOAO, "claim win")
    assert "could not be handled yet" in last_words(office, JOAO)
    assert "done" == retry(office, key)
    assert 5 == len(load(office).state.plies)


def test_a_mail_that_was_slow_to_be_handled_costs_the_other_nothing(office: Office, clock: Clock) -> None:
    to_play(office)
    letter = letters(office, BILL)[-1]
    receive(office, answer(letter, BILL, "h4\n\nHello!"), BILL, [letter.header("Reply-To")])
    came = clock.now
    clock.now += 40 * MINUTE
    work_through(office)
    game = load(office)
    assert (came, clock.now) == (made(game.journal[-1]), game.journal[-1].at)
    assert clock.now + DAY == game.deadline


def test_a_pause_agreed_to_before_the_flag_counts_from_then(office: Office, clock: Clock) -> None:
    to_play(office)
    writes(office, BILL, "pause 5 days")
    letter = letters(office, JOAO)[-1]
    clock.now += DAY - MINUTE
    receive(office, answer(letter, JOAO, "accept"), JOAO, [letter.header("Reply-To")])
    came = clock.now
    clock.now += HOUR
    work_through(office)
    tick(office)
    assert (((came, came + 5 * DAY),), None) == (load(office).agreed, ending(office))


def test_two_mails_that_are_handled_again_do_not_wait_for_each_other(office: Office, clock: Clock) -> None:
    begin(office, "60d/move", plies=1)
    writes(office, BILL, "draw")
    keys = [
        put_aside(office, clock, JOAO, "pause 5 days"),
        put_aside(office, clock, BILL, "pause 3 days"),
    ]
    clock.now += 15 * DAY  # the lapse of the offer must wait for earlier mail
    with office.store.write() as db:
        inbox.again(db, [int(key[1:]) for key in keys], clock.now)
    for _ in range(3):
        tick(office)
        work_through(office)
        clock.now += MINUTE
    assert "new" not in [state(office, key) for key in keys]
    clock.now += 60 * DAY
    tick(office)
    assert ending(office) is not None or load(office).clock.grace, "the clocks go on"


def test_a_mail_handled_again_still_waits_for_one_that_came_before_what_is_due(
    office: Office, clock: Clock
) -> None:
    begin(office, "60d/move", plies=1)
    writes(office, BILL, "draw")
    key = put_aside(office, clock, BILL, "pause 3 days")
    clock.now += 14 * DAY - 10 * MINUTE
    letter = letters(office, JOAO)[-1]
    (agreed,) = receive(office, answer(letter, JOAO, "accept"), JOAO, [letter.header("Reply-To")])
    clock.now += DAY
    assert retry(office, key) is None
    work_through(office)
    assert ("done", "agreement") == (state(office, agreed), load(office).state.ending.how)
    clock.now += MINUTE
    work_through(office)
    assert "refused" == state(office, key)
    assert SAY not in [entry.kind for entry in load(office).journal]
