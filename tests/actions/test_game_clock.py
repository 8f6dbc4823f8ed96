"""Flags that fall unnoticed, or while mail waits or is written. All run on both databases."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import text

from pbem.actions.game_clock import LATER, LOOK_AGAIN, TAKEN, tick
from pbem.actions.outages import HEART, PULSE, SILENCE, pulse
from pbem.app import Office, open_office
from pbem.config.load import settings_from
from pbem.core.clock.time_control import read_pace
from pbem.core.clock.vacation import Vacation
from pbem.core.game.fold import fold
from pbem.core.lobby.challenges import opening
from pbem.core.play import director
from pbem.inbox.director import rule
from pbem.inbox.process import RETRY_AFTER, work_through
from pbem.inbox.receive import receive
from pbem.mail.addresses import Token
from pbem.mail.person.mailbox import answer, fresh
from pbem.store import games, heartbeats, vacations
from pbem.store import players as player_rows
from pbem.store.games import Shelf
from pbem.web import create_app
from rules import RULES
from rules.contract import Position
from tests.apps import (
    BILL,
    JOAO,
    PLAY,
    Clock,
    a_game,
    advance,
    begin,
    ending,
    last_words,
    letters,
    load,
    moves,
    play,
    register,
    reply,
    state,
    writes,
)
from tests.e2e.test_crash import until
from tests.people import NOON

DAY, HOUR, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(seconds=1)


def test_a_flag_ends_the_game_by_itself_and_both_are_told(office: Office, clock: Clock) -> None:
    begin(office, "1d/move")
    play(office, 4)
    flag = clock.now + DAY
    clock.now = flag + LATER - SECOND
    tick(office)
    assert ending(office) is None
    clock.now = flag + LATER
    assert 1 == tick(office)
    assert ("timeout", 1, flag) == (ending(office).how, ending(office).winner, ending(office).at)
    assert "You ran out of time" in letters(office, BILL)[-1].text
    assert "You have won" in letters(office, JOAO)[-1].text
    counted = len(letters(office, BILL)), len(letters(office, JOAO))
    assert 0 == tick(office)
    assert counted == (len(letters(office, BILL)), len(letters(office, JOAO)))


def test_a_move_accepted_before_the_flag_and_handled_after_it_wins(office: Office, clock: Clock) -> None:
    begin(office, "1d/move")
    play(office, 4)
    turn = letters(office, BILL)[-1]
    clock.pass_by(days=1, seconds=-1)
    (key,) = receive(office, answer(turn, BILL, "h4"), BILL, [turn.header("Reply-To")])
    clock.pass_by(hours=3)
    tick(office)
    assert ending(office) is None
    work_through(office)
    assert "done" == state(office, key)
    assert 5 == len(load(office).state.plies)
    tick(office)
    assert ending(office) is None


def test_a_move_accepted_after_the_flag_is_too_late_even_where_no_clock_has_looked(
    office: Office, clock: Clock
) -> None:
    begin(office, "1d/move")
    play(office, 4)
    turn = letters(office, BILL)[-1]
    flag = clock.now + DAY
    clock.now = flag
    assert "refused" == reply(office, BILL, turn, "h4")
    assert flag == ending(office).at
    assert 4 == len(load(office).state.plies)


def test_a_late_move_does_not_slip_in_while_an_earlier_mail_is_in_trouble(
    office: Office, clock: Clock
) -> None:
    begin(office, "1d/move")
    play(office, 4)
    turn = letters(office, BILL)[-1]
    flag = clock.now + DAY
    clock.now = flag - SECOND
    (early,) = receive(office, fresh("x@example.com", PLAY, "hello"), "x@example.com", [PLAY])
    clock.now = flag + SECOND
    (late,) = receive(office, answer(turn, BILL, "h4"), BILL, [turn.header("Reply-To")])
    troubles = iter([RuntimeError("once")])

    def stumble(_step: str) -> None:
        for trouble in troubles:
            raise trouble

    work_through(replace(office, step=stumble))
    assert ["new", "new"] == [state(office, early), state(office, late)]
    clock.pass_by(minutes=1)
    work_through(office)
    work_through(office)
    assert ["stranger", "refused"] == [state(office, early), state(office, late)]
    assert flag == ending(office).at
    assert 4 == len(load(office).state.plies)


def test_a_grace_is_told_to_both_and_a_move_in_it_counts(office: Office, clock: Clock) -> None:
    begin(office, "3d/move")
    play(office, 4)
    clock.pass_by(days=3, minutes=2)
    tick(office)
    assert "grace of 24 hours" in letters(office, BILL)[-1].text
    assert "Bill's time" in letters(office, JOAO)[-1].text
    clock.pass_by(hours=23)
    assert "done" == writes(office, BILL, "h4")
    clock.pass_by(days=2)
    tick(office)
    assert ending(office) is None


def test_a_day_off_moves_the_flag_and_is_told(office: Office, clock: Clock) -> None:
    welcome = register(office, BILL, "Bill")
    register(office, JOAO, "Joao")
    reply(office, BILL, welcome, "challenge Joao bipod first 1d/move")
    writes(office, JOAO, "accept")
    advance(office)
    flag = clock.now + DAY
    clock.now = flag + LATER
    tick(office)
    assert flag + DAY == load(office).deadline
    assert "1 day was" in letters(office, BILL)[-1].text.replace("\n", " ")
    with office.store.read() as db:
        assert [Vacation(flag, flag + DAY, True)] == [
            Vacation(block.begins, block.ends, block.automatic) for block in vacations.taken(db, [1])[1]
        ]


def test_each_letter_about_a_day_off_says_whether_another_follows(office: Office, clock: Clock) -> None:
    welcome = register(office, BILL, "Bill")
    register(office, JOAO, "Joao")
    reply(office, BILL, welcome, "challenge Joao bipod first 1d/move")
    writes(office, JOAO, "accept")
    advance(office)
    flag, told = clock.now + DAY, []
    for day in range(5):
        clock.now = flag + day * DAY + LATER
        tick(office)
        told.append("another day is taken then" in last_words(office, BILL))
        assert told[-1] != ("no further day is taken" in last_words(office, BILL))
    clock.pass_by(days=1)
    tick(office)
    assert [True] * 4 + [False] == told
    assert ending(office) is not None
    assert 5 == len(days_taken(office))


# Flags of one player that fall together.


def two_games(office: Office, clock: Clock) -> datetime:
    """Games 1 and 2 with Bill to play, and game 1's flag.

    Bill has vacation days left. In game 2 the flag falls half a minute later.
    """
    welcome = register(office, BILL, "Bill")
    register(office, JOAO, "Joao")
    for number in (1, 2):
        reply(office, BILL, welcome, "challenge Joao bipod first 1d/move")
        writes(office, JOAO, "accept")
        advance(office, number)
        clock.pass_by(seconds=30 if number == 1 else 0)
    return clock.now + DAY - timedelta(seconds=30)


def days_taken(office: Office) -> list[tuple[datetime, datetime]]:
    with office.store.read() as db:
        return [(block.begins, block.ends) for block in vacations.taken(db, [1])[1]]


def flags_told(office: Office, who: str) -> int:
    return sum(".flag." in letter.header("Message-ID") for letter in letters(office, who))


def deadlines(office: Office) -> list[datetime | None]:
    """Deadlines in the rows, as lists show them."""
    with office.store.read() as db:
        return [game.deadline for game in games.running(db, office.shelf, load(office).seats[0])]


def test_two_flags_in_the_same_minute_take_one_day_and_tell_one_game(office: Office, clock: Clock) -> None:
    flag = two_games(office, clock)
    clock.now = flag + LATER + timedelta(minutes=5)
    tick(office)
    assert [(flag, flag + DAY)] == days_taken(office)
    assert 1 == flags_told(office, BILL) == flags_told(office, JOAO)
    clock.now += LATER
    tick(office)
    assert [flag + DAY, flag + DAY + timedelta(seconds=30)] == sorted(deadlines(office))
    assert 1 == flags_told(office, BILL)


def test_a_mail_that_finds_the_later_flag_first_takes_no_day_twice(office: Office, clock: Clock) -> None:
    flag = two_games(office, clock)
    clock.now = flag + timedelta(seconds=40)
    assert "done" == writes(office, JOAO, "show")
    assert [(flag + timedelta(seconds=30), flag + DAY + timedelta(seconds=30))] == days_taken(office)
    clock.now = flag + LATER
    tick(office)
    assert [(flag, flag + DAY + timedelta(seconds=30))] == days_taken(office)
    assert 2 == flags_told(office, BILL)  # each game's letters tell the new deadline
    assert all(deadline is not None and deadline > flag + DAY for deadline in deadlines(office))


@pytest.mark.each_database
def test_two_processes_that_find_two_flags_at_the_same_moment_take_one_day(
    tmp_path: Path, postgresql_url: str, clock: Clock
) -> None:
    environ = {"PBEM_VAR": str(tmp_path), "PBEM_DATABASE": postgresql_url}
    office = open_office(settings_from(environ), clock=clock)
    flag = two_games(office, clock)
    clock.now = flag + LATER + timedelta(minutes=1)
    reached, go_on = Event(), Event()

    def wait(step: str) -> None:
        if step == "strike" and not reached.is_set():
            reached.set()
            go_on.wait(60)

    turn = letters(office, JOAO)[-1]
    with ThreadPoolExecutor() as pool:
        first = pool.submit(tick, replace(office, step=wait))
        assert reached.wait(60)  # game 1 is being handled
        receive(office, answer(turn, JOAO, "show"), JOAO, [turn.header("Reply-To")])
        second = pool.submit(work_through, office)
        assert 0 == second.result(60)  # it does not wait; the first one handles the mail
        go_on.set()
        first.result(60)
    clock.now += RETRY_AFTER
    assert 1 == work_through(office)
    assert [(flag, flag + DAY)] == days_taken(office)
    assert 1 == flags_told(office, BILL)
    office.close()


def test_a_clock_that_stood_still_for_long_does_all_at_once_in_one_letter(
    office: Office, clock: Clock
) -> None:
    begin(office, "3d/move")
    play(office, 4)
    before = len(letters(office, BILL))
    flag = clock.now + 3 * DAY
    clock.pass_by(days=40)
    tick(office)
    assert before + 1 == len(letters(office, BILL))
    assert flag == ending(office).at


def test_a_flag_in_a_game_that_would_be_void_takes_no_day_off(office: Office, clock: Clock) -> None:
    a_game(office, "1d/move")
    advance(office, plies=3)
    clock.pass_by(days=1, minutes=5)
    tick(office)
    assert "void" == ending(office).how
    assert [] == days_taken(office)


def test_a_game_without_a_clock_is_closed_after_sixty_silent_days_and_both_are_told_before(
    office: Office, clock: Clock
) -> None:
    begin(office, "none")
    begun = clock.now
    clock.now = begun + 53 * DAY
    assert 0 == tick(office), "nothing is due before"
    clock.now += LATER
    assert 1 == tick(office)
    for who in (BILL, JOAO):
        assert "after 60 days without a word or a move it is closed" in last_words(office, who)
    assert "make your move" in last_words(office, BILL)
    clock.now = begun + 60 * DAY
    tick(office)
    assert ending(office) is None
    clock.now += LATER
    tick(office)
    assert ("void", None, begun + 60 * DAY) == (
        ending(office).how,
        ending(office).winner,
        ending(office).at,
    )
    assert "Nothing happened for 60 days" in last_words(office, JOAO)
    clock.pass_by(days=100)
    assert 0 == tick(office)


def test_words_of_either_player_end_the_silence_of_a_game_without_a_clock(
    office: Office, clock: Clock
) -> None:
    begin(office, "none")
    clock.pass_by(days=55)
    tick(office)
    assert "done" == writes(office, JOAO, "say I am still here.")
    spoken = clock.now
    clock.now = spoken + 52 * DAY
    assert 0 == tick(office)
    assert load(office).journal[-1].kind == "say"
    clock.pass_by(days=20)
    tick(office)
    assert ending(office) is None, "both are told again first, and have seven days from then on"
    clock.pass_by(days=6)
    tick(office)
    assert ending(office) is None
    clock.pass_by(days=2)
    tick(office)
    assert "void" == ending(office).how


def test_days_off_of_whoever_is_to_play_are_no_silence(office: Office, clock: Clock) -> None:
    begin(office, "none")
    begun = clock.now
    with office.store.write() as db:
        vacations.take(db, 1, Vacation(begun + 10 * DAY, begun + 20 * DAY))
    clock.now = begun + 53 * DAY + LATER
    tick(office)
    assert load(office).journal[-1].kind == "start"
    clock.now = begun + 63 * DAY + LATER
    tick(office)
    clock.now = begun + 70 * DAY + LATER
    tick(office)
    assert begun + 70 * DAY == ending(office).at


def test_a_director_opens_a_game_again_that_silence_has_closed(office: Office, clock: Clock) -> None:
    begin(office, "none", plies=4)
    clock.pass_by(days=54)
    tick(office)
    clock.pass_by(days=8)
    tick(office)
    assert "void" == ending(office).how
    rule(office, 1, lambda game, now: director.rollback(game, 4, "They are back.", now))
    clock.pass_by(days=50)
    tick(office)
    assert ending(office) is None


# Outages: clocks stop while no worker runs.


def test_a_silence_of_more_than_an_hour_is_given_back_to_every_clock(office: Office, clock: Clock) -> None:
    begin(office, "1d/move")
    play(office, 4)
    pulse(office)
    flag = load(office).deadline
    clock.now = flag + 5 * DAY
    pulse(office)
    tick(office)
    assert ending(office) is None
    down = clock.now - (flag - DAY)
    assert flag + down == load(office).deadline
    while clock.now < flag + down + LATER:
        pulse(office)
        clock.pass_by(minutes=30)
    tick(office)
    assert flag + down == ending(office).at


def test_a_ply_sent_from_a_page_before_the_worker_is_back_has_the_time_of_the_outage(
    office: Office, clock: Clock
) -> None:
    begin(office, "1d/move")
    play(office, 4)
    pulse(office)
    clock.pass_by(days=5)
    pages, game = create_app(office).test_client(), load(office)
    token = office.addressing.seal(Token("game", (1, 0, len(game.open_entries), game.seats[0].epoch)))
    page = f"/games/1/compose/{token}"
    (number,) = re.findall(r'name="number" value="([0-9a-f]+)"', pages.get(page).text)
    pages.post(page, data={"do": "send", "move": "h4", "words": "", "number": number})
    assert (None, 5) == (ending(office), len(moves(office)))


def test_a_silence_of_an_hour_is_none(office: Office, clock: Clock) -> None:
    begin(office, "1d/move")
    pulse(office)
    flag = load(office).deadline
    clock.now += SILENCE
    assert pulse(office) is None
    assert flag == load(office).deadline
    clock.now += SILENCE + SECOND
    assert pulse(office) is not None
    assert flag + SILENCE + SECOND == load(office).deadline


def test_while_the_heart_beats_there_is_no_outage(office: Office, clock: Clock) -> None:
    begin(office, "3d/move")
    flag = load(office).deadline
    for _ in range(200):
        pulse(office)
        clock.now += PULSE
    assert flag == load(office).deadline


@pytest.mark.each_database
def test_of_two_that_begin_at_the_same_moment_none_stumbles(tmp_path: Path, postgresql_url: str) -> None:
    environ = {"PBEM_VAR": str(tmp_path), "PBEM_DATABASE": postgresql_url}
    office = open_office(settings_from(environ))
    with ThreadPoolExecutor() as pool:
        with office.store.write() as db:
            assert heartbeats.beat(db, HEART, NOON) is None
            second = pool.submit(pulse, office)
            until("the second waits for the first", lambda: somebody_waits(office))
        assert second.result(60) is not None  # it found the first one's heartbeat, long ago
    office.close()


def somebody_waits(office: Office) -> bool:
    with office.store.read() as db:
        return bool(db.execute(text("SELECT count(*) FROM pg_locks WHERE NOT granted")).scalar_one())


def test_two_that_wake_after_a_silence_give_it_back_once(office: Office, clock: Clock) -> None:
    begin(office, "3d/move")
    pulse(office)
    flag = load(office).deadline
    clock.now += 2 * DAY
    assert [True, False] == [pulse(office) is not None, pulse(office) is not None]
    assert flag + 2 * DAY == load(office).deadline


def test_an_outage_is_told_once_in_the_next_letter_of_each_game_to_each_player(
    office: Office, clock: Clock
) -> None:
    begin(office, "3d/move")
    pulse(office)
    clock.now += 5 * DAY
    pulse(office)
    begun = letters(office, BILL)[-1]
    assert "stood still" not in begun.text
    reply(office, BILL, begun, "f2")
    told = last_words(office, BILL)
    assert "stood still from 1 March 2026, 12:00 UTC to 6 March 2026, 12:00 UTC" in told
    assert "stood still" in letters(office, JOAO)[-1].text
    writes(office, JOAO, "e5")
    assert "stood still" not in letters(office, JOAO)[-1].text
    assert "stood still" not in letters(office, BILL)[-1].text


def test_after_an_outage_every_deadline_in_the_rows_is_right_again(office: Office, clock: Clock) -> None:
    begin(office, "3d/move")
    pulse(office)
    clock.now += DAY
    pulse(office)
    clock.now += LATER
    tick(office)
    with office.store.read() as db:
        (row,) = games.running(db, office.shelf, load(office).seats[0])
    assert load(office).deadline == row.deadline


def test_the_deadline_stands_in_the_head_of_the_letter_and_in_the_list_of_games(
    office: Office, clock: Clock
) -> None:
    begin(office, "3d/move")
    turn = letters(office, BILL)[-1]
    assert "2026-03-04T12:00:00Z" == turn.header("X-PBEM-Deadline")
    assert "You have until 4 March 2026, 12:00 UTC; the clock shows 3 days." in " ".join(turn.text.split())
    reply(office, BILL, turn, "games")
    assert "until 4 March 2026, 12:00 UTC" in last_words(office, BILL)


def test_one_beat_takes_the_days_off_of_however_many_flags_and_none_is_due_again(
    office: Office, clock: Clock
) -> None:
    many = TAKEN + 5
    with office.store.write() as db:
        players = [player_rows.add(db, f"P{n}", f"p{n}@example.org", clock.now) for n in range(2 * many)]
        for seed, pair in enumerate(zip(players[::2], players[1::2], strict=True)):
            rules = RULES["bagel"]
            options = rules.start().options
            game = games.add(db, rules, options, seed, pair, True, clock.now, read_pace("7d/move"))
            entries = [opening(game)]
            games.append(db, game, fold(game.with_entries(entries)), entries)
    for number in range(1, many + 1):
        advance(office, number)
    clock.pass_by(days=7, minutes=5)
    assert many == tick(office)
    with office.store.read() as db:
        assert [1] * many == [len(taken) for taken in vacations.taken(db, range(1, 2 * many, 2)).values()]
        assert [] == games.due(db, clock.now, many)


# Games that cannot be read.


def a_house_of_bagels(office: Office, clock: Clock, many: int) -> None:
    """A Bipod game whose flag falls last, after many Bagel games. All are at a day a ply."""
    begin(office, "1d/move")
    with office.store.write() as db:
        pair = player_rows.by_ids(db, (1, 2))
        rules = RULES["bagel"]
        for seed in range(many):
            began = clock.now - HOUR
            game = games.add(
                db, rules, rules.start().options, seed, (pair[1], pair[2]), True, began, read_pace("1d/move")
            )
            entries = [opening(game)]
            games.append(db, game, fold(game.with_entries(entries)), entries)


def broken(*_anything: object) -> Position:
    raise ArithmeticError("no board")


@pytest.mark.parametrize(
    "shelf",
    [
        Shelf({"bipod": RULES["bipod"]}),
        Shelf({"bipod": RULES["bipod"], "bagel": replace(RULES["bagel"], setup=broken)}),
    ],
    ids=["rules not installed", "rules that fail"],
)
def test_however_many_games_cannot_be_looked_at_the_flags_of_the_others_fall(
    office: Office, clock: Clock, shelf: Shelf
) -> None:
    a_house_of_bagels(office, clock, TAKEN + 1)
    clock.pass_by(days=1, minutes=5)
    assert TAKEN + 2 == tick(replace(office, shelf=shelf))
    assert "void" == ending(office).how
    assert 0 == tick(replace(office, shelf=shelf))
    clock.now += LOOK_AGAIN + LATER
    with office.store.read() as db:
        assert TAKEN + 1 == len(games.due(db, clock.now - LATER, 2 * TAKEN))
